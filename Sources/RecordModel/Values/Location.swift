import struct Foundation.Date

/// A place on Earth, with every member CloudKit keeps of a `CLLocation`.
///
/// As in Core Location, a negative accuracy, course or speed means that the value is invalid; nil
/// means that the server did not send the member.
public struct Location: Sendable {
  /// Degrees north, -90 to 90.
  public var latitude: Double
  /// Degrees east, -180 to 180.
  public var longitude: Double
  /// Metres above sea level.
  public var altitude: Double?
  /// The radius of uncertainty of the place, in metres.
  public var horizontalAccuracy: Double?
  /// The uncertainty of the altitude, in metres.
  public var verticalAccuracy: Double?
  /// The direction of travel, in degrees clockwise from north.
  public var course: Double?
  /// The speed of travel, in metres per second.
  public var speed: Double?
  /// When the place was determined.
  public var timestamp: Date?
  /// What a server sent in the location that this model does not know.
  public var otherMembers: OtherMembers

  /// Makes a location.
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
  /// Places are equal when every member is, doubles bit for bit.
  public static func == (lhs: Location, rhs: Location) -> Bool {
    lhs.bits == rhs.bits && lhs.otherMembers == rhs.otherMembers
  }

  /// Hashes every member.
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
