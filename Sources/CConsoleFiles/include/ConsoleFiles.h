#ifndef BELFRY_CONSOLE_FILES_H
#define BELFRY_CONSOLE_FILES_H

#include <stddef.h>

/// A file that the console serves; all of it lives as long as the program.
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} belfry_console_file;

/// The file with an index, or one without a name from the end on.
belfry_console_file belfry_console_file_at(size_t index);

#endif
