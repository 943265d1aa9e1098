import Foundation

/// Standard error: for what is no result.
enum StandardError {
  /// Whether a person is looking.
  static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

  /// Writes a text; where nobody takes it, there is nobody to tell.
  ///
  /// The runner of GitHub Actions takes `##[…]` for a command wherever it stands in a line, and what
  /// is told holds names from files; so the two are parted.
  static func write(_ text: String) {
    var rest = Array(text.replacing("##[", with: "## [").utf8)[...]
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
