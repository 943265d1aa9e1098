#include <sqlite3.h>
#ifdef __linux__
#include <asm/unistd.h>
// <unistd.h> would bring names into the module that Glibc has, too.
extern long syscall(long number, ...);
#endif

// Swift cannot call functions with a variable number of arguments.

/// Returns whether a file is mounted at a path by itself. Only Linux has such mounts.
static inline int recordpack_is_mount_point(const char *path) {
#if defined(__linux__) && defined(__NR_statx)
  // The structure of statx(2) has 256 bytes: its second word has the attributes of the file, its
  // eighth one those that the kernel knows. STATX_ATTR_MOUNT_ROOT is known since Linux 5.8.
  unsigned long long status[32] = {0};
  const unsigned long long mount_root = 0x2000;
  const int current_folder = -100;
  return syscall(__NR_statx, current_folder, path, 0, 0, status) == 0
    && (status[1] & status[7] & mount_root) != 0;
#else
  return 0;
#endif
}

/// Makes a connection refuse string literals in double quotes.
static inline void recordpack_sqlite3_refuse_double_quoted_strings(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}

/// Makes a connection ignore triggers, and refuse views: another program may have defined them.
static inline void recordpack_sqlite3_disable_triggers_and_views(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (void *)0);
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (void *)0);
#endif
}

/// Makes a connection leave the write-ahead log as it is when it is closed.
static inline void recordpack_sqlite3_leave_log(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (void *)0);
}

/// Makes a connection refuse functions with side effects in what a database defines.
static inline void recordpack_sqlite3_distrust_schema(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (void *)0);
}
