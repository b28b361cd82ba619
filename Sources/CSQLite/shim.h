#ifndef BELFRY_CSQLITE_SHIM_H
#define BELFRY_CSQLITE_SHIM_H

#include <sqlite3.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import: SQLite copies the bytes.
static inline int belfry_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// As above, for blobs.
static inline int belfry_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// As above, for the results of functions; an empty text or blob has no address in Swift.
static inline void belfry_sqlite3_result_text(sqlite3_context *context, const char *bytes, sqlite3_uint64 count) {
    sqlite3_result_text64(context, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void belfry_sqlite3_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_blob64(context, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic. Switches on or off one of its flags.
static inline int belfry_sqlite3_db_config_flag(sqlite3 *database, int option, int isOn) {
    return sqlite3_db_config(database, option, isOn, (int *)0);
}

// prctl is variadic; pthread_setname_np hides behind _GNU_SOURCE. A thread that says nothing has its maker's name.
static inline void belfry_sqlite_name_thread(const char *name) {
#ifdef __linux__
    prctl(PR_SET_NAME, name, 0, 0, 0);
#else
    (void)name;
#endif
}

#endif
