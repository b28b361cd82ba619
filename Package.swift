// swift-tools-version: 6.2

import PackageDescription

// The modules of the README's table, top to bottom: a module imports only modules above it.
// Everything that needs one of Debian's C libraries is declared on Linux and macOS only, so that an
// iOS app can depend on this package for its pure modules.

let systemLibraries: [Target] = [
    .systemLibrary(
        name: "COpenSSL", pkgConfig: "openssl",
        providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
        name: "CLibuv", pkgConfig: "libuv",
        providers: [.apt(["libuv1-dev"]), .brew(["libuv"])]),
    .systemLibrary(
        name: "CNGHTTP2", pkgConfig: "libnghttp2",
        providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
    .systemLibrary(
        name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
        providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
        name: "CZlib", pkgConfig: "zlib",
        providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
        name: "CSQLite", pkgConfig: "sqlite3",
        providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
        name: "CPCRE2", pkgConfig: "libpcre2-8",
        providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
    .systemLibrary(
        name: "CPostgreSQL", pkgConfig: "libpq",
        providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
        name: "CBSON", pkgConfig: "libbson-1.0",
        providers: [.apt(["libbson-dev"]), .brew(["mongo-c-driver"])]),
    .systemLibrary(
        name: "CCurl", pkgConfig: "libcurl",
        providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
]

let modules: [Target] = [
    .target(name: "APNs"),
    .target(name: "Recurrence"),
    .target(name: "Crypto", dependencies: ["COpenSSL"]),
    .target(
        name: "Transport",
        dependencies: ["Crypto", "CLibuv", "CNGHTTP2", "CMicroHTTPD", "CZlib", "CCurl"]),
    .target(name: "SQLite", dependencies: ["CSQLite"]),
    .target(name: "PostgreSQL", dependencies: ["CPostgreSQL"]),
    .target(name: "APNsClient", dependencies: ["APNs", "Crypto", "Transport"]),
    .target(name: "APNsGateway", dependencies: ["APNs", "Crypto", "Transport", "SQLite"]),
    .target(
        name: "PushStore",
        dependencies: ["APNs", "Recurrence", "Crypto", "SQLite", "PostgreSQL", "CPCRE2"]),
    .target(
        name: "PushService",
        dependencies: [
            "APNs", "Recurrence", "Crypto", "Transport", "APNsClient", "PushStore", "CBSON",
        ]),
    // The console's style sheet, scripts and charting library, as bytes of the program.
    .target(name: "CConsoleFiles", exclude: ["files"]),
    .target(
        name: "PushConsole",
        dependencies: [
            "APNs", "Recurrence", "Crypto", "Transport", "APNsClient", "PushStore", "PushService",
            "CConsoleFiles",
        ]),
    .target(
        name: "BelfryKit",
        dependencies: [
            "Recurrence", .target(name: "UserNotifications", condition: .when(platforms: [.linux])),
        ]),
    .executableTarget(
        name: "belfry",
        dependencies: [
            "APNs", "Recurrence", "Crypto", "Transport", "SQLite", "PostgreSQL", "APNsClient",
            "APNsGateway", "PushStore", "PushService", "PushConsole", "BelfryKit",
            .target(name: "VirtualPhone", condition: .when(platforms: [.linux])),
            .target(name: "UserNotifications", condition: .when(platforms: [.linux])),
        ]),
]

// Small apps that use BelfryKit; their tests run them on a VirtualPhone.
let examples: [Target] = ["WashHands", "Todo", "Stamina", "News", "Chat"].map { name in
    .target(
        name: name,
        dependencies: [
            "BelfryKit", "Recurrence",
            .target(name: "UserNotifications", condition: .when(platforms: [.linux])),
        ], path: "Examples/\(name)")
}

let tests: [Target] = [
    .target(
        name: "ReminderGenerator", dependencies: ["BelfryKit", "Recurrence"], path: "Tests/ReminderGenerator"),
    .testTarget(name: "APNsTests", dependencies: ["APNs"]),
    .testTarget(name: "RecurrenceTests", dependencies: ["Recurrence"]),
    .testTarget(name: "CryptoTests", dependencies: ["Crypto"]),
    .testTarget(name: "TransportTests", dependencies: ["Transport", "Crypto"]),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite"]),
    .testTarget(name: "PostgreSQLTests", dependencies: ["PostgreSQL"]),
    .testTarget(
        name: "APNsClientTests",
        dependencies: ["APNsClient", "APNsGateway", "APNs", "Crypto", "Transport"]),
    .testTarget(
        name: "APNsGatewayTests",
        dependencies: ["APNsGateway", "APNs", "Crypto", "Transport", "SQLite"]),
    .testTarget(
        name: "PushStoreTests",
        dependencies: ["PushStore", "APNs", "Recurrence", "Crypto", "SQLite", "PostgreSQL"]),
    .testTarget(
        name: "PushServiceTests",
        dependencies: [
            "PushService", "PushStore", "APNs", "Recurrence", "Crypto", "Transport", "SQLite",
            "APNsClient", "APNsGateway",
        ]),
    .testTarget(
        name: "SimulationTests",
        dependencies: [
            "PushService", "PushStore", "APNs", "Recurrence", "Crypto", "SQLite", "APNsClient", "Transport",
        ]),
    .testTarget(
        name: "PushConsoleTests",
        dependencies: [
            "PushConsole", "PushService", "PushStore", "APNs", "Recurrence", "Crypto", "Transport",
            "SQLite", "APNsClient", "APNsGateway",
        ]),
    .testTarget(
        name: "BelfryKitTests",
        dependencies: [
            "BelfryKit", "Recurrence", "APNs", "ReminderGenerator",
            .target(name: "UserNotifications", condition: .when(platforms: [.linux])),
        ]),
    .testTarget(
        name: "CommandTests",
        dependencies: [
            "belfry", "APNs", "APNsClient", "APNsGateway", "Crypto", "Transport", "Recurrence",
            "PushStore", "PushService",
        ]),
]

#if os(Linux)
// Apple has its own framework of this name; ours stands in for it where there is none.
let linuxModules: [Target] = [
    .systemLibrary(
        name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "UserNotifications", dependencies: ["APNs", "Recurrence", "CSystemd"]),
    .target(name: "UserNotificationsUI", dependencies: ["UserNotifications"]),
    .target(name: "CPhoneFiles", exclude: ["files"]),
    .target(
        name: "VirtualPhone",
        dependencies: ["APNs", "Recurrence", "Transport", "UserNotifications", "BelfryKit", "CPhoneFiles"]),
    .testTarget(
        name: "UserNotificationsTests",
        dependencies: [
            "UserNotifications", "UserNotificationsUI", "APNs", "Recurrence", "AppSourceSwift5",
            "AppSourceSwift6", "AppSourceMainActor",
        ]),
    .testTarget(
        name: "VirtualPhoneTests",
        dependencies: [
            "VirtualPhone", "BelfryKit", "UserNotifications", "APNs", "Recurrence", "Transport", "Crypto",
            "APNsClient", "APNsGateway",
        ]),
    .executableTarget(
        name: "reminders-benchmark", dependencies: ["BelfryKit", "Recurrence", "VirtualPhone"],
        path: "Benchmarks/Reminders"),
    .testTarget(
        name: "ExamplesTests",
        dependencies: [
            "WashHands", "Todo", "Stamina", "News", "Chat", "BelfryKit", "VirtualPhone", "UserNotifications",
            "Recurrence", "APNs",
        ], exclude: ["message.apns"]),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "BelfryKit", "VirtualPhone", "UserNotifications", "APNs", "Recurrence", "Crypto", "Transport",
            "SQLite",
            "APNsClient", "APNsGateway", "PushStore", "PushService", "News", "ReminderGenerator",
        ]),
]
// Source as apps have it for Apple's framework, with the settings of their projects.
let appSource: [Target] = [
    .target(
        name: "AppSourceSwift5", dependencies: ["UserNotifications"], path: "Tests/AppSource/Swift5",
        swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
        name: "AppSourceSwift6", dependencies: ["UserNotifications"], path: "Tests/AppSource/Swift6",
        swiftSettings: [.treatAllWarnings(as: .error)]),
    .target(
        name: "AppSourceMainActor", dependencies: ["UserNotifications", "UserNotificationsUI"],
        path: "Tests/AppSource/MainActor",
        swiftSettings: [.defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]),
]
let linuxProducts: [Product] = [
    .library(name: "UserNotifications", targets: ["UserNotifications", "UserNotificationsUI"]),
    .library(name: "VirtualPhone", targets: ["VirtualPhone"]),
]
#else
let linuxModules: [Target] = []
let appSource: [Target] = []
let linuxProducts: [Product] = []
#endif

let package = Package(
    name: "belfry",
    platforms: [.macOS(.v15), .iOS(.v15)],
    products: [
        .library(name: "APNs", targets: ["APNs"]),
        .library(name: "Recurrence", targets: ["Recurrence"]),
        .library(name: "BelfryKit", targets: ["BelfryKit"]),
        .library(name: "APNsClient", targets: ["APNsClient"]),
        .library(name: "APNsGateway", targets: ["APNsGateway"]),
        .executable(name: "belfry", targets: ["belfry"]),
    ] + linuxProducts,
    targets: systemLibraries + modules + examples + tests + linuxModules + appSource,
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.swiftSettings == nil {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .treatAllWarnings(as: .error),
        .treatWarning("DeprecatedDeclaration", as: .warning),
    ]
    // In UserNotifications it would make app delegates on the main actor nonisolated, unlike with Apple's framework.
    if target.name != "UserNotifications" {
        target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
    }
}
