import ArgumentParser
import Foundation
import RecordText

/// When to use colours.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, always, never
}

extension TerminalStyle {
  /// By default, uses colours on a terminal unless `NO_COLOR` is set (<https://no-color.org>) or
  /// the terminal is dumb.
  init(_ choice: ColorChoice) {
    switch choice {
    case .always: self.init(isColored: true)
    case .never: self.init(isColored: false)
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      self.init(
        isColored: StandardOutput.isTerminal && environment["NO_COLOR", default: ""].isEmpty
          && environment["TERM"] != "dumb")
    }
  }
}
