// What Embedded Swift wants of a C library and wasi-libc does not have without a system.
#include <stddef.h>
#include <stdint.h>

uintptr_t __stack_chk_guard = 0x5bd1e995;

_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }

// Hash tables of texts: their order must not differ from page to page.
void arc4random_buf(void *place, size_t count) {
  for (size_t i = 0; i < count; i++) ((unsigned char *)place)[i] = 7;
}

#ifndef __wasm__
// newlib has the one and not the other.
void *memalign(size_t, size_t);
int posix_memalign(void **place, size_t alignment, size_t size) {
  *place = memalign(alignment, size);
  return *place ? 0 : 12;
}
#endif
