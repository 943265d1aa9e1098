#if os(Linux)
  public typealias CLLocationDegrees = Double
  public typealias CLLocationDistance = Double
  public typealias CLLocationAccuracy = Double
  public typealias CLLocationSpeed = Double
  public typealias CLLocationDirection = Double
  public struct CLLocationCoordinate2D: Sendable {
    public var latitude: CLLocationDegrees
    public var longitude: CLLocationDegrees
    public init() { (latitude, longitude) = (0, 0) }
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
      self.latitude = latitude
      self.longitude = longitude
    }
  }
#endif
