/// A circle on the Earth or a named region, and which crossing of its border counts.
package struct RegionRecord: Hashable, Sendable, Codable {
    package var identifier: String
    package var notifiesOnEntry = true
    package var notifiesOnExit = true
    /// Degrees; nil for a region that is no circle.
    package var latitude: Double?
    package var longitude: Double?
    package var radiusMeters: Double?

    package init(identifier: String) { self.identifier = identifier }
}
