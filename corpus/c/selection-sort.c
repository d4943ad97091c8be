/* Sorts n bytes in place by selection of the least; returns the sum of the positions swapped. */
int selection_sort(signed char *a, unsigned n) {
  int moves = 0;
  for (unsigned i = 0; i < n; ++i) {
    unsigned least = i;
    for (unsigned j = i + 1; j < n; ++j)
      if (a[j] < a[least])
        least = j;
    signed char t = a[i];
    a[i] = a[least];
    a[least] = t;
    moves += least - i;
  }
  return moves;
}
