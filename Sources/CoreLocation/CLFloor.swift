import AppleFoundation

public final class CLFloor: NSObject, Sendable {
  public let level: Int

  init(level: Int) { self.level = level }
}
