internal import APNs
public import Recurrence

extension ImportedInstallation {
    /// The row the fields describe.
    ///
    /// - Parameter now: taken for times that the export lacks.
    /// - Throws: code 104 without a usable objectId, 111 for wrong types and times, and what a change throws.
    func installation(now: Instant) throws(ChangeError) -> Installation {
        guard
            case .string(let objectID)? = (fields[InstallationKey.objectID] ?? fields["_id"]).map(Self.plain),
            (1...64).contains(objectID.utf8.count),
            objectID.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5a ~= $0 || 0x61...0x7a ~= $0 })
        else {
            throw ChangeError(code: 104, "objectId: it is missing or not of letters and digits")
        }
        let createdAt = try time(InstallationKey.createdAt, "_created_at") ?? now
        var row = Installation(
            number: 0, objectID: objectID, createdAt: createdAt,
            updatedAt: try time(InstallationKey.updatedAt, "_updated_at") ?? createdAt)
        for (key, value) in fields where !Self.isLeftOut(key) {
            let (name, value) = Self.storable(key, value)
            try ObjectKey.check(name)
            try row.setField(name, to: value)
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
        default: key.utf8.first == 0x5f && !key.hasPrefix("_p_")
        }
    }

    /// How a field is stored: what MongoDB's tools and Parse's databases write differently, as the REST API has it.
    ///
    /// MongoDB: Extended JSON, version 2. Parse Server keeps pointers as `_p_key: "Class$id"`.
    private static func storable(_ key: String, _ value: JSONValue) -> (String, JSONValue) {
        if key.hasPrefix("_p_"), case .string(let text) = value, let dollar = text.firstIndex(of: "$") {
            return (
                String(key.dropFirst(3)),
                [
                    "__type": "Pointer", "className": .string(String(text[..<dollar])),
                    "objectId": .string(String(text[text.index(after: dollar)...])),
                ]
            )
        }
        return (key, plain(value))
    }

    private static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(plain))
        case .object(let members):
            if members.count <= 3, let extended = extended(members) { return extended }
            return .object(members.mapValues(plain))
        default: return value
        }
    }

    private static func extended(_ members: [String: JSONValue]) -> JSONValue? {
        if let id = members["$oid"] { return id }
        if case .string(let className)? = members["$ref"], let id = members["$id"] {
            return ["__type": "Pointer", "className": .string(className), "objectId": plain(id)]
        }
        for key in ["$numberLong", "$numberInt", "$numberDouble", "$numberDecimal"] {
            guard case .string(let text)? = members[key] else { continue }
            if let integer = Int64(text) { return .integer(integer) }
            if let number = Double(text), number.isFinite { return .number(number) }
        }
        if let date = members["$date"], let instant = instant(date) {
            return ["__type": "Date", "iso": .string(instant.iso8601)]
        }
        return nil
    }

    private static func instant(_ value: JSONValue) -> Instant? {
        switch plain(value) {
        case .string(let text): Instant(iso8601: text)
        case .integer(let milliseconds):
            Instant.iso8601Range.contains(Instant(millisecondsSince1970: milliseconds))
                ? Instant(millisecondsSince1970: milliseconds) : nil
        case .object(let members):
            if case .string(let text)? = members["iso"] { Instant(iso8601: text) } else { nil }
        default: nil
        }
    }

    /// Why the row cannot be stored; nil when it can.
    ///
    /// - Parameter now: taken for times that the export lacks.
    public func fault(now: Instant) -> ChangeError? {
        do throws(ChangeError) {
            _ = try installation(now: now)
            return nil
        } catch {
            return error
        }
    }

    private func time(_ key: String, _ databaseKey: String) throws(ChangeError) -> Instant? {
        guard let value = fields[key] ?? fields[databaseKey], value != .null else { return nil }
        guard let instant = Self.instant(value) else { throw ChangeError(code: 111, "\(key): it is no time") }
        return instant
    }
}
