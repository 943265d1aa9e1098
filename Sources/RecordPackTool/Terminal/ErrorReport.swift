import ArgumentParser
import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordText

/// Reports errors and warnings on standard error.
enum ErrorReport {
  /// Reports an error without exiting.
  ///
  /// - Parameter code: The exit code of the command.
  static func report(_ error: any Error, _ code: ExitCode = .failed) {
    report(text(of: error), code, at: ErrorDocument.place(of: error))
  }

  /// Reports an error with a message.
  static func report(
    _ message: String, _ code: ExitCode, at place: [JSONValue.Member] = []
  ) {
    let message = shortened(message)
    writeLine(
      isJSON
        ? ErrorDocument.error(message, exitCode: code.rawValue, place: place)
        : "recordpack: error: \(message)")
  }

  /// Whether errors and warnings are written as JSON.
  static let isJSON = ErrorDocument.isWanted(by: CommandLine.arguments.dropFirst())

  /// Truncates the middle of a text, as names in files may have any length.
  private static func shortened(_ text: String) -> String {
    text.count <= 800 ? text : "\(text.prefix(400)) … \(text.suffix(300))"
  }

  /// Reports a warning.
  ///
  /// - Parameter others: Further members of its JSON.
  static func warn(_ message: String, _ others: [JSONValue.Member] = []) {
    writeLine(
      isJSON
        ? ErrorDocument.document("warning", message.visible, others)
        : "recordpack: warning: \(message.visible)")
  }

  /// Warns of errors among responses: the first ten, and the number of the others.
  static func warn(ofResponses errors: [String]) {
    for error in errors.prefix(10) { warn(error) }
    if errors.count > 10 { warn("and \(errors.count - 10) more errors among the responses") }
  }

  /// The message of an error.
  static func text(of error: any Error) -> String {
    if let frame = error as? BundleError, frame.code == .fileExists {
      return "'\(frame.source)' already exists; use --force to replace it".visible
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

  /// Whether the reader of standard output has closed it.
  static func isBrokenPipe(_ error: any Error) -> Bool {
    if let error = error as? BundleError { return error.errorNumber == EPIPE }
    return (error as? StandardOutput.WriteError)?.isBrokenPipe == true
  }

  /// Writes a line on standard error.
  static func writeLine(_ text: String) {
    StandardError.write(text + "\n")
  }
}
