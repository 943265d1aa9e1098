import ArgumentParser
import Foundation
import RecordBundle
import RecordModel

/// Ends the process as an error demands: the text on standard error, the exit code documented in
/// the tool's help.
enum ErrorReport {
  static func exit(for error: any Error) -> Never {
    ProgressBar.clearLine()
    if error is Interrupted || error is CancellationError, let signal = Interruption.signal {
      Interruption.tell()
      Foundation.exit(128 + signal)
    }
    if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
    if isBrokenPipe(error) { Foundation.exit(ExitCode.brokenPipe.rawValue) }
    if RecordPackCommand.exitCode(for: error) == .success { leaveCleanly(error) }
    if isUsage(error) {
      let text = RecordPackCommand.fullMessage(for: error)
      let message = text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text
      writeLine("recordpack: error: \(message.visibleLines)")
    } else {
      report(error)
    }
    Foundation.exit(ExitCode.failed.rawValue)
  }

  /// Writes an error of a part of the work that the rest goes on without.
  static func report(_ error: any Error) {
    writeLine("recordpack: error: \(shortened(text(of: error)))")
  }

  /// Names in files may be of any length; the beginning and the end of a text say enough.
  private static func shortened(_ text: String) -> String {
    text.count <= 800 ? text : "\(text.prefix(400)) … \(text.suffix(300))"
  }

  static func warn(_ message: String) {
    writeLine("recordpack: warning: \(message.visible)")
  }

  /// What a person is told.
  static func text(of error: any Error) -> String {
    if let frame = error as? FrameError, frame.kind == .fileExists {
      return "'\(frame.source)' exists already; --force replaces it".visible
    }
    switch error {
    case let error as any LocalizedError & CustomStringConvertible:
      return error.description.visible
    case let error as NSError where type(of: error as Any) is NSError.Type:
      return error.localizedDescription.visible
    case let error as any CustomStringConvertible: return error.description.visible
    default: return (error as NSError).localizedDescription.visible
    }
  }

  /// Help, version and completion scripts are errors to the parser, and none to the shell.
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

  private static func isBrokenPipe(_ error: any Error) -> Bool {
    if let error = error as? FrameError { return error.errorNumber == EPIPE }
    return (error as? StandardOutput.WriteError)?.isBrokenPipe == true
  }

  private static func writeLine(_ text: String) {
    StandardError.write(text + "\n")
  }
}
