#ifndef BANDOLIER_SQUARE_ROOT_H
#define BANDOLIER_SQUARE_ROOT_H

typedef double bandolier_pair __attribute__((ext_vector_type(2)));

/// The correctly rounded square roots of two numbers, in one instruction. Swift's own sets errno for each number, which
/// takes a call or a branch, so that nothing around it vectorizes.
static inline __attribute__((always_inline)) bandolier_pair bandolier_square_roots(bandolier_pair x) {
  return __builtin_elementwise_sqrt(x);
}

/// The correctly rounded square root of a number, without setting errno.
static inline __attribute__((always_inline)) double bandolier_square_root(double x) {
  return __builtin_elementwise_sqrt(x);
}

#endif
