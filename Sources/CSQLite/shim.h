#pragma once
#include <sqlite3.h>

// Binds a text, which SQLite copies. Swift imports no macro that holds a cast.
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int place, const unsigned char *text, sqlite3_uint64 size) {
  return sqlite3_bind_text64(
      statement, place, text ? (const char *)text : "", size, SQLITE_TRANSIENT, SQLITE_UTF8);
}
