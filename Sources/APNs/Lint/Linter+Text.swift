/// The body as a whole: size, syntax, and the keys beside aps.
extension Linter {
    private static let simulatorTargetKey = "Simulator Target Bundle"

    mutating func checkText(_ json: [UInt8]) {
        guard !json.isEmpty else {
            return error(.empty, "", "the payload is empty; the least one is {\"aps\":{}}")
        }
        checkSize(json.count)
        guard json.count <= Lint.byteCountMax else { return }
        let document: JSONDocument
        do throws(APNsError) {
            document = try JSONDocument(parsing: json)
        } catch {
            let isText = String(validating: json, as: UTF8.self) != nil
            return self.error(isText ? .json : .encoding, "", "the payload is not JSON: \(error.message)")
        }
        guard case .object(let members) = document.value else {
            return error(
                .notObject, "",
                "the payload is \(words(document.value)); it must be an object with the key aps")
        }
        for path in document.repeatedKeys {
            let key = quoted(path.last ?? "")
            error(
                .repeatedKey, path.joined(separator: "."),
                "\(key) occurs more than once in its object; only one of its values is read: keep one")
        }
        checkTop(members)
        if case .object(let aps)? = members["aps"] { checkAPS(aps) }
    }

    private mutating func checkSize(_ byteCount: Int) {
        let type = pushType ?? headers.topic.flatMap { try? Topic($0) }?.suffixedPushType ?? .alert
        let limit = type.payloadByteCountMax
        guard byteCount > limit else { return }
        let reader = isSimulatorFile ? "the simulator" : "APNs, for the push type \(type.rawValue),"
        error(
            .size, "",
            "the payload has \(byteCount) bytes, \(byteCount - limit) more than the \(limit) that \(reader) takes;"
                + " shorten alert.body or let the app fetch the rest")
    }

    private mutating func checkTop(_ members: [String: JSONValue]) {
        let apsKeys: Set<String>
        switch members["aps"] {
        case .object(let aps)?: apsKeys = Set(aps.keys)
        case let value?:
            apsKeys = []
            error(.wrongType, "aps", "aps is \(words(value)); it must be an object")
        case nil:
            apsKeys = []
            checkMissingAPS(members)
        }
        for (key, value) in members.sorted(by: { $0.key < $1.key }) where key != "aps" {
            if key == Linter.simulatorTargetKey {
                if !isSimulatorFile {
                    warning(
                        .simulatorKey, key,
                        "\(quoted(key)) is for simulator files only and is sent to the app: remove it")
                }
                continue
            }
            checkBeside(key, apsKeys: apsKeys)
            checkNull(value, key)
        }
        if isSimulatorFile { checkTarget(members[Linter.simulatorTargetKey]) }
    }

    private mutating func checkMissingAPS(_ members: [String: JSONValue]) {
        let misspelt = members.keys.sorted().first { KeySpelling.nearest(to: $0, among: ["aps"]) != nil }
        if let misspelt {
            return error(
                .misspeltKey, misspelt, "\(quoted(misspelt)) is not a key of the system: write \"aps\"")
        }
        switch pushType {
        case .mdm, .voip, .complication, .fileprovider, .location, .pushtotalk:
            if !isSimulatorFile { return }
        case nil where members["mdm"] != nil && !isSimulatorFile:
            return
        default: break
        }
        error(.missingAPS, "aps", "the key aps is missing: put the system's keys into {\"aps\":{…}}")
    }

    /// A custom key that looks like one of the system's.
    private mutating func checkBeside(_ key: String, apsKeys: Set<String>) {
        // Plain words such as event or category are as likely the app's own keys.
        let isDistinct = key.contains("-") || ["alert", "badge", "sound"].contains(key)
        if APSKey.isKnown(key) {
            guard isDistinct else { return }
            let message = "\(quoted(key)) stands beside aps, where the system ignores it: move it into aps"
            if apsKeys.contains(key) {
                warning(.misplacedKey, key, message + ", or remove it, since aps has one")
            } else {
                error(.misplacedKey, key, message)
            }
            return
        }
        let compound = APSKey.allCases.map(\.rawValue).filter { $0.contains("-") }
        let meant =
            KeySpelling.variant(of: key, among: compound)
            ?? (key.contains("-") ? KeySpelling.nearest(to: key, among: compound) : nil)
        if let meant {
            warning(
                .misspeltKey, key,
                "\(quoted(key)) stands beside aps, so it is the app's own key; if the system shall read it,"
                    + " write \"\(meant)\" inside aps")
        }
    }

    private mutating func checkNull(_ value: JSONValue, _ path: String) {
        switch value {
        case .null:
            warning(.nullValue, path, "\(path) is null, which apps receive as NSNull: leave the key out")
        case .array(let values):
            for value in values { checkNull(value, path + ".[]") }
        case .object(let members):
            for (key, value) in members.sorted(by: { $0.key < $1.key }) { checkNull(value, "\(path).\(key)") }
        default: break
        }
    }

    private mutating func checkTarget(_ value: JSONValue?) {
        let key = Linter.simulatorTargetKey
        switch value {
        case nil:
            warning(
                .simulatorTarget, key,
                "\"\(key)\" is missing: add it with the app's bundle identifier, or name the app on the command line"
            )
        case .string(let text)?:
            do throws(APNsError) {
                _ = try Topic(text)
            } catch {
                self.error(.simulatorTarget, key, "\"\(key)\" is \(quoted(text)), but \(error.message)")
            }
        case let value?:
            error(.simulatorTarget, key, "\"\(key)\" is \(words(value)); write the app's bundle identifier")
        }
    }
}
