internal import APNs
internal import Recurrence

extension ImportedInstallation {
    /// The row the fields describe.
    ///
    /// - Parameter now: taken for times that the export lacks.
    /// - Throws: code 104 without a usable objectId, 111 for wrong types and times, and what a change throws.
    func installation(now: Instant) throws(ChangeError) -> Installation {
        guard case .string(let objectID)? = fields[InstallationKey.objectID] ?? fields["_id"],
            (1...64).contains(objectID.utf8.count),
            objectID.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5a ~= $0 || 0x61...0x7a ~= $0 })
        else {
            throw ChangeError(code: 104, "objectId: it is missing or not of letters and digits")
        }
        let createdAt = try time(InstallationKey.createdAt) ?? now
        var row = Installation(
            number: 0, objectID: objectID, createdAt: createdAt,
            updatedAt: try time(InstallationKey.updatedAt) ?? createdAt)
        for (key, value) in fields where !Self.isLeftOut(key) {
            let name = Self.renamed[key] ?? key
            try ObjectKey.check(name)
            try row.setField(name, to: Self.storable(value))
        }
        row.tokenRegisteredAt = row.deviceToken == nil ? nil : row.updatedAt
        try InstallationMerge.check(row)
        return row
    }

    /// Internal fields of MongoDB exports, and access rights, which mean nothing here.
    private static func isLeftOut(_ key: String) -> Bool {
        switch key {
        case InstallationKey.objectID, InstallationKey.createdAt, InstallationKey.updatedAt, "ACL",
            "className":
            true
        default: key.utf8.first == 0x5f
        }
    }

    /// Parse's names where LeanCloud has others.
    private static let renamed: [String: String] = [:]

    private static func storable(_ value: JSONValue) -> JSONValue { value }

    private func time(_ key: String) throws(ChangeError) -> Instant? {
        let value = fields[key] ?? fields["_" + key.replacingSuffix()]
        switch value {
        case nil, .null?: return nil
        case .string(let text)?:
            if let instant = Instant(iso8601: text) { return instant }
        case .object(let members)?:
            if case .string(let text)? = members["iso"] ?? members["$date"],
                let instant = Instant(iso8601: text)
            {
                return instant
            }
        case .integer(let milliseconds)?: return Instant(millisecondsSince1970: milliseconds)
        default: break
        }
        throw ChangeError(code: 111, "\(key): it is no time")
    }
}

extension String {
    /// `createdAt` as Parse's databases have it: `created_at`.
    fileprivate func replacingSuffix() -> String {
        hasSuffix("At") ? dropLast(2) + "_at" : self
    }
}
