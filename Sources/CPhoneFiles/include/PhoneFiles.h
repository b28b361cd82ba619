#ifndef BELFRY_PHONE_FILES_H
#define BELFRY_PHONE_FILES_H

#include <stddef.h>

/// A file of the phone's page; all of it lives as long as the program.
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} belfry_phone_file;

/// The file with an index, or one without a name from the end on.
belfry_phone_file belfry_phone_file_at(size_t index);

#endif
