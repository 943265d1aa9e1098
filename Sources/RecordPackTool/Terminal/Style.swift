import Foundation

/// Text colours.
struct Style: Sendable {
  /// When to use colours.
  enum Choice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  let isColored: Bool

  /// By default, uses colours on a terminal unless `NO_COLOR` is set (<https://no-color.org>) or
  /// the terminal is dumb.
  init(_ choice: Choice) {
    switch choice {
    case .always: isColored = true
    case .never: isColored = false
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      isColored =
        StandardOutput.isTerminal && environment["NO_COLOR", default: ""].isEmpty
        && environment["TERM"] != "dumb"
    }
  }

  func paint(_ text: String, _ color: Color?) -> String {
    guard isColored, let color, !text.isEmpty else { return text }
    return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
  }
}
