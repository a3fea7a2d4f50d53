#include "elementary.h"

#include <stdint.h>

bandolier_logarithm bandolier_logarithms[128];
bandolier_logarithm bandolier_quick_logarithms[128];
bandolier_power bandolier_powers[128];

// Numbers below 4 in units of 2⁻¹²⁶: the last bits of the tables need about 2⁻¹⁰⁸.
typedef unsigned __int128 fixed;
static const fixed one = (fixed)1 << 126;

/// The product, rounded down to a multiple of 2⁻¹²⁴.
static fixed product(fixed a, fixed b) {
  uint64_t a_high = a >> 64, a_low = a, b_high = b >> 64, b_low = b;
  fixed first = (fixed)a_high * b_low, second = (fixed)a_low * b_high;
  fixed carry = ((fixed)a_low * b_low >> 64) + (uint64_t)first + (uint64_t)second;
  return ((fixed)a_high * b_high + (first >> 64) + (second >> 64) + (carry >> 64)) << 2;
}

/// ln(a/b) for a ≥ b, as 2·artanh((a − b)/(a + b)).
static fixed logarithm(uint64_t a, uint64_t b) {
  fixed z = ((fixed)(a - b) << 64) / (a + b);
  z = z << 62 | ((((fixed)(a - b) << 64) % (a + b)) << 62) / (a + b);
  fixed square = product(z, z), sum = 0, power = z;
  for (uint64_t k = 1; power; k += 2) {
    sum += power / k;
    power = product(power, square);
  }
  return 2 * sum;
}

/// eˣ for x below 1.
static fixed exponential(fixed x) {
  fixed sum = one, term = x;
  for (uint64_t k = 2; term; k++) {
    sum += term;
    term = product(term, x) / k;
  }
  return sum;
}

/// The nearest Double of a number of which a remainder was cut off.
static double nearest(fixed x, int has_rest) {
  double unit = 0x1p-126;
  for (; x >> 64; unit *= 2) {
    has_rest |= (int)(x & 1);
    x >>= 1;
  }
  return (double)((uint64_t)x | (has_rest ? 1 : 0)) * unit;
}

/// The logarithm of a/b in two parts, with a factor.
static bandolier_logarithm parts(double factor, uint64_t a, uint64_t b) {
  fixed value = a < b ? logarithm(b, a) : logarithm(a, b);
  fixed leading = (value + ((fixed)1 << 82)) >> 83 << 83;
  double sign = a < b ? -1 : 1;
  double rest = leading > value ? -nearest(leading - value, 0) : nearest(value - leading, 0);
  return (bandolier_logarithm){factor, sign * nearest(leading, 0), sign * rest};
}

/// 2^(index/128) from the roots 2^(1/2), 2^(1/4) ... 2^(1/128).
static bandolier_power power(int index, const fixed roots[7]) {
  fixed value = one;
  for (int bit = 0; bit < 7; bit++) {
    if (index >> bit & 1) value = product(value, roots[bit]);
  }
  double high = nearest(value, 0);
  uint64_t significand = (uint64_t)(high * 0x1p52);
  fixed head = (fixed)significand << 74;
  fixed rest = head > value ? head - value : value - head;
  fixed quotient = (rest << 54) / significand;
  double excess = nearest(quotient, (rest << 54) % significand != 0) * 0.25;
  return (bandolier_power){high, head > value ? -excess : excess};
}

__attribute__((constructor)) static void fill(void) {
  for (unsigned index = 0; index < 128; index++) {
    // The interval begins at `low`/512; from 1 on intervals are twice as wide.
    double low = 353.0 / 512 + index / 256.0;
    double high = low + 1.0 / 256;
    if (low >= 1) { low = 2 * low - 1; }
    if (high > 1) { high = 2 * high - 1; }
    uint64_t factor = low < 1 && 1 < high ? 1024 : (uint64_t)(2048 / (low + high) + 0.5);
    bandolier_logarithms[index] = parts(factor * 0x1p-10, 1024, factor);
    uint64_t middle = index < 80 ? 353 + 2 * index : 4 * index + 194;
    bandolier_quick_logarithms[index] = parts(512.0 / (double)middle, middle, 512);
  }
  fixed roots[7], exponent = logarithm(2, 1);
  for (int bit = 7; bit-- > 0;) {
    exponent /= 2;
    roots[bit] = exponential(exponent);
  }
  for (int index = 0; index < 128; index++) bandolier_powers[index] = power(index, roots);
}
