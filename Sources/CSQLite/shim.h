// The C face of SQLite. Swift cannot call a function with a variable number of arguments, so one setting is wrapped
// here; everything else is SQLite as it is.
#ifndef BANDOLIER_CSQLITE_SHIM_H
#define BANDOLIER_CSQLITE_SHIM_H

#include <sqlite3.h>

/// Treats a name in double quotes that nothing has as an error, and not as a text.
static inline void bandolier_refuse_quoted_texts(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}

#endif
