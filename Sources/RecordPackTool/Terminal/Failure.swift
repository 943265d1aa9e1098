import ArgumentParser

/// An error that ends a command, with a short message.
struct Failure: Error, CustomStringConvertible {
  /// What went wrong, with advice.
  let description: String

  init(_ description: String) {
    self.description = description
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
