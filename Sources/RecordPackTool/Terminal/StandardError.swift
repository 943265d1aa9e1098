import Foundation
import RecordSchema

enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

  /// Writes a text. Ignores errors, as there is nowhere to report them.
  ///
  /// GitHub Actions executes `##[…]` anywhere in a line, and messages contain names from files, so
  /// a space is inserted.
  static func write(_ text: String) {
    var rest = Array(text.separatingCommands.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }
}
