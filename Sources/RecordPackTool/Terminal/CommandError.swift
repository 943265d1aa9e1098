import ArgumentParser
import RecordCoding

/// An error that ends a command, with a short message.
struct CommandError: Error, CustomStringConvertible {
  /// What went wrong, with advice.
  let description: String
  /// The place of the error for its JSON, such as `file` and `line`.
  let place: [JSONValue.Member]

  init(_ description: String, at place: [JSONValue.Member] = []) {
    self.description = description
    self.place = place
  }
}

extension [String] {
  /// The first names of a list, for a message.
  var firstFew: String { prefix(12).joined(separator: ", ") + (count > 12 ? ", …" : "") }
}

extension ExitCode {
  /// The command completed, with findings.
  static let findings = ExitCode(1)
  /// Wrong usage, unreadable input, or a failure.
  static let failed = ExitCode(2)
  /// The reader closed standard output; the code is that of a shell.
  static let brokenPipe = ExitCode(141)
}
