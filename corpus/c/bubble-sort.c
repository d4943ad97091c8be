/* Sorts n ints in place by bubbles and stops when a pass swapped nothing; returns the number of swaps. */
int bubble_sort(int *a, int n) {
  int swaps = 0, swapped;
  do {
    swapped = 0;
    for (int i = 0; i + 1 < n; ++i)
      if (a[i] > a[i + 1]) {
        int t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
        swapped = 1;
        ++swaps;
      }
  } while (swapped);
  return swaps;
}
