/// The options and operands of one command line, read and checked.
struct ParsedOptions: Sendable {
    /// Arguments that are not options, in their order.
    var operands: [String] = []
    /// By option name, the values in the order given.
    var values: [String: [any Sendable]] = [:]
    /// Names of the options that the verb declares.
    let declared: Set<String>

    /// The value of an option, or its default.
    ///
    /// - Precondition: the verb declares the option.
    subscript<Value>(_ option: Option<Value>) -> Value {
        precondition(declared.contains(option.spec.name), "the verb does not declare --\(option.spec.name)")
        return option.combine(values[option.spec.name] ?? [])
    }

    /// Whether the option was given, on the command line or by a variable.
    func isGiven<Value>(_ option: Option<Value>) -> Bool { values[option.spec.name] != nil }
}
