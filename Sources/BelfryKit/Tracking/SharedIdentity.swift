/// What an app's extensions have to know of its registration; kept in the storage of the app's group.
struct SharedIdentity: Hashable, Sendable, Codable {
    static let key = "belfry.identity"

    var objectID: String
}
