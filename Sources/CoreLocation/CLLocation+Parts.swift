import AppleFoundation

public typealias CLLocationDirectionAccuracy = Double
public typealias CLLocationSpeedAccuracy = Double

// CloudKit does not store these: they are invalid, as those of a location without them.
extension CLLocation {
  public var courseAccuracy: CLLocationDirectionAccuracy { -1 }
  public var speedAccuracy: CLLocationSpeedAccuracy { -1 }
  public var ellipsoidalAltitude: CLLocationDistance { 0 }
  public var floor: CLFloor? { nil }
  public var sourceInformation: CLLocationSourceInformation? { nil }
}
