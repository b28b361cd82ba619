internal import APNs
internal import Recurrence

/// Which row a change means, which others it replaces, and what the row is afterwards.
///
/// LeanCloud: REST API guide, where it is silent Parse Server's handling of installations. No two rows of an app
/// ever have one token: it moves to the row that names it last.
struct InstallationMerge: Sendable {
    /// The largest object, in bytes of its JSON (LeanCloud: code 116).
    static let objectByteCountMax = 128 * 1024

    /// Rows that may be meant.
    struct Candidates: Sendable {
        var byObjectID: Installation?
        /// All rows with the installation id, latest update first.
        var byInstallationID: [Installation] = []
        var byToken: Installation?
    }

    /// What to do with the rows.
    struct Resolution: Sendable {
        /// The row to change; nil for a new one.
        var target: Installation?
        /// Rows that the change makes obsolete.
        var obsolete: [Installation] = []
    }

    let change: InstallationChange
    /// The ids of the body, as they are stored.
    let objectID: String?
    let installationID: String?
    let deviceToken: String?
    let apnsTopic: String?

    /// Reads the ids of a change and checks its keys.
    init(_ change: InstallationChange) throws(ChangeError) {
        self.change = change
        for key in change.body.keys where !InstallationKey.ignored.contains(key) {
            try ObjectKey.check(key)
            guard !InstallationKey.readOnly.contains(key) else {
                throw ChangeError(code: 117, "\(key): the service sets it")
            }
        }
        let ownID = try Self.id(change, InstallationKey.objectID)
        switch change.target {
        case .existing(let id):
            guard ownID == nil || ownID == id else {
                throw ChangeError(code: 117, "objectId: it cannot be changed")
            }
            objectID = id
        case .matching: objectID = ownID
        }
        installationID = try Self.id(change, InstallationKey.installationID)
        deviceToken = try Self.id(change, InstallationKey.deviceToken)
        apnsTopic = try Self.id(change, InstallationKey.apnsTopic)
    }

    /// The plain value that a body has for a field.
    private static func id(_ change: InstallationChange, _ key: String) throws(ChangeError) -> String? {
        guard let value = change.body[key], value["__op"] == nil else { return nil }
        return try Installation.text(value, key)
    }

    /// Finds the row that is meant.
    func resolve(_ candidates: Candidates) throws(ChangeError) -> Resolution {
        if let target = candidates.byObjectID {
            return Resolution(target: target, obsolete: others([candidates.byToken], than: target))
        }
        if case .existing = change.target {
            throw ChangeError(code: 101, "there is no installation with this objectId")
        }
        let sameInstallation = candidates.byInstallationID.filter(isSameTopic)
        let byInstallationID =
            sameInstallation.first { $0.number == candidates.byToken?.number } ?? sameInstallation.first
        switch (byInstallationID, candidates.byToken) {
        case (nil, nil): return Resolution(target: nil)
        case (nil, let byToken?): return Resolution(target: byToken)
        case (let byInstallationID?, nil): return Resolution(target: byInstallationID)
        case (let byInstallationID?, let byToken?):
            // A row that a client without ids made is the older one of the same device and goes on.
            if byToken.installationID == nil {
                return Resolution(target: byToken, obsolete: others([byInstallationID], than: byToken))
            }
            return Resolution(target: byInstallationID, obsolete: others([byToken], than: byInstallationID))
        }
    }

    /// One device may have a row for each topic, such as the app's and its `.voip`.
    private func isSameTopic(_ row: Installation) -> Bool {
        guard let apnsTopic, let other = row.apnsTopic else { return true }
        return apnsTopic == other
    }

    private func others(_ rows: [Installation?], than target: Installation) -> [Installation] {
        rows.compactMap { $0 }.filter { $0.number != target.number }
    }

    /// The row after the change.
    ///
    /// - Parameters:
    ///   - installation: the row before it, or an empty new one.
    ///   - now: the time of the change.
    /// - Returns: the row, and the keys that were changed.
    func applied(
        to installation: Installation, now: Instant
    ) throws(ChangeError) -> (Installation, changedKeys: Set<String>) {
        var row = installation
        var changedKeys: Set<String> = []
        for (key, value) in change.body
        where key != InstallationKey.objectID && !InstallationKey.ignored.contains(key) {
            var current = row.field(key)
            for operation in try ObjectOperation.parse(value, key: key) {
                current = try operation.result(on: current, key: key)
            }
            try row.setField(key, to: current)
            changedKeys.insert(key)
        }
        if changedKeys.contains(InstallationKey.deviceToken) {
            row.tokenRegisteredAt = row.deviceToken == nil ? nil : now
        }
        // A new row has been in no zone before; one without a zone has been on UTC's clock.
        if installation.number != 0, row.timeZone != installation.timeZone { row.zoneChangedAt = now }
        // The clock of one machine may go back; a row's time does not.
        row.updatedAt = max(now, installation.updatedAt)
        try Self.check(row)
        return (row, changedKeys)
    }

    /// Refuses what no row may be as a whole.
    static func check(_ row: Installation) throws(ChangeError) {
        guard row.attributes.values.count(where: ObjectValue.isGeoPoint) <= 1 else {
            throw ChangeError(code: 302, "an object has at most one GeoPoint")
        }
        // Nearly every object is far too small for its exact size to matter.
        guard boundOnByteCount(of: row) > objectByteCountMax else { return }
        let byteCount: Int
        do {
            byteCount = try JSONValue.object(row.object).encoded().count
        } catch {
            throw ChangeError(code: 107, error.message)
        }
        guard byteCount <= objectByteCountMax else {
            throw ChangeError(
                code: 116, "the object has \(byteCount) bytes, \(objectByteCountMax) are allowed")
        }
    }

    /// A size that the object's JSON never exceeds, for a tenth of the time that writing it takes.
    private static func boundOnByteCount(of row: Installation) -> Int {
        // Fields with a meaning are short texts and numbers; a byte takes at most six as an escape.
        let texts = Installation.textKeys.count * (6 * Installation.textByteCountMax + 32) + 512
        let channels = row.channels.reduce(0) { $0 + $1.utf8.count + 3 }
        return texts + channels + boundOnByteCount(of: .object(row.attributes))
    }

    private static func boundOnByteCount(of value: JSONValue) -> Int {
        switch value {
        case .null, .bool: 5
        case .integer, .number: 26
        case .string(let text): 6 * text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + boundOnByteCount(of: $1) + 1 }
        case .object(let members):
            members.reduce(2) { $0 + 6 * $1.key.utf8.count + boundOnByteCount(of: $1.value) + 4 }
        }
    }
}
