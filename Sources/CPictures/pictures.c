#include "pictures.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char script[] = {
#embed "draw.py"
};

struct picture_script picture_script(void) { return (struct picture_script){script, sizeof script}; }
