import AppStores
import ArgumentParser
import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema
import RecordText

/// An error that ends a command, with a short message.
struct CommandError: Error, CustomStringConvertible {
  /// The problem, with advice.
  let description: String
  /// The place of the error for its JSON, such as `file` and `line`.
  let place: JSONValue

  init(_ description: String, at place: JSONValue = [:]) {
    self.description = description
    self.place = place
  }
}

extension ExitCode {
  /// The command completed, with findings.
  static let findings = ExitCode(1)
  /// Wrong usage, unreadable input, or a failure.
  static let failed = ExitCode(2)
  /// The reader closed standard output; the code is that of a shell.
  static let brokenPipe = ExitCode(141)
}

extension [String] {
  /// The first names of a list, for a message.
  var firstFew: String { prefix(12).joined(separator: ", ") + (count > 12 ? ", …" : "") }
}

/// Reports errors, warnings and notes on standard error: as text, or for a command that is asked for
/// JSON as JSON, one line each.
enum ErrorReport {
  /// Whether errors and warnings are written as JSON.
  static let isJSON = isJSONWanted(by: CommandLine.arguments.dropFirst())

  /// Whether arguments ask for JSON, also where they are otherwise wrong.
  static func isJSONWanted(by arguments: some Collection<String>) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
  }

  /// Reports an error without exiting.
  ///
  /// - Parameter code: The exit code of the command.
  static func report(_ error: any Error, _ code: ExitCode = .failed) {
    report(text(of: error), code, at: place(of: error))
  }

  /// Reports an error with a message.
  static func report(_ message: String, _ code: ExitCode, at place: JSONValue = [:]) {
    // Names in files may have any length.
    let message =
      message.count <= 800 ? message : "\(message.prefix(400)) … \(message.suffix(300))"
    write(
      "error", message, .merging(["exitCode": code.rawValue], place),
      orText: "recordpack: error: \(message)")
  }

  /// Reports a warning.
  ///
  /// - Parameter others: Further members of its JSON.
  static func warn(_ message: String, _ others: JSONValue = [:]) {
    write("warning", message.visible, others, orText: "recordpack: warning: \(message.visible)")
  }

  /// Warns of errors among responses: the first ten, and the number of the others.
  static func warn(ofResponses errors: [String]) {
    for error in errors.prefix(10) { warn(error) }
    if errors.count > 10 { warn("and \(errors.count - 10) more errors among the responses") }
  }

  /// Warns of values and rows in the stores of apps that records do not have as the app stored them.
  /// Returns whether there are any.
  static func warn(ofValuesIn sources: [ArchiveSource]) -> Bool {
    var hasAny = false
    for case .appStore(let store) in sources {
      for (loss, count) in store.losses {
        warn("in '\(store.path)', \(loss.text(count))", ["file": store.path])
        hasAny = true
      }
    }
    return hasAny
  }

  /// Writes a message beside the result of a command.
  static func note(_ message: String) { write("note", message, [:], orText: message) }

  /// Writes that the command was interrupted.
  static func interrupted(_ message: String, exitCode: Int32) {
    write("error", message, ["exitCode": exitCode], orText: "recordpack: \(message)")
  }

  private static func write(
    _ kind: String, _ message: String, _ others: JSONValue, orText text: String
  ) {
    let json = ReportOptions.document(kind, .merging(["message": message], others))
    StandardError.write((isJSON ? json.visibleText : text) + "\n")
  }

  /// The message of an error.
  static func text(of error: any Error) -> String {
    if let error = error as? BundleError, error.code == .fileExists {
      return "'\(error.source)' already exists; use --force to replace it".visible
    }
    switch error {
    case let error as any LocalizedError & CustomStringConvertible:
      return error.description.visible
    case let error as NSError where type(of: error as Any) is NSError.Type:
      return error.reason.visible
    case let error as any CustomStringConvertible: return error.description.visible
    default: return error.reason.visible
    }
  }

  /// The place of an error: `file`, `line`, `frame`, `byte`, `path`, `record`, `field`.
  private static func place(of error: any Error) -> JSONValue {
    switch error {
    case let error as CommandError: return error.place
    case let error as BundleError:
      return [
        "file": error.source, "frame": error.frame, "byte": error.byteOffset, "line": error.line,
      ]
    case let error as RecordCodingError:
      return ["byte": error.offset, "path": error.path.isEmpty ? nil : error.path]
    case SchemaError.syntax(let document): return ["file": document.name]
    case let error as CloudError:
      guard case .record(let recordID, let key) = error.violation?.subject else { return [:] }
      return ["record": recordID.recordName, "field": key]
    default: return [:]
    }
  }

  // MARK: Exit

  /// Reports an error, and exits with the documented code.
  static func exit(for error: any Error) -> Never {
    ProgressBar.clearLine()
    if error is Interrupted || error is CancellationError, let signal = Interruption.signal {
      Interruption.tell()
      Foundation.exit(128 + signal)
    }
    if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
    if isBrokenPipe(error) { Foundation.exit(ExitCode.brokenPipe.rawValue) }
    switch RecordPackCommand.exitCode(for: error) {
    case .success: leaveCleanly(error)
    case .validationFailure where isJSON:
      let help = RecordPackCommand.fullMessage(for: error).split(separator: "\n").first {
        $0.hasPrefix("Help:")
      }
      let expected = help.map { ";" + $0.dropFirst(5).replacing("  ", with: " ") } ?? ""
      report(RecordPackCommand.message(for: error) + expected, .failed)
    case .validationFailure:
      let text = RecordPackCommand.fullMessage(for: error)
      let message = text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text
      StandardError.write("recordpack: error: \(message.visibleLines)\n")
    default: report(error)
    }
    Foundation.exit(ExitCode.failed.rawValue)
  }

  /// Prints help, the version or a completion script, which the parser throws as errors.
  private static func leaveCleanly(_ error: any Error) -> Never {
    do {
      try StandardOutput.write([RecordPackCommand.fullMessage(for: error)])
    } catch {
      exit(for: error)
    }
    Foundation.exit(0)
  }

  /// Whether the reader of standard output has closed it.
  private static func isBrokenPipe(_ error: any Error) -> Bool {
    if let error = error as? BundleError { return error.errorNumber == EPIPE }
    return (error as? StandardOutput.WriteError)?.isBrokenPipe == true
  }
}

extension Error {
  /// Why the system rejected an operation on a file, as it says it: `Is a directory`. Foundation's own text
  /// of many errors is a number.
  var reason: String {
    let error = self as NSError
    let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
    let code = [error, cause].compactMap { $0 }.first { $0.domain == NSPOSIXErrorDomain }?.code
    return code.map { String(cString: strerror(Int32($0))) } ?? localizedDescription
  }
}
