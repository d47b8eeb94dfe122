#include "page_module.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Built by `make wasm` and committed, so that a report needs no tools for WebAssembly.
static const unsigned char module[] = {
#embed "page.wasm.gz"
};
static const unsigned char sources[] = {
#embed "sources.sha256"
};
static const unsigned char html[] = {
#embed "page.html"
};
static const unsigned char css[] = {
#embed "page.css"
};
static const unsigned char js[] = {
#embed "page.js"
};

struct page_part page_module(void) { return (struct page_part){module, sizeof module}; }
struct page_part page_sources(void) { return (struct page_part){sources, sizeof sources}; }
struct page_part page_html(void) { return (struct page_part){html, sizeof html}; }
struct page_part page_css(void) { return (struct page_part){css, sizeof css}; }
struct page_part page_js(void) { return (struct page_part){js, sizeof js}; }
