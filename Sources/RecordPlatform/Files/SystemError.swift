import Foundation

/// A call to the operating system that failed.
package struct SystemError: Error, Hashable {
  /// The system's `errno`.
  package let number: Int32
  /// What was to be done, in a form that follows "cannot": `create a file in its directory`.
  package let action: String

  package init(_ number: Int32, _ action: String) {
    self.number = number
    self.action = action
  }
}

extension SystemError: CustomStringConvertible, LocalizedError {
  /// What failed, and why.
  package var description: String { "cannot \(action): \(String(cString: strerror(number)))" }

  /// The same as ``description``.
  package var errorDescription: String? { description }
}
