internal import APNs

/// What names, keys and settings of apps may be.
enum AppRules {
    /// The longest id and key, in bytes.
    static let idByteCountMax = 128
    /// The shortest key; LeanCloud's have 24 characters.
    static let keyByteCountMin = 8
    /// The longest name, in characters.
    static let nameCountMax = 100
    /// The longest time records, audit entries and unused installations are kept, in days.
    static let daysMax = 3650

    static func check(id: String) throws(StoreError) {
        guard (1...idByteCountMax).contains(id.utf8.count), id.utf8.allSatisfy(isNameByte) else {
            throw StoreError(
                .invalid, "id: allowed are 1 to \(idByteCountMax) letters, digits, '-', '_' and '.'")
        }
    }

    static func check(name: String) throws(StoreError) {
        guard (1...nameCountMax).contains(name.count),
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else {
            throw StoreError(
                .invalid, "name: allowed are 1 to \(nameCountMax) characters without control characters")
        }
    }

    static func check(topic: String) throws(StoreError) {
        do {
            _ = try Topic(topic)
        } catch {
            throw StoreError(.invalid, "topic: \(error.message)")
        }
    }

    static func check(key: String, _ kind: AppKey.Kind) throws(StoreError) {
        // A comma separates the key from `master` in LeanCloud's headers.
        guard (keyByteCountMin...idByteCountMax).contains(key.utf8.count),
            key.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != 0x2c })
        else {
            throw StoreError(
                .invalid,
                "\(kind) key: allowed are \(keyByteCountMin) to \(idByteCountMax) visible characters of ASCII "
                    + "without comma")
        }
    }

    static func check(_ settings: AppSettings) throws(StoreError) {
        try check(settings.recordDays, in: 1...daysMax, "recordDays")
        try check(settings.auditDays, in: 1...daysMax, "auditDays")
        try check(settings.installationDays, in: 1...daysMax, "installationDays")
        try check(settings.requestsPerSecondMax, in: 0...1_000_000, "requestsPerSecondMax")
        if let hours = settings.quietHours {
            try check(hours.startMinute, in: 0...1439, "quietHours.startMinute")
            try check(hours.endMinute, in: 0...1439, "quietHours.endMinute")
        }
        if let cap = settings.frequencyCap {
            try check(cap.countMax, in: 1...10_000, "frequencyCap.countMax")
            try check(cap.seconds, in: 1...31 * 86_400, "frequencyCap.seconds")
        }
    }

    private static func check(
        _ value: Int, in range: ClosedRange<Int>, _ field: String
    ) throws(StoreError) {
        guard range.contains(value) else {
            throw StoreError(
                .invalid,
                "\(field): \(value) was found, \(range.lowerBound) to \(range.upperBound) are allowed")
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
        default: false
        }
    }
}
