/// A circle on the Earth.
open class CLCircularRegion: CLRegion {
    /// Makes a circle.
    ///
    /// - Parameter radius: metres.
    public convenience init(center: CLLocationCoordinate2D, radius: Double, identifier: String) {
        var record = RegionRecord(identifier: identifier)
        record.latitude = center.latitude
        record.longitude = center.longitude
        record.radiusMeters = radius
        self.init(record: record)
    }

    /// The middle.
    open var center: CLLocationCoordinate2D {
        CLLocationCoordinate2D(latitude: record.latitude ?? 0, longitude: record.longitude ?? 0)
    }

    /// The radius in metres.
    open var radius: Double { record.radiusMeters ?? 0 }

    /// Whether a place is in the circle, on a round Earth.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        let degree = Double.pi / 180
        let latitude = (coordinate.latitude - center.latitude) * degree
        let longitude = (coordinate.longitude - center.longitude) * degree
        let chord =
            pow(sin(latitude / 2), 2)
            + cos(center.latitude * degree) * cos(coordinate.latitude * degree) * pow(sin(longitude / 2), 2)
        return 2 * Self.earthRadiusMeters * asin(min(1, chord.squareRoot())) <= radius
    }

    private static let earthRadiusMeters = 6_371_000.0
}
