import CloudInterface
import Synchronization

/// The container and rules that a running test gives to code that finds its container by an
/// identifier, as `CKContainer` does.
///
/// A trait of a test sets it, and a sync trial for each of its devices. Tasks that the test makes inherit it; detached tasks do not.
package final class TestScope: Sendable {
  /// The scope of the running test; nil outside a test that has one.
  @TaskLocal package static var current: TestScope?

  private let makeContainer: @Sendable () throws -> any CloudContainer
  private let record: @Sendable (String) -> Void
  private let attachment = Mutex<(any AnyObject & Sendable)?>(nil)
  private let ended = Mutex(false)

  /// - Parameters:
  ///   - container: Returns the container of the test, always the same.
  ///   - recordFailure: Records a failure of the test.
  package init(
    container: @escaping @Sendable () throws -> any CloudContainer,
    recordFailure: @escaping @Sendable (String) -> Void
  ) {
    makeContainer = container
    record = recordFailure
  }

  /// The container of the test.
  package var container: any CloudContainer {
    get throws { try makeContainer() }
  }

  /// Whether the test has ended. Objects that the test made no longer find its container here.
  package var hasEnded: Bool { ended.withLock { $0 } }

  /// Notes that the test has ended.
  package func end() { ended.withLock { $0 = true } }

  /// Records a failure of the test.
  package func recordFailure(_ message: String) { record(message) }

  /// Returns an object that lives as long as the scope, and makes it if there is none.
  package func attached<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
    attachment.withLock { attachment in
      if let known = attachment as? Object { return known }
      let made = make()
      attachment = made
      return made
    }
  }
}
