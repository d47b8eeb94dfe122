#pragma once
#include <zlib.h>

// Swift imports no macro that holds a call.

// Prepares a decoder of gzip: 16 beyond the largest window of deflate means gzip and nothing else.
static inline int czlib_inflate_gzip(z_stream *stream) {
  return inflateInit2(stream, 16 + MAX_WBITS);
}
