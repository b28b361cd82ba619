#!/bin/sh
# Fuzzes one parser with libFuzzer and the address sanitizer.
#
#   Fuzz/run.sh TARGET SECONDS      TARGET: payload, provider-token, apns-file, json, http2-frames,
#                                   where, cql, bson, import-json, message
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
    http2-frames) source=FuzzHTTP2Frames ;;
    where) source=FuzzWhere ;;
    cql) source=FuzzCQL ;;
    json) source=FuzzJSON ;;
    bson) source=FuzzBSON ;;
    import-json) source=FuzzImportJSON ;;
    message) source=FuzzMessage ;;
    *) echo "unknown target $target; the head of this script lists them" >&2; exit 2 ;;
esac

cd "$(dirname "$0")/.."
output=.build/fuzz/$target
mkdir -p "$output/found"

compile() {
    swiftc -O -sanitize=fuzzer,address -parse-as-library -package-name belfry -swift-version 6 -suppress-warnings \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
        -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature NonisolatedNonsendingByDefault \
        -enable-upcoming-feature InferIsolatedConformances "$@"
}

if [ "$target" = http2-frames ]; then
    # What lies between the socket and the gateway's answer. Each module by itself, for they import C libraries.
    headers=$(pkg-config --cflags-only-I openssl libuv libnghttp2)
    libraries=$(pkg-config --libs-only-L openssl libuv libnghttp2)
    for module in COpenSSL CLibuv CNGHTTP2; do headers="$headers -I Sources/$module"; done
    objects=
    for module in APNs Crypto Transport APNsGateway; do
        objects="$objects $output/$module.o"
        case $module in
            Transport) find Sources/Transport -name HTTP1 -prune -o -name '*.swift' -print ;;
            APNsGateway) find Sources/APNsGateway/Protocol Sources/APNsGateway/Credentials \
                Sources/APNsGateway/Journal Sources/APNsGateway/Faults \
                Sources/APNsGateway/Devices/Token[DV]*.swift Sources/APNsGateway/GatewayError.swift -name '*.swift' ;;
            *) find Sources/$module -name '*.swift' ;;
        esac > "$output/sources"
        # shellcheck disable=SC2086
        compile -whole-module-optimization -enable-testing -module-name $module -I "$output" $headers \
            -emit-module -emit-module-path "$output/$module.swiftmodule" -c -o "$output/$module.o" "@$output/sources"
    done
    # shellcheck disable=SC2086
    compile -module-name FuzzHTTP2Frames -I "$output" $headers $libraries -o "$output/fuzz" "Fuzz/$source.swift" $objects
elif [ "$target" = where ] || [ "$target" = cql ]; then
    # The queries and what they need of the store, each module by itself.
    headers=$(pkg-config --cflags-only-I sqlite3 libpcre2-8)
    libraries=$(pkg-config --libs-only-L sqlite3 libpcre2-8)
    for module in CSQLite CPCRE2; do headers="$headers -I Sources/$module"; done
    objects=
    for module in APNs Recurrence SQLite PushStore; do
        objects="$objects $output/$module.o"
        case $module in
            PushStore) find Sources/PushStore/Query Sources/PushStore/StoreError.swift \
                Sources/PushStore/Installations/ChangeError.swift \
                Sources/PushStore/Installations/InstallationFind.swift -name '*.swift' ;;
            *) find Sources/$module -name '*.swift' ;;
        esac > "$output/sources"
        # shellcheck disable=SC2086
        compile -whole-module-optimization -module-name $module -I "$output" $headers \
            -emit-module -emit-module-path "$output/$module.swiftmodule" -c -o "$output/$module.o" "@$output/sources"
    done
    # shellcheck disable=SC2086
    compile -module-name $source -I "$output" $headers $libraries -o "$output/fuzz" "Fuzz/$source.swift" \
        Tests/PushStoreTests/Query/QueryInvariants.swift Tests/PushStoreTests/Query/WhereTable.swift $objects
elif [ "$target" = bson ] || [ "$target" = import-json ] || [ "$target" = message ]; then
    # Readers of the service and what they need of the modules below it, each module by itself.
    headers="$(pkg-config --cflags-only-I libbson-1.0) -I Sources/CBSON"
    libraries=$(pkg-config --libs-only-L libbson-1.0)
    case $target in
        message) invariants=Tests/PushServiceTests/Message/MessageInvariants.swift ;;
        *) invariants=Tests/PushServiceTests/Import/ImportInvariants.swift ;;
    esac
    objects=
    for module in APNs Recurrence PushStore PushService; do
        objects="$objects $output/$module.o"
        case $module in
            PushStore) printf '%s\n' Sources/PushStore/StoreError.swift \
                Sources/PushStore/Installations/ChangeError.swift \
                Sources/PushStore/Pushes/SendableInstallation.swift ;;
            PushService) find Sources/PushService/Message Sources/PushService/Import/BSONReader.swift \
                Sources/PushService/Import/JSONElementScanner.swift Sources/PushService/Import/ImportError.swift \
                -name '*.swift' ;;
            *) find Sources/$module -name '*.swift' ;;
        esac > "$output/sources"
        # shellcheck disable=SC2086
        compile -whole-module-optimization -enable-testing -module-name $module -I "$output" $headers \
            -emit-module -emit-module-path "$output/$module.swiftmodule" -c -o "$output/$module.o" "@$output/sources"
    done
    # shellcheck disable=SC2086
    compile -module-name $source -I "$output" $headers $libraries -o "$output/fuzz" "Fuzz/$source.swift" \
        "$invariants" $objects
else
    # One module of everything, so that the targets reach what is not public.
    find Sources/APNs -name '*.swift' > "$output/sources"
    printf '%s\n' Tests/APNsTests/Invariants.swift Tests/APNsTests/JSONInvariants.swift "Fuzz/$source.swift" \
        >> "$output/sources"
    compile -module-name APNs -o "$output/fuzz" "@$output/sources"
fi

# The crash tracer of the Swift runtime would hold the pipe after a finding.
export SWIFT_BACKTRACE=enable=no
# Values of Foundation that are made once and kept are no leaks.
export ASAN_OPTIONS=detect_leaks=0
exec "$output/fuzz" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$output/" "$output/found" "Fuzz/corpus/$target"
