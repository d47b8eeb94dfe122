#pragma once
#include <zlib.h>

// Swift imports no macro that holds a call.

// Prepares a decoder of gzip: 16 beyond the largest window of deflate means gzip and nothing else.
static inline int czlib_inflate_gzip(z_stream *stream) {
  return inflateInit2(stream, 16 + MAX_WBITS);
}

// Prepares an encoder of gzip, as small as it gets.
static inline int czlib_deflate_gzip(z_stream *stream) {
  return deflateInit2(
      stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
