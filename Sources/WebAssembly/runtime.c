// What Embedded Swift wants of a C library and wasi-libc does not have without a system.
#include <stddef.h>
#include <stdint.h>

uintptr_t __stack_chk_guard = 0x5bd1e995;

_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }

// Hash tables of texts: their order must not differ from page to page.
void arc4random_buf(void *place, size_t count) {
  for (size_t i = 0; i < count; i++) ((unsigned char *)place)[i] = 7;
}
