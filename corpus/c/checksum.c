/* The two-part checksum of n bytes that Fletcher proposed, with additions modulo 255. */
unsigned checksum(const unsigned char *p, int n) {
  unsigned a = 0, b = 0;
  while (n-- > 0) {
    a += *p++;
    if (a >= 255)
      a -= 255;
    b += a;
    if (b >= 255)
      b -= 255;
  }
  return b << 8 | a;
}
