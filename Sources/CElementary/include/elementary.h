#ifndef BANDOLIER_ELEMENTARY_H
#define BANDOLIER_ELEMENTARY_H

/// A constant of one of 128 intervals of the significand, and the logarithm that belongs to it in two parts.
typedef struct {
  double factor;
  /// The multiple of 2⁻⁴³ nearest to the logarithm.
  double leading;
  double trailing;
} bandolier_logarithm;

/// A power of two as a Double, and the relative difference of the exact power from it.
typedef struct {
  double power;
  double excess;
} bandolier_power;

// Computed when the program is loaded, so that reading them takes no check.
extern __attribute__((visibility("hidden"))) bandolier_logarithm bandolier_logarithms[128];
extern __attribute__((visibility("hidden"))) bandolier_logarithm bandolier_quick_logarithms[128];
extern __attribute__((visibility("hidden"))) bandolier_power bandolier_powers[128];

/// A number `factor` near the reciprocals of the members of interval `index` of 128 from 0x1.61p-1 on, with at most 11
/// significant bits, and −ln `factor`. The interval that contains 1 has the factor 1.
static inline __attribute__((always_inline)) bandolier_logarithm bandolier_logarithm_at(unsigned long index) {
  return bandolier_logarithms[index & 127];
}

/// The reciprocal of the middle of interval `index` of 128 from 0x1.6p-1 on, and the logarithm of the middle.
static inline __attribute__((always_inline)) bandolier_logarithm bandolier_quick_logarithm_at(unsigned long index) {
  return bandolier_quick_logarithms[index & 127];
}

/// 2^(`index`/128).
static inline __attribute__((always_inline)) bandolier_power bandolier_power_at(unsigned long index) {
  return bandolier_powers[index & 127];
}

#endif
