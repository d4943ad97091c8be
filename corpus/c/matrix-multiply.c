/* c = a * b for 2x2 matrices of bytes, computed modulo 256; returns the trace of c. */
int matrix_multiply(unsigned char c[2][2], const unsigned char a[2][2], const unsigned char b[2][2]) {
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      unsigned char sum = 0;
      for (int k = 0; k < 2; ++k)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  return c[0][0] + c[1][1];
}
