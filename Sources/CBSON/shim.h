#ifndef BELFRY_CBSON_SHIM_H
#define BELFRY_CBSON_SHIM_H

#include <bson/bson.h>

#endif
