#ifndef BELFRY_CBSON_SHIM_H
#define BELFRY_CBSON_SHIM_H

#include <stdlib.h>

#include <bson/bson.h>

// bson_iter_t is aligned to 128 bytes, which Swift does not import: it lives on the heap, freed with free().
static inline bson_iter_t *belfry_bson_iter_new(void) {
    return (bson_iter_t *)aligned_alloc(128, (sizeof(bson_iter_t) + 127) / 128 * 128);
}

static inline void belfry_bson_iter_free(bson_iter_t *iterator) {
    free(iterator);
}

#endif
