internal import APNs

/// The `keys` of a list: `a,b` for only those, `-a` for all but that one; ids and times always stay.
struct FieldSelection: Sendable, Hashable {
    /// How many keys are read.
    private static let keyCountMax = 200
    private static let kept: Set<String> = ["objectId", "createdAt", "updatedAt"]

    private var included: Set<String> = []
    private var excluded: Set<String> = []

    /// Reads a list of keys; of a dotted one the whole first field is meant.
    init(_ text: String?) {
        self.init(
            keys: (text ?? "").split(separator: ",").prefix(Self.keyCountMax).map {
                String($0.drop { $0 == " " })
            })
    }

    init(keys: [String]) {
        for key in keys {
            if key.hasPrefix("-") {
                excluded.insert(String(key.dropFirst()))
            } else if key != "*", let field = key.split(separator: ".").first {
                included.insert(String(field))
            }
        }
    }

    func applied(to object: [String: JSONValue]) -> [String: JSONValue] {
        guard !included.isEmpty || !excluded.isEmpty else { return object }
        return object.filter { key, _ in
            if Self.kept.contains(key) { return true }
            return (included.isEmpty || included.contains(key)) && !excluded.contains(key)
        }
    }
}
