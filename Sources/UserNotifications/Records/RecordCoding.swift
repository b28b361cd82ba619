internal import Foundation

/// How objects of the framework are archived: the value behind them as JSON under one key.
///
/// Apple's classes without a public initializer are made for tests with a coder that answers their keys by hand; such a
/// coder is no archive, and the classes that tests make so read Apple's keys of it.
enum RecordCoding {
    private static let key = "belfry.record"

    static func encode(_ record: some Encodable, with coder: NSCoder) {
        // Records are plain values, which always encode; a number that JSON lacks leaves the object empty.
        guard let data = try? JSONEncoder().encode(record) else { return }
        coder.encode(NSData(data: data), forKey: key)
    }

    static func decode<Record: Decodable>(_ type: Record.Type, with coder: NSCoder) -> Record? {
        guard isArchive(coder), let data = coder.decodeObject(of: NSData.self, forKey: key) else {
            return nil
        }
        return try? JSONDecoder().decode(type, from: Data(referencing: data))
    }

    static func isArchive(_ coder: NSCoder) -> Bool { coder is NSKeyedUnarchiver }
}
