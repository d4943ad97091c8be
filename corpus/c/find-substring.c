/* The place of the first occurrence of needle in text, or -1; both end in a zero byte. */
int find_substring(const char *text, const char *needle) {
  for (int i = 0;; ++i) {
    int j = 0;
    while (needle[j] && text[i + j] == needle[j])
      ++j;
    if (!needle[j])
      return i;
    if (!text[i + j])
      return -1;
  }
}
