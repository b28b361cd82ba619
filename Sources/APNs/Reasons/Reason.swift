/// Why APNs refused a request or closed a connection.
///
/// The set is open: texts that are not documented are carried as they are. Known reasons take one byte and
/// no allocation. From Apple: Handling notification responses from APNs; Handling error responses from
/// Apple Push Notification service.
public struct Reason: Sendable, CustomStringConvertible {
    private let code: Code
    /// The text of a reason that is not known; nil for known ones.
    private let unknownText: String?

    /// Recognises a known reason or carries an unknown one.
    public init(_ text: String) {
        var text = text
        let code = text.withUTF8 { Reason.code(UnsafeRawBufferPointer($0)) }
        self.code = code ?? .unknown
        unknownText = code == nil ? text : nil
    }

    /// Recognises a known reason, without allocation, or carries an unknown one.
    public init(utf8 text: UnsafeRawBufferPointer) {
        let code = Reason.code(text)
        self.code = code ?? .unknown
        unknownText = code == nil ? String(decoding: text, as: UTF8.self) : nil
    }

    /// Recognises a known reason, without allocation; nil for an unknown one.
    init?(knownUTF8 text: UnsafeRawBufferPointer) {
        guard let code = Reason.code(text) else { return nil }
        self.init(code)
    }

    init(_ code: Code) {
        self.code = code
        unknownText = nil
    }

    /// All documented reasons and the few that were only observed.
    public static let known: [Reason] = Code.allCases.filter { $0 != .unknown }.map { Reason($0) }

    /// Whether the reason is one of those this version knows.
    public var isKnown: Bool { code != .unknown }

    /// The reason as Apple writes it, or the unknown text.
    public var text: String { unknownText ?? String(describing: row.text) }

    /// The reason as Apple writes it, or the unknown text.
    public var description: String { text }

    /// Every spelling that is read as this reason, Apple's table first.
    public var spellings: [String] {
        [text] + Reason.aliases.filter { $0.code == code }.map { String(describing: $0.text) }
    }

    /// The HTTP status Apple documents for the reason; nil when it documents none.
    public var status: Int? { row.status == 0 ? nil : Int(row.status) }

    /// What the reason asks of the sender.
    public var disposition: Disposition { row.disposition }

    /// Whether the connection that carried the reason cannot be used any more.
    public var requiresNewConnection: Bool { row.requiresNewConnection }

    /// The text of a known reason as constant bytes; nil for an unknown one.
    package var staticText: StaticString? { isKnown ? row.text : nil }

    private var row: Row { Reason.table[Int(code.rawValue)] }

    private static func code(_ text: UnsafeRawBufferPointer) -> Code? {
        guard text.count < spellingsByLength.count else { return nil }
        return spellingsByLength[text.count].first { $0.text.hasBytes(text) }?.code
    }
}

extension Reason: Hashable {
    /// Whether both are the same known reason, or unknown with the same text.
    public static func == (one: Reason, other: Reason) -> Bool {
        one.code == other.code && one.unknownText == other.unknownText
    }

    /// Feeds the reason to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        if let unknownText { hasher.combine(unknownText) }
    }
}
