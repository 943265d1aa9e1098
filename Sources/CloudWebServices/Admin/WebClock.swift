import Foundation
import Synchronization

/// The time of this machine, and how far a test has advanced it.
public final class WebClock: Sendable {
  private let offset = Mutex<TimeInterval>(0)
  private let base: @Sendable () -> Date

  /// - Parameter base: returns the time before it is advanced.
  public init(base: @escaping @Sendable () -> Date = { Date() }) { self.base = base }

  /// The time.
  public var now: Date { base().addingTimeInterval(offset.withLock { $0 }) }

  /// Advances the clock by some seconds.
  public func advance(by seconds: TimeInterval) { offset.withLock { $0 += seconds } }
}
