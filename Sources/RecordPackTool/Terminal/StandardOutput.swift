import Foundation

/// Standard output, buffered. Unlike `print`, it notices when nothing can be written.
final class StandardOutput {
  /// The system refused to write.
  struct WriteError: Error, CustomStringConvertible {
    let number: Int32
    /// Whether nobody reads standard output any more.
    var isBrokenPipe: Bool { number == EPIPE }
    var description: String { "cannot write standard output: \(String(cString: strerror(number)))" }
  }

  private static let pieceSize = 64 << 10
  private var buffer: [UInt8] = []

  /// Whether a person is looking.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) != 0 }

  /// A text that comes from files, as it is written: a file or pipe gets it to the last byte, and a
  /// terminal must not be driven by it.
  static func shown(_ text: String) -> String { isTerminal ? text.visibleLines : text }

  /// Keeps the numbers 0, 1 and 2 from the files that are opened, where the caller has closed them:
  /// a report must not land in a bundle. What is put there can be neither read nor written.
  static func reserveDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The columns of the terminal; nil where a file or a pipe is written.
  static var terminalWidth: Int? { isTerminal ? columns(of: STDOUT_FILENO) : nil }

  /// The columns of the terminal behind a descriptor; 80 where it does not say.
  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  func line(_ text: String = "") throws {
    try write(text)
    try write("\n")
  }

  /// Writes what was gathered; nothing is written by itself in the end.
  func flush() throws {
    try buffer.withUnsafeBytes { bytes in
      var rest = bytes
      while let start = rest.baseAddress, !rest.isEmpty {
        let count = Foundation.write(STDOUT_FILENO, start, rest.count)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EAGAIN {
          var waiting = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
          _ = poll(&waiting, 1, -1)
        } else if errno != EINTR {
          throw WriteError(number: errno)
        }
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
