// Nothing to be called: the library replaces the allocation functions of the C library.
