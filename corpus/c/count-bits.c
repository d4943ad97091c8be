/* Counts the bits set in x, one per iteration. */
int count_bits(unsigned x) {
  int n = 0;
  for (; x; ++n)
    x &= x - 1;
  return n;
}
