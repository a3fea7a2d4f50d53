// The C face of zlib. Swift cannot import macros that hide a function call, so the two
// initialisers are wrapped here; everything else is zlib as it is.
#ifndef BANDOLIER_CZLIB_SHIM_H
#define BANDOLIER_CZLIB_SHIM_H

#include <zlib.h>

static inline int bandolier_deflate_init(z_stream *stream, int level, int window_bits, int strategy) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, strategy);
}

static inline int bandolier_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

#endif
