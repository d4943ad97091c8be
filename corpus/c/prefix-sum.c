/* Replaces each of n ints by the sum up to it; with break on a negative element. */
int prefix_sum(int *a, int n) {
  int i;
  for (i = 1; i < n; ++i) {
    if (a[i] < 0)
      break;
    a[i] += a[i - 1];
  }
  return i;
}
