// The parts of a report's page. They are here and not resources of Swift, which become arrays that take a
// minute to compile.
#ifndef PAGE_MODULE_H
#define PAGE_MODULE_H

#include <stddef.h>

struct page_part {
  const unsigned char *start;
  size_t size;
};

// The WebAssembly module that runs detectors, compressed by gzip.
struct page_part page_module(void);
// The SHA-256 of what it is made from, and a line end.
struct page_part page_sources(void);
struct page_part page_html(void);
struct page_part page_css(void);
struct page_part page_js(void);

#endif
