#ifndef BELFRY_CPOSTGRESQL_SHIM_H
#define BELFRY_CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// prctl is variadic; pthread_setname_np hides behind _GNU_SOURCE. A thread that says nothing has its maker's name.
static inline void belfry_postgresql_name_thread(const char *name) {
#ifdef __linux__
    prctl(PR_SET_NAME, name, 0, 0, 0);
#else
    (void)name;
#endif
}

#endif
