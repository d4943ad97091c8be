/* Sorts n bytes in place, by insertion; returns the first four of them as a number. */
void insertion_sort(unsigned char *a, int n) {
  for (int i = 1; i < n; ++i) {
    unsigned char key = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > key) {
      a[j + 1] = a[j];
      --j;
    }
    a[j + 1] = key;
  }
}

int first4(unsigned char *a, int n) {
  insertion_sort(a, n);
  return a[0] | a[1] << 8 | a[2] << 16 | a[3] << 24;
}
