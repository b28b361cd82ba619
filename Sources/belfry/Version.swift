/// What this binary is.
enum Version {
    /// The release; the first heading of CHANGELOG.md that has a number, or the one to come.
    static let number = "0.1.0"

    /// The oldest Swift release that the compiler was at least.
    static var compiler: String {
        #if compiler(>=6.4)
        "6.4 or newer"
        #elseif compiler(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
    }

    static var platform: String {
        #if os(Linux)
        let system = "Linux"
        #elseif os(macOS)
        let system = "macOS"
        #else
        let system = "other"
        #endif
        #if arch(x86_64)
        return system + " x86_64"
        #elseif arch(arm64)
        return system + " arm64"
        #else
        return system
        #endif
    }
}
