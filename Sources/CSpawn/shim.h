#pragma once

// What the C library has for starting programs and declares only under _GNU_SOURCE, without which
// Swift sees it. No header is included: its types would come a second time, as this module's.
// glibc has the first from 2.29 on and the second from 2.9 on, musl from 1.1.24 and 0.9.3 on.

// In posix_spawn: the child starts in that folder. `actions` is a posix_spawn_file_actions_t.
int posix_spawn_file_actions_addchdir_np(void *actions, const char *folder);

#ifdef __linux__
// A pipe whose flags, such as O_CLOEXEC, are there from the first moment on.
int pipe2(int ends[2], int flags);
#endif
