#ifndef BELFRY_CPOSTGRESQL_SHIM_H
#define BELFRY_CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

#endif
