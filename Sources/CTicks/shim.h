#pragma once

#include <stdint.h>

// The processor's counter of ticks at a constant rate; 0 where there is none that a program may
// read. Unlike a clock it does not wait for the instructions before it.
static inline uint64_t cticks_now(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}
