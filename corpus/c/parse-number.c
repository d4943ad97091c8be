/* The decimal number at the start of s; stops at the first other character and fails with -1 above 9999. */
int parse_number(const char *s) {
  int n = 0;
  for (; *s >= '0' && *s <= '9'; ++s) {
    n = n * 10 + (*s - '0');
    if (n > 9999)
      return -1;
  }
  return n;
}
