import ArgumentParser

/// Something that ends a command, told in a line or two.
struct Failure: Error, CustomStringConvertible {
  /// What went wrong, and what to do.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension ExitCode {
  /// The work is done, and something was found.
  static let findings = ExitCode(1)
  /// Wrong usage, unreadable input, or work that failed.
  static let failed = ExitCode(2)
  /// The reader of standard output has gone, as a shell reports it.
  static let brokenPipe = ExitCode(141)
}
