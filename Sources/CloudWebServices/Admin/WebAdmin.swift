import Foundation
import MockCloud
import Synchronization

/// The requests by which tests of a client control a served container: the paths under `/admin/`.
///
/// A handler without one of these does not have the paths. Whoever reaches the handler may use them.
package struct WebAdmin: Sendable {
  /// The clock of the handler and of its containers, which can be advanced.
  package let clock: WebClock
  /// The faults that tests set up.
  package let faults = WebFaults()
  /// Returns a bundle with the contents of a container.
  let snapshot: @Sendable (MockContainer) throws -> Data

  /// - Parameters:
  ///   - clock: the clock that the handler's containers were given, too.
  ///   - snapshot: returns a bundle with the contents of a container; nil for the usual one.
  package init(
    clock: WebClock = WebClock(),
    snapshot: (@Sendable (MockContainer) throws -> Data)? = nil
  ) {
    self.clock = clock
    self.snapshot = snapshot ?? { try ContainerBundle.data(of: $0) }
  }
}

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
