/// A place on the Earth in degrees.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double

    /// Makes the place where both are 0.
    public init() {
        latitude = 0
        longitude = 0
    }

    /// Makes a place.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
