#pragma once
#include <sqlite3.h>

// Binds a text, which SQLite copies. Swift imports no macro that holds a cast.
static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int place, const unsigned char *text, sqlite3_uint64 size) {
  return sqlite3_bind_text64(
      statement, place, text ? (const char *)text : "", size, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Swift imports no function with a variable number of arguments.
static inline int csqlite_forbid_triggers(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}
