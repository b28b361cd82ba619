/// The keys inside aps: names, types and values.
extension Linter {
    mutating func checkAPS(_ aps: [String: JSONValue]) {
        for (key, value) in aps.sorted(by: { $0.key < $1.key }) {
            let path = "aps.\(key)"
            guard let known = APSKey(rawValue: key) else {
                checkUnknown(key, in: aps)
                continue
            }
            if value == .null {
                warning(.nullValue, path, "\(key) is null: leave the key out")
            } else {
                check(known, value, path)
            }
        }
        if isLiveActivity(aps) {
            checkLiveActivity(aps)
        } else if let alert = aps["alert"] {
            checkAlert(alert)
        }
        checkTogether(aps)
    }

    // MARK: - Names

    private mutating func checkUnknown(_ key: String, in aps: [String: JSONValue]) {
        let path = "aps.\(key)"
        if AlertKey.isKnown(key) {
            error(.misplacedKey, path, "\(quoted(key)) belongs to the alert: move it into aps.alert")
        } else if let meant = KeySpelling.nearest(to: key, among: APSKey.allCases.map(\.rawValue)) {
            let remark = aps[meant] == nil ? "" : ", or remove it, since aps has one"
            error(
                .misspeltKey, path, "\(quoted(key)) is not a key of the system: write \"\(meant)\"\(remark)")
        } else {
            warning(
                .unknownKey, path,
                "\(quoted(key)) is not a key of the system, which ignores others in aps: move it beside aps")
        }
    }

    // MARK: - Types and values

    private mutating func check(_ key: APSKey, _ value: JSONValue, _ path: String) {
        switch key {
        case .alert: break
        case .badge: checkBadge(value, path)
        case .sound: checkSound(value, path)
        case .threadID, .category, .targetContentID, .filterCriteria, .attributesType:
            checkString(value, path)
        case .contentAvailable, .mutableContent, .inputPushToken: checkSwitch(value, path)
        case .contentChanged: checkContentChanged(value, path)
        case .interruptionLevel: checkInterruptionLevel(value, path)
        case .relevanceScore: checkNumber(value, path)
        case .staleDate, .timestamp, .dismissalDate: checkInstant(value, path)
        case .contentState, .attributes:
            if case .object = value { return }
            wrongType(value, path, "write an object")
        case .event:
            if checkString(value, path), case .string(let text) = value { checkEvent(text, path) }
        case .inputPushChannel:
            if checkString(value, path), case .string(let text) = value, (try? ChannelID(text)) == nil {
                error(.channelID, path, "\(path) is \(quoted(text)): write the channel's base64 identifier")
            }
        case .urlArguments: checkStrings(value, path)
        }
    }

    mutating func wrongType(_ value: JSONValue, _ path: String, _ fix: String) {
        error(.wrongType, path, "\(path) is \(words(value)): \(fix)")
    }

    @discardableResult
    mutating func checkString(_ value: JSONValue, _ path: String) -> Bool {
        if case .string = value { return true }
        wrongType(value, path, "write a string")
        return false
    }

    mutating func checkStrings(_ value: JSONValue, _ path: String) {
        guard case .array(let values) = value else {
            return wrongType(value, path, "write an array of strings")
        }
        for element in values {
            if case .string = element { continue }
            return error(
                .wrongType, path, "\(path) has \(words(element)) among its elements: write strings only")
        }
    }

    private mutating func checkSwitch(_ value: JSONValue, _ path: String) {
        switch value {
        case .integer(1): break
        case .integer(0), .bool(false):
            warning(.switchOff, path, "\(path) is \(words(value)), which has no effect: leave the key out")
        case .bool(true):
            warning(.wrongType, path, "\(path) is true: write the number 1, as Apple documents")
        case .string: wrongType(value, path, "write the number 1, without quotation marks")
        default: wrongType(value, path, "write the number 1")
        }
    }

    private mutating func checkContentChanged(_ value: JSONValue, _ path: String) {
        switch value {
        case .bool(true): break
        case .bool(false):
            warning(
                .switchOff, path, "\(path) is false, which has no effect: write true or leave the key out")
        case .integer(1): warning(.wrongType, path, "\(path) is the number 1: write true, as Apple documents")
        default: wrongType(value, path, "write true")
        }
    }

    @discardableResult
    private mutating func checkNumber(_ value: JSONValue, _ path: String) -> Double? {
        switch value {
        case .integer(let integer): return Double(integer)
        case .number(let number): return number
        case .string(let text) where Double(text) != nil:
            wrongType(value, path, "write the number without quotation marks")
        default: wrongType(value, path, "write a number")
        }
        return nil
    }

    private mutating func checkBadge(_ value: JSONValue, _ path: String) {
        switch value {
        case .integer(0...): break
        case .integer(let count):
            error(.badgeRange, path, "\(path) is \(count): write 0 to remove the badge, or a count above it")
        case .number: wrongType(value, path, "write a whole number")
        default: _ = checkNumber(value, path)
        }
    }

    private mutating func checkInterruptionLevel(_ value: JSONValue, _ path: String) {
        guard checkString(value, path), case .string(let text) = value,
            InterruptionLevel(rawValue: text) == nil
        else { return }
        let levels = InterruptionLevel.allCases.map(\.rawValue)
        let fix = KeySpelling.nearest(to: text, among: levels).map { "write \"\($0)\"" }
        error(
            .interruptionLevel, path,
            "\(path) is \(quoted(text)), which does not exist: "
                + (fix ?? "write one of \(levels.joined(separator: ", "))"))
    }

    private mutating func checkSound(_ value: JSONValue, _ path: String) {
        switch value {
        case .string(let name):
            if name.isEmpty {
                warning(
                    .soundShape, path,
                    "\(path) is empty, which plays nothing: write \"default\" or a file's name")
            }
        case .object(let members): checkCriticalSound(members, path)
        default: wrongType(value, path, "write a sound's name, or an object with critical, name and volume")
        }
    }

    private mutating func checkCriticalSound(_ sound: [String: JSONValue], _ path: String) {
        if sound["critical"] != .integer(1) {
            let found = sound["critical"].map { words($0) } ?? "missing"
            error(
                .soundShape, path + ".critical",
                "\(path).critical is \(found); the object form is for critical alerts: write the number 1, or"
                    + " only the sound's name")
        }
        if let name = sound["name"] {
            checkString(name, path + ".name")
        } else {
            error(.soundShape, path + ".name", "\(path).name is missing: write \"default\" or a file's name")
        }
        if let value = sound["volume"], let volume = checkNumber(value, path + ".volume"), !(0...1 ~= volume)
        {
            error(.volumeRange, path + ".volume", "\(path).volume is \(volume): write a number from 0 to 1")
        }
        for key in sound.keys.sorted() where !["critical", "name", "volume"].contains(key) {
            warning(
                .unknownKey, "\(path).\(key)",
                "\(quoted(key)) is not a key of a sound, which has critical, name and volume: remove it")
        }
    }
}
