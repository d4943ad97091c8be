/* The index of the first byte equal to key among n, or n. */
unsigned linear_search(const unsigned char *a, unsigned n, unsigned char key) {
  for (unsigned i = 0; i < n; ++i)
    if (a[i] == key)
      return i;
  return n;
}
