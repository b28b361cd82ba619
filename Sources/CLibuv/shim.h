#ifndef BELFRY_CLIBUV_SHIM_H
#define BELFRY_CLIBUV_SHIM_H

#include <uv.h>

#endif
