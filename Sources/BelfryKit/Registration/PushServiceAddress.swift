public import Foundation

/// Where the push service is, and what the app shows it.
public struct PushServiceAddress: Hashable, Sendable {
    /// The service's address, without `/1.1`.
    public var url: URL
    /// The app's id at the service.
    public var applicationID: String
    /// The app's client key; never the master key, which does not belong into an app.
    public var applicationKey: String

    /// Makes an address.
    public init(url: URL, applicationID: String, applicationKey: String) {
        self.url = url
        self.applicationID = applicationID
        self.applicationKey = applicationKey
    }
}
