/* The length of a string that ends in a zero byte. */
unsigned long string_length(const char *s) {
  const char *p = s;
  while (*p)
    ++p;
  return p - s;
}
