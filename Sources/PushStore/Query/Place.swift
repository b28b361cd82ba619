internal import APNs

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A point on the earth: LeanCloud's `GeoPoint`.
struct Place: Sendable, Hashable {
    /// Parse: the earth's radius that `$maxDistanceInMiles` is divided by.
    static let earthRadiusMiles = 3958.8
    /// Parse: the earth's radius that `$maxDistanceInKilometers` is divided by.
    static let earthRadiusKilometers = 6371.0

    /// Degrees north, -90...90.
    var latitude: Double
    /// Degrees east, -180...180.
    var longitude: Double

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Reads an operand.
    init(_ json: JSONValue, of path: String) throws(ChangeError) {
        guard let place = Place(stored: json) else {
            throw ChangeError(
                code: 302, "\(path): a GeoPoint with latitude and longitude is needed, \(json.kind) was found"
            )
        }
        guard -90...90 ~= place.latitude, -180...180 ~= place.longitude else {
            throw ChangeError(
                code: 302,
                "\(path): latitude \(place.latitude), longitude \(place.longitude) were found; -90...90 and "
                    + "-180...180 are allowed")
        }
        self = place
    }

    /// The place a stored value is, if it is one; its degrees are taken as they are.
    init?(stored json: JSONValue) {
        guard case .string("GeoPoint") = json["__type"], let latitude = Place.degrees(json["latitude"]),
            let longitude = Place.degrees(json["longitude"])
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    private static func degrees(_ json: JSONValue?) -> Double? {
        switch json {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The angle between two places as seen from the middle of the earth.
    func distanceRadians(to other: Place) -> Double {
        let radian = Double.pi / 180
        let north = sin((other.latitude - latitude) * radian / 2)
        let east = sin((other.longitude - longitude) * radian / 2)
        let square =
            north * north + cos(latitude * radian) * cos(other.latitude * radian) * east * east
        return 2 * asin(min(1, max(0, square).squareRoot()))
    }
}

/// A box of latitudes and longitudes, edges included.
struct PlaceBox: Sendable, Hashable {
    var southWest: Place
    var northEast: Place

    /// Whether it goes over the line where 180° east is 180° west.
    var crossesDateLine: Bool { southWest.longitude > northEast.longitude }

    func contains(_ place: Place) -> Bool {
        guard southWest.latitude...northEast.latitude ~= place.latitude else { return false }
        return crossesDateLine
            ? place.longitude >= southWest.longitude || place.longitude <= northEast.longitude
            : place.longitude >= southWest.longitude && place.longitude <= northEast.longitude
    }
}
