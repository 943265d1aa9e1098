import Foundation
import MockCloud

/// A use of CloudKit for which Apple's framework raises an exception, which ends the process.
///
/// The test goes on here: the exception is a failure of the test.
enum ClientException {
  static let handler = Locked<(@Sendable (String) -> Void)?>(nil)

  /// Records the exception, and returns if a test or ``CKContainer/onException`` takes it.
  ///
  /// - Parameter reason: The words of Apple's framework, where they are known.
  static func raise(_ reason: String) {
    if let handler = handler.current {
      handler(reason)
    } else if let test = TestScope.current {
      test.recordFailure(reason)
    } else {
      fatalError(reason)
    }
  }
}
