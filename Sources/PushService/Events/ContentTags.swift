internal import APNs
internal import PushStore

/// What content is about, as articles and events write it: `["sports"]` or `{"sports": 2.5}`.
enum ContentTags {
    static let countMax = Digest.tagCountMax
    static let byteCountMax = 64
    static let weightMax = 100.0

    /// Reads tags with their weights; a tag in a list has the weight 1.
    static func read(_ json: JSONValue?, at path: String) throws(ChangeError) -> [String: Double] {
        var tags: [String: Double] = [:]
        switch json {
        case nil, .null?:
            return [:]
        case .array(let items)?:
            for item in items {
                guard case .string(let tag) = item else {
                    throw ChangeError(code: 111, "\(path): \(item.kind) was found, texts are needed")
                }
                tags[tag] = 1
            }
        case .object(let members)?:
            for (tag, value) in members {
                guard let weight = value.asDouble, weight > 0, weight <= weightMax else {
                    throw ChangeError(
                        code: 111, "\(path): a weight above 0 and up to \(Int(weightMax)) is needed")
                }
                tags[tag] = weight
            }
        case let other?:
            throw ChangeError(
                code: 111, "\(path): \(other.kind) was found, an array of texts or an object is needed")
        }
        guard tags.count <= countMax else {
            throw ChangeError(code: 1, "\(path): \(tags.count) tags were found, \(countMax) are allowed")
        }
        for tag in tags.keys where !isTag(tag) {
            throw ChangeError(
                code: 105,
                "\(path): a tag is 1 to \(byteCountMax) bytes of letters, digits, '_' and '-', in any script")
        }
        return tags
    }

    /// Tags become the second part of `interests.sports`, so a dot or a dollar sign would mean something else.
    private static func isTag(_ text: String) -> Bool {
        (1...byteCountMax).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || $0.properties.numericType != nil
            }
    }
}

extension JSONValue {
    /// The number this is, whole or not.
    var asDouble: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }
}
