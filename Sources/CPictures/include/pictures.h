// The Python modules that draw pictures. They are not resources of Swift: a resource becomes an array
// that takes a second for each 3 kB to compile.
#ifndef PICTURES_H
#define PICTURES_H

#include <stddef.h>

struct picture_module {
  const char *name;
  const unsigned char *start;
  size_t size;
};

extern const struct picture_module picture_common;
extern const struct picture_module picture_history;
extern const struct picture_module picture_recall;
extern const struct picture_module picture_replay;
extern const struct picture_module picture_tuning;

#endif
