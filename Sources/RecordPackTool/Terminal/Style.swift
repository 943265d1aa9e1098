import Foundation

/// Colours, or none.
struct Style: Sendable {
  /// When there are colours.
  enum Choice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// The few that are used.
  enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  let isColored: Bool

  /// By default there are colours where a person looks at a terminal and `NO_COLOR` is not set
  /// (<https://no-color.org>).
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
