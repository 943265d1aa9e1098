import Foundation
import MockCloud

/// What tests of a client may do to a served container, at paths that begin with `/admin/`.
///
/// Nothing of it exists unless a handler is given one of these: whoever reaches the handler may use it.
public struct WebAdmin: Sendable {
  /// The clock of the handler and of its containers, which can be advanced.
  public let clock: WebClock
  /// What goes wrong.
  package let faults = WebFaults()
  /// Returns a bundle with the contents of a container.
  let snapshot: @Sendable (MockContainer) throws -> Data

  /// - Parameters:
  ///   - clock: the clock that the handler's containers were given, too.
  ///   - snapshot: returns a bundle with the contents of a container; nil for the usual one.
  public init(
    clock: WebClock = WebClock(),
    snapshot: (@Sendable (MockContainer) throws -> Data)? = nil
  ) {
    self.clock = clock
    self.snapshot = snapshot ?? { try ContainerBundle.data(of: $0) }
  }
}
