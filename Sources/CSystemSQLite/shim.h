#include <sqlite3.h>

// Swift cannot call functions with a variable number of arguments.

/// Makes a connection refuse string literals in double quotes.
static inline void recordpack_sqlite3_refuse_double_quoted_strings(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}

/// Makes a connection refuse functions with side effects in what a database defines.
static inline void recordpack_sqlite3_distrust_schema(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (void *)0);
}
