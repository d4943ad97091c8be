/* Counts words in a string: a small state machine as a switch inside a loop. */
int count_words(const char *s) {
  int words = 0, inside = 0;
  for (;;) {
    switch (*s++) {
    case 0:
      return words;
    case ' ':
    case '\n':
      inside = 0;
      continue;
    default:
      if (!inside)
        ++words;
      inside = 1;
    }
  }
}
