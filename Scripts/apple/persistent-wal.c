// The defaults of Apple's SQLite, for a program on Linux that is started with
// LD_PRELOAD=persistent-wal.so: the log stays beside a closed file, up to 32 KiB of it.
// Scripts/check-persistent-wal compiles this and runs tests with it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sqlite3.h>

// Python loads SQLite for one module only, where RTLD_NEXT does not look.
static void *find(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  return found ? found : dlsym(dlopen("libsqlite3.so.0", RTLD_LAZY), name);
}

int sqlite3_open_v2(const char *name, sqlite3 **database, int flags, const char *system) {
  int (*open)(const char *, sqlite3 **, int, const char *) = find("sqlite3_open_v2");
  int (*control)(sqlite3 *, const char *, int, void *) = find("sqlite3_file_control");
  int (*execute)(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **) =
      find("sqlite3_exec");
  int result = open(name, database, flags, system);
  if (result == SQLITE_OK) {
    int one = 1;
    control(*database, "main", SQLITE_FCNTL_PERSIST_WAL, &one);
    execute(*database, "PRAGMA main.journal_size_limit = 32768", 0, 0, 0);
  }
  return result;
}
