/* Transposes an n by n matrix of bytes in place, n at most 4 (rows are 4 bytes apart); returns m[1][0]. */
int matrix_transpose(unsigned char m[4][4], int n) {
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      unsigned char t = m[i][j];
      m[i][j] = m[j][i];
      m[j][i] = t;
    }
  return m[1][0];
}
