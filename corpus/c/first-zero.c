/* Row * 2 + column of the first element of a matrix of n rows and 2 columns that is zero; leaves two loops at once. */
int first_zero(const int m[][2], int n) {
  int i, j;
  for (i = 0; i < n; ++i)
    for (j = 0; j < 2; ++j)
      if (m[i][j] == 0)
        goto found;
  return -1;
found:
  return i * 2 + j;
}
