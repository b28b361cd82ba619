/// An option with the Swift type of its value: the declaration, and the key that reads it from `ParsedOptions`.
struct Option<Value: Sendable>: Sendable {
    /// What parser and documentation read.
    let spec: OptionSpec
    /// The option's value, from the values given in their order; none when it was not given.
    let combine: @Sendable ([any Sendable]) -> Value
}

extension Option where Value == Bool {
    /// A switch that is off unless given.
    static func flag(_ name: String, short: Character? = nil, _ help: String) -> Self {
        let spec = OptionSpec(
            name: name, short: short, help: help, value: nil, isRepeatable: false, defaultText: nil)
        return Self(spec: spec) { $0.last as? Bool ?? false }
    }
}

extension Option {
    /// An option with a default.
    static func value(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, default fallback: Value,
        defaultText: String? = nil, _ help: String
    ) -> Self {
        let spec = OptionSpec(
            name: name, short: short, help: help, value: kind.erased(), isRepeatable: false,
            defaultText: defaultText ?? "\(fallback)")
        return Self(spec: spec) { $0.last as? Value ?? fallback }
    }

    /// An option that has no value unless given.
    static func optional<Wrapped>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Wrapped>, defaultText: String? = nil,
        _ help: String
    ) -> Self where Value == Wrapped? {
        let spec = OptionSpec(
            name: name, short: short, help: help, value: kind.erased(), isRepeatable: false,
            defaultText: defaultText)
        return Self(spec: spec) { $0.last as? Wrapped }
    }

    /// An option that may be given more than once; all values count.
    static func repeated<Element>(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Element>, _ help: String
    ) -> Self where Value == [Element] {
        let spec = OptionSpec(
            name: name, short: short, help: help, value: kind.erased(), isRepeatable: true, defaultText: nil)
        return Self(spec: spec) { $0.compactMap { $0 as? Element } }
    }
}

extension ValueKind {
    fileprivate func erased() -> ValueKind<any Sendable> {
        let read = read
        return ValueKind<any Sendable>(
            placeholder: placeholder, allowed: allowed, choices: choices, isPath: isPath
        ) { text in
            // Spelled out: `read(text) as (any Sendable)?` would wrap the optional itself.
            guard let value = read(text) else { return nil }
            return value
        }
    }
}
