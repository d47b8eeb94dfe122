// The script that draws pictures. It is not a resource of Swift: that becomes an array that takes 17 s
// to compile.
#ifndef PICTURES_H
#define PICTURES_H

#include <stddef.h>

struct picture_script {
  const unsigned char *start;
  size_t size;
};

struct picture_script picture_script(void);

#endif
