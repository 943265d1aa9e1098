import ArgumentParser
import Foundation
import RecordText

extension ErrorReport {
  /// Reports an error, and exits with the documented code.
  static func exit(for error: any Error) -> Never {
    ProgressBar.clearLine()
    if error is Interrupted || error is CancellationError, let signal = Interruption.signal {
      Interruption.tell()
      Foundation.exit(128 + signal)
    }
    if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
    if isBrokenPipe(error) { Foundation.exit(ExitCode.brokenPipe.rawValue) }
    if RecordPackCommand.exitCode(for: error) == .success { leaveCleanly(error) }
    if isUsage(error), isJSON {
      report(RecordPackCommand.message(for: error), .failed)
    } else if isUsage(error) {
      let text = RecordPackCommand.fullMessage(for: error)
      let message = text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text
      writeLine("recordpack: error: \(message.visibleLines)")
    } else {
      report(error)
    }
    Foundation.exit(ExitCode.failed.rawValue)
  }

  /// Prints help, the version or a completion script, which the parser throws as errors.
  private static func leaveCleanly(_ error: any Error) -> Never {
    let output = StandardOutput()
    do {
      try output.line(RecordPackCommand.fullMessage(for: error))
      try output.flush()
    } catch {
      exit(for: error)
    }
    Foundation.exit(0)
  }

  private static func isUsage(_ error: any Error) -> Bool {
    RecordPackCommand.exitCode(for: error) == .validationFailure
  }
}
