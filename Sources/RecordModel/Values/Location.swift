import struct Foundation.Date

/// A geographic location, with the properties of `CLLocation` that CloudKit stores.
///
/// As in Core Location, a negative accuracy, course or speed is invalid. Nil means that the server
/// did not send the value.
///
/// ```swift
/// note["place"] = Location(latitude: 60.17, longitude: 24.94)
/// ```
public struct Location: Sendable {
  /// The latitude in degrees, -90 to 90; positive is north.
  public var latitude: Double
  /// The longitude in degrees, -180 to 180; positive is east.
  public var longitude: Double
  /// The altitude above sea level, in metres.
  public var altitude: Double?
  /// The radius of uncertainty of the latitude and longitude, in metres.
  public var horizontalAccuracy: Double?
  /// The uncertainty of the altitude, in metres.
  public var verticalAccuracy: Double?
  /// The direction of travel, in degrees clockwise from north.
  public var course: Double?
  /// The speed of travel, in metres per second.
  public var speed: Double?
  /// The time at which the location was determined.
  public var timestamp: Date?
  /// The JSON members of the location that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates a location.
  public init(
    latitude: Double, longitude: Double, altitude: Double? = nil,
    horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil, course: Double? = nil,
    speed: Double? = nil, timestamp: Date? = nil, otherMembers: OtherMembers = []
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.speed = speed
    self.timestamp = timestamp
    self.otherMembers = otherMembers
  }
}

extension Location: Hashable {
  /// Whether all properties are equal, doubles by their bits.
  public static func == (lhs: Location, rhs: Location) -> Bool {
    lhs.bits == rhs.bits && lhs.otherMembers == rhs.otherMembers
  }

  /// Hashes all properties.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bits)
    hasher.combine(otherMembers)
  }

  private var bits: [UInt64?] {
    [
      latitude.bitPattern, longitude.bitPattern, altitude?.bitPattern,
      horizontalAccuracy?.bitPattern, verticalAccuracy?.bitPattern, course?.bitPattern,
      speed?.bitPattern, timestamp?.bits,
    ]
  }
}
