package import APNs

extension PropertyValue {
    /// The value that JSON of a remote payload becomes.
    package init(_ json: JSONValue) {
        self =
            switch json {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .number(let value): .number(value)
            case .string(let value): .string(value)
            case .array(let items): .array(items.map { PropertyValue($0) })
            case .object(let members): .dictionary(members.mapValues { PropertyValue($0) })
            }
    }
}
