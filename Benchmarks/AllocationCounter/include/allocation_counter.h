// No functions to call: the library replaces the allocation functions of the C library.
