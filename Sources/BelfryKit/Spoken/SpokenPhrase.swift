/// A part of what a notification says.
public enum SpokenPhrase: Hashable, Sendable {
    /// A recorded piece by its name, such as `received` or `ann`.
    case piece(String)
    /// A number, put together from recorded pieces.
    case amount(String, SpokenAmount.Language)

    /// The names of its pieces.
    ///
    /// - Throws: `invalidArgument` for an amount that is no number.
    public func pieces() throws(BelfryKitError) -> [String] {
        switch self {
        case .piece(let name): [name]
        case .amount(let amount, let language): try SpokenAmount.pieces(amount, in: language)
        }
    }
}
