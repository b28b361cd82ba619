internal import Foundation

/// How objects of the framework are archived: the value behind them as JSON under one key.
enum RecordCoding {
    private static let key = "belfry.record"

    static func encode(_ record: some Encodable, with coder: NSCoder) {
        // Records are plain values, which always encode; a number that JSON lacks leaves the object empty.
        guard let data = try? JSONEncoder().encode(record) else { return }
        coder.encode(NSData(data: data), forKey: key)
    }

    static func decode<Record: Decodable>(_ type: Record.Type, with coder: NSCoder) -> Record? {
        guard let data = coder.decodeObject(of: NSData.self, forKey: key) else { return nil }
        return try? JSONDecoder().decode(type, from: Data(referencing: data))
    }
}
