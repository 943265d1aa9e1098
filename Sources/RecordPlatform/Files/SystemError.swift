import Foundation

/// The error of a failed system call.
package struct SystemError: Error, Hashable {
  /// The system's `errno`.
  package let number: Int32
  /// The action that failed, as it follows "cannot": `create a file in its directory`.
  package let action: String

  package init(_ number: Int32, _ action: String) {
    self.number = number
    self.action = action
  }
}

extension SystemError: CustomStringConvertible, LocalizedError {
  /// The action and the reason in one line.
  package var description: String { "cannot \(action): \(String(cString: strerror(number)))" }

  /// The same as ``description``.
  package var errorDescription: String? { description }
}
