/// A value on the heap that copies share: cheap to copy where the value is large.
final class SharedValue<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    static func == (left: SharedValue, right: SharedValue) -> Bool {
        left === right || left.value == right.value
    }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
