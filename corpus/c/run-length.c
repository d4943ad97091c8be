/* Writes (count, byte) pairs for the runs of n input bytes; returns the number of bytes written. */
int run_length(unsigned char *out, const unsigned char *in, int n) {
  int o = 0, i = 0;
  while (i < n) {
    unsigned char b = in[i];
    int run = 1;
    while (i + run < n && in[i + run] == b && run < 255)
      ++run;
    out[o++] = (unsigned char)run;
    out[o++] = b;
    i += run;
  }
  return o;
}
