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

public final class CLFloor: NSObject, Sendable {
  public let level: Int

  init(level: Int) { self.level = level }
}

public final class CLLocationSourceInformation: NSObject, Sendable {
  public let isSimulatedBySoftware: Bool
  public let isProducedByAccessory: Bool

  public init(softwareSimulationState: Bool, andExternalAccessoryState: Bool) {
    isSimulatedBySoftware = softwareSimulationState
    isProducedByAccessory = andExternalAccessoryState
  }
}
