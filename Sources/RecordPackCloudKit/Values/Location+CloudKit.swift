#if canImport(CloudKit)
  import CloudKit
  import CoreLocation
  import RecordModel

  extension Location {
    /// Creates a location from one of Core Location.
    public init(_ location: CLLocation) {
      self.init(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        altitude: location.altitude, horizontalAccuracy: location.horizontalAccuracy,
        verticalAccuracy: location.verticalAccuracy, course: location.course,
        speed: location.speed, timestamp: location.timestamp)
    }
  }

  extension CLLocation {
    /// Creates a location from one of RecordPack.
    ///
    /// A property that is nil becomes what `CLLocation(latitude:longitude:)` sets, or what Core
    /// Location calls invalid: 0 for the altitude and the horizontal accuracy, -1 for the vertical
    /// accuracy, the course and the speed. A timestamp that is nil becomes the start of 1970.
    public convenience init(_ location: Location) {
      self.init(
        coordinate: CLLocationCoordinate2D(
          latitude: location.latitude, longitude: location.longitude),
        altitude: location.altitude ?? 0, horizontalAccuracy: location.horizontalAccuracy ?? 0,
        verticalAccuracy: location.verticalAccuracy ?? -1, course: location.course ?? -1,
        speed: location.speed ?? -1, timestamp: location.timestamp ?? Date(timeIntervalSince1970: 0)
      )
    }
  }
#endif
