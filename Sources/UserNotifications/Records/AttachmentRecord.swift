/// A file that a notification shows.
package struct AttachmentRecord: Hashable, Sendable, Codable {
    package var identifier: String
    /// Where the file is: the app's place until the request is added, then the store's.
    package var path: String
    /// A uniform type identifier: `public.jpeg`.
    package var type: String
    package var options: [String: PropertyValue]

    package init(
        identifier: String, path: String, type: String, options: [String: PropertyValue] = [:]
    ) {
        self.identifier = identifier
        self.path = path
        self.type = type
        self.options = options
    }
}
