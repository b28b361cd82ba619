#!/bin/sh
# Fuzzes one parser of the module APNs with libFuzzer and the address sanitizer.
#
#   Fuzz/run.sh TARGET SECONDS      TARGET: payload, provider-token, apns-file
#
# Inputs that break something are left in .build/fuzz/TARGET; copy them to Fuzz/corpus/TARGET once mended,
# where the tests replay them.
set -eu

target=${1:?usage: Fuzz/run.sh TARGET SECONDS}
seconds=${2:?usage: Fuzz/run.sh TARGET SECONDS}
case $target in
    payload) source=FuzzPayload ;;
    provider-token) source=FuzzProviderToken ;;
    apns-file) source=FuzzAPNSFile ;;
    *) echo "unknown target $target: payload, provider-token or apns-file" >&2; exit 2 ;;
esac

cd "$(dirname "$0")/.."
output=.build/fuzz/$target
mkdir -p "$output/found"

# One module of everything, so that the targets reach what is not public.
find Sources/APNs -name '*.swift' > "$output/sources"
printf '%s\n' Tests/APNsTests/Invariants.swift "Fuzz/$source.swift" >> "$output/sources"
swiftc -O -sanitize=fuzzer,address -parse-as-library -module-name APNs -package-name belfry -swift-version 6 \
    -suppress-warnings -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature NonisolatedNonsendingByDefault \
    -enable-upcoming-feature InferIsolatedConformances -o "$output/fuzz" "@$output/sources"

# The crash tracer of the Swift runtime would hold the pipe after a finding.
export SWIFT_BACKTRACE=enable=no
# Values of Foundation that are made once and kept are no leaks.
export ASAN_OPTIONS=detect_leaks=0
exec "$output/fuzz" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$output/" "$output/found" "Fuzz/corpus/$target"
