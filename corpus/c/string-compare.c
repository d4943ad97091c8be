/* Compares two strings as strcmp does: negative, zero or positive. */
int string_compare(const unsigned char *a, const unsigned char *b) {
  while (*a && *a == *b) {
    ++a;
    ++b;
  }
  return *a - *b;
}
