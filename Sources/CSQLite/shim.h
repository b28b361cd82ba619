#ifndef BELFRY_CSQLITE_SHIM_H
#define BELFRY_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
