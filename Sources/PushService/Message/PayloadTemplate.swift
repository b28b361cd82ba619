internal import APNs
internal import PushStore

/// A payload that is encoded once, with holes for what differs between devices.
///
/// Holes are numbers or stand inside strings, where a value is escaped as it is put in: no value can end the
/// string it stands in.
struct PayloadTemplate: Sendable {
    /// What a hole takes.
    enum Content: Sendable, Hashable {
        case badge
        case variable(MessageVariable)
    }

    /// A hole and where it is.
    struct Hole: Sendable, Hashable {
        /// How many of the constant bytes are in front of it.
        var offset: Int
        var content: Content
    }

    /// All that is the same for every device.
    private(set) var bytes: [UInt8] = []
    /// In the order of the text.
    private(set) var holes: [Hole] = []

    /// Whether every device gets the same bytes.
    var isConstant: Bool { holes.isEmpty }

    /// Whether devices differ in texts, not only in the badge.
    var hasVariables: Bool {
        holes.contains { if case .variable = $0.content { true } else { false } }
    }

    /// The payload of one device.
    ///
    /// - Parameter badge: the number for the icon, where the message raises it.
    func rendered(for installation: borrowing SendableInstallation, badge: Int64) -> [UInt8] {
        render { content, output in
            switch content {
            case .badge: JSONText.append(badge, to: &output)
            case .variable(let variable): variable.append(for: installation, badge: badge, to: &output)
            }
        }
    }

    /// The payload of a device without any value.
    func renderedWithoutValues(badge: Int64) -> [UInt8] {
        render { content, output in
            switch content {
            case .badge: JSONText.append(badge, to: &output)
            case .variable(let variable): variable.appendFallback(to: &output)
            }
        }
    }

    @inline(__always)
    private func render(_ fill: (Content, inout [UInt8]) -> Void) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 32 * holes.count)
        var position = 0
        for hole in holes {
            output.append(contentsOf: bytes[position..<hole.offset])
            position = hole.offset
            fill(hole.content, &output)
        }
        output.append(contentsOf: bytes[position...])
        return output
    }

    // MARK: - Encoding

    /// Encodes a payload: aps first, then the app's own keys sorted.
    ///
    /// - Parameters:
    ///   - aps: Apple's keys without alert and badge.
    ///   - alert: the alert; its texts may have variables.
    ///   - badge: whether and how there is one.
    ///   - custom: the app's keys; their texts may have variables.
    /// - Throws: `invalidJSON` for nesting that is too deep or a number that is none.
    init(
        aps: [String: JSONValue], alert: JSONValue?, badge: BadgeChange, custom: [String: JSONValue]
    ) throws(APNsError) {
        bytes = [0x7b]
        key("aps")
        bytes.append(0x7b)
        var isFirst = true
        func separate(_ bytes: inout [UInt8]) {
            if !isFirst { bytes.append(0x2c) }
            isFirst = false
        }
        if let alert {
            separate(&bytes)
            key("alert")
            try add(alert, depth: 2, isTemplate: true)
        }
        if badge != .none {
            separate(&bytes)
            key("badge")
            switch badge {
            case .set(let number): JSONText.append(number, to: &bytes)
            case .raise, .none: holes.append(Hole(offset: bytes.count, content: .badge))
            }
        }
        for (name, value) in aps.sorted(by: { $0.key < $1.key }) {
            separate(&bytes)
            key(name)
            try value.append(to: &bytes, depth: 2)
        }
        bytes.append(0x7d)
        for (name, value) in custom.sorted(by: { $0.key < $1.key }) {
            bytes.append(0x2c)
            key(name)
            try add(value, depth: 1, isTemplate: true)
        }
        bytes.append(0x7d)
    }

    private mutating func key(_ name: String) {
        JSONText.append(name, to: &bytes)
        bytes.append(0x3a)
    }

    /// Adds a value; names of the app's strings and files in it are never templates.
    private mutating func add(_ value: JSONValue, depth: Int, isTemplate: Bool) throws(APNsError) {
        switch value {
        case .string(let text) where isTemplate && text.utf8.contains(0x7b):
            bytes.append(0x22)
            for piece in TextTemplate(text).pieces {
                switch piece {
                case .literal(let literal): JSONText.appendContents(literal, to: &bytes)
                case .variable(let variable):
                    holes.append(Hole(offset: bytes.count, content: .variable(variable)))
                }
            }
            bytes.append(0x22)
        case .array(let values):
            try Self.check(depth: depth + 1)
            bytes.append(0x5b)
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(0x2c) }
                try add(value, depth: depth + 1, isTemplate: isTemplate)
            }
            bytes.append(0x5d)
        case .object(let members):
            try Self.check(depth: depth + 1)
            bytes.append(0x7b)
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(0x2c) }
                key(member.key)
                try add(
                    member.value, depth: depth + 1,
                    isTemplate: isTemplate && !AlertField.isName(member.key))
            }
            bytes.append(0x7d)
        default: try value.append(to: &bytes, depth: depth)
        }
    }

    private static func check(depth: Int) throws(APNsError) {
        guard depth <= JSONValue.depthMax else {
            throw APNsError(
                code: .invalidJSON, message: "a value nests deeper than \(JSONValue.depthMax) levels")
        }
    }
}
