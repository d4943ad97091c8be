/* The greatest common divisor by subtraction; 0 if either number is 0. */
unsigned gcd(unsigned a, unsigned b) {
  if (a == 0 || b == 0)
    return 0;
  while (a != b) {
    if (a > b)
      a -= b;
    else
      b -= a;
  }
  return a;
}
