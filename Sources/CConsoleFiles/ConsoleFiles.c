#include "ConsoleFiles.h"

// Swift has nothing like it: SwiftPM's embedInCode writes an array literal that takes minutes to compile at this size.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style[] = {
#embed "files/console.css"
};
static const unsigned char console[] = {
#embed "files/console.js"
};
static const unsigned char charts[] = {
#embed "files/charts.js"
};
static const unsigned char compose[] = {
#embed "files/compose.js"
};
static const unsigned char live[] = {
#embed "files/live.js"
};
static const unsigned char icon[] = {
#embed "files/icon.svg"
};
static const unsigned char chart[] = {
#embed "files/chart.min.js"
};
static const unsigned char chart_licence[] = {
#embed "files/chart.LICENSE"
};

static const belfry_console_file files[] = {
    {"console.css", style, sizeof style},
    {"console.js", console, sizeof console},
    {"charts.js", charts, sizeof charts},
    {"compose.js", compose, sizeof compose},
    {"live.js", live, sizeof live},
    {"icon.svg", icon, sizeof icon},
    {"chart.min.js", chart, sizeof chart},
    {"chart.LICENSE", chart_licence, sizeof chart_licence},
};

belfry_console_file belfry_console_file_at(size_t index) {
    if (index < sizeof files / sizeof files[0]) return files[index];
    return (belfry_console_file){NULL, NULL, 0};
}
