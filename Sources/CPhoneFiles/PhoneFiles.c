#include "PhoneFiles.h"

// Swift has nothing like it: SwiftPM's embedInCode writes an array literal that takes minutes to compile at this size.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page[] = {
#embed "files/phone.html"
};
static const unsigned char style[] = {
#embed "files/phone.css"
};
static const unsigned char script[] = {
#embed "files/phone.js"
};
static const unsigned char words[] = {
#embed "files/words.js"
};

static const belfry_phone_file files[] = {
    {"phone.html", page, sizeof page},
    {"phone.css", style, sizeof style},
    {"phone.js", script, sizeof script},
    {"words.js", words, sizeof words},
};

belfry_phone_file belfry_phone_file_at(size_t index) {
    if (index < sizeof files / sizeof files[0]) return files[index];
    return (belfry_phone_file){NULL, NULL, 0};
}
