#ifndef XPB_CSQLITE_SHIM_H
#define XPB_CSQLITE_SHIM_H

#include <sqlite3.h>

// Makes sqlite3_close leave the write-ahead log as it is. The function is in C because sqlite3_db_config is variadic,
// and Swift cannot call variadic functions.
static inline int xpb_sqlite_keep_log(sqlite3 *database)
{
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
