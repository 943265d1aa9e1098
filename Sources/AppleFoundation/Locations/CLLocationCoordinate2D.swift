#if os(Linux)
  /// https://developer.apple.com/documentation/corelocation/cllocationdegrees
  public typealias CLLocationDegrees = Double
  /// https://developer.apple.com/documentation/corelocation/cllocationdistance
  public typealias CLLocationDistance = Double
  /// https://developer.apple.com/documentation/corelocation/cllocationaccuracy
  public typealias CLLocationAccuracy = Double
  /// https://developer.apple.com/documentation/corelocation/cllocationspeed
  public typealias CLLocationSpeed = Double
  /// https://developer.apple.com/documentation/corelocation/cllocationdirection
  public typealias CLLocationDirection = Double

  /// https://developer.apple.com/documentation/corelocation/cllocationcoordinate2d
  public struct CLLocationCoordinate2D: Sendable {
    /// https://developer.apple.com/documentation/corelocation/cllocationcoordinate2d/latitude
    public var latitude: CLLocationDegrees
    /// https://developer.apple.com/documentation/corelocation/cllocationcoordinate2d/longitude
    public var longitude: CLLocationDegrees

    /// https://developer.apple.com/documentation/corelocation/cllocationcoordinate2d/init()
    public init() { (latitude, longitude) = (0, 0) }

    /// https://developer.apple.com/documentation/corelocation/cllocationcoordinate2d/init(latitude:longitude:)
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
      self.latitude = latitude
      self.longitude = longitude
    }
  }
#endif
