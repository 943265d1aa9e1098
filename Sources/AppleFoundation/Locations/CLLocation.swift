#if os(Linux)
  @_exported import Foundation
  public class CLLocation: NSObject, NSCopying, NSSecureCoding {
    public let coordinate: CLLocationCoordinate2D
    public let altitude: CLLocationDistance
    public let horizontalAccuracy: CLLocationAccuracy
    public let verticalAccuracy: CLLocationAccuracy
    public let course: CLLocationDirection
    public let speed: CLLocationSpeed
    public let timestamp: Date
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
      self.init(
        coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
        horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }
    public convenience init(
      coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
      horizontalAccuracy hAccuracy: CLLocationAccuracy,
      verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
      self.init(
        coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
        verticalAccuracy: vAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }
    public init(
      coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
      horizontalAccuracy hAccuracy: CLLocationAccuracy,
      verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
      speed: CLLocationSpeed, timestamp: Date
    ) {
      self.coordinate = coordinate
      self.altitude = altitude
      horizontalAccuracy = hAccuracy
      verticalAccuracy = vAccuracy
      self.course = course
      self.speed = speed
      self.timestamp = timestamp
      super.init()
    }

    /// Returns the distance along a great circle, on a sphere with the mean radius of the Earth.
    public func distance(from location: CLLocation) -> CLLocationDistance {
      func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
      let (here, there) = (coordinate, location.coordinate)
      let latitude = sin(radians(there.latitude - here.latitude) / 2)
      let longitude = sin(radians(there.longitude - here.longitude) / 2)
      let part =
        latitude * latitude
        + cos(radians(here.latitude)) * cos(radians(there.latitude)) * longitude * longitude
      return 2 * 6_371_008.8 * asin(min(1, part.squareRoot()))
    }
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding
    public static var supportsSecureCoding: Bool { true }
    public override var classForKeyedArchiver: AnyClass? { Self.archiverClass }

    private static let archiverClass: AnyClass = FoundationClass.named(
      "CLLocation")
    public func encode(with coder: NSCoder) {
      coder.encode(coordinate.latitude, forKey: Key.latitude)
      coder.encode(coordinate.longitude, forKey: Key.longitude)
      coder.encode(altitude, forKey: Key.altitude)
      coder.encode(horizontalAccuracy, forKey: Key.horizontalAccuracy)
      coder.encode(verticalAccuracy, forKey: Key.verticalAccuracy)
      coder.encode(course, forKey: Key.course)
      coder.encode(speed, forKey: Key.speed)
      coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Key.timestamp)
    }
    public required init?(coder: NSCoder) {
      guard coder.containsValue(forKey: Key.latitude), coder.containsValue(forKey: Key.longitude)
      else { return nil }
      func number(_ key: String, or missing: Double) -> Double {
        coder.containsValue(forKey: key) ? coder.decodeDouble(forKey: key) : missing
      }
      coordinate = CLLocationCoordinate2D(
        latitude: coder.decodeDouble(forKey: Key.latitude),
        longitude: coder.decodeDouble(forKey: Key.longitude))
      altitude = number(Key.altitude, or: 0)
      horizontalAccuracy = number(Key.horizontalAccuracy, or: 0)
      verticalAccuracy = number(Key.verticalAccuracy, or: -1)
      course = number(Key.course, or: -1)
      speed = number(Key.speed, or: -1)
      timestamp = Date(timeIntervalSinceReferenceDate: number(Key.timestamp, or: 0))
      super.init()
    }

    private enum Key {
      static let latitude = "kCLLocationCodingKeyCoordinateLatitude"
      static let longitude = "kCLLocationCodingKeyCoordinateLongitude"
      static let altitude = "kCLLocationCodingKeyAltitude"
      static let horizontalAccuracy = "kCLLocationCodingKeyHorizontalAccuracy"
      static let verticalAccuracy = "kCLLocationCodingKeyVerticalAccuracy"
      static let course = "kCLLocationCodingKeyCourse"
      static let speed = "kCLLocationCodingKeySpeed"
      static let timestamp = "kCLLocationCodingKeyTimestamp"
    }
  }
#endif
