import Foundation
import RecordCoding
import RecordPlatform
import RecordSchema
import RecordText

/// Buffered standard output. Unlike `print`, it throws if writing fails.
final class StandardOutput {
  struct WriteError: Error, CustomStringConvertible {
    let number: Int32
    /// Whether the reader closed standard output.
    var isBrokenPipe: Bool { number == EPIPE }
    var description: String {
      "cannot write to standard output: \(String(cString: strerror(number)))"
    }
  }

  private static let pieceSize = 64 << 10
  private var buffer: [UInt8] = []

  init() {}

  /// Writes lines, and flushes.
  static func write(_ lines: [String]) throws {
    let output = StandardOutput()
    for line in lines { try output.line(line) }
    try output.flush()
  }

  /// Writes a text, and flushes.
  static func write(_ text: String) throws {
    let output = StandardOutput()
    try output.write(text)
    try output.flush()
  }

  static var isTerminal: Bool { isatty(STDOUT_FILENO) != 0 }

  /// Whether output goes to another program.
  static var isPipe: Bool {
    var status = stat()
    return fstat(STDOUT_FILENO, &status) == 0
      && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Text from a file for output: unchanged for a file or pipe, with control characters escaped for
  /// a terminal.
  static func shown(_ text: String) -> String { isTerminal ? text.visibleLines : text }

  /// Opens /dev/null for standard descriptors that the caller closed, so that no opened file gets
  /// their numbers and a report cannot end up in a bundle. They are opened in the wrong direction,
  /// so that using them fails.
  static func reserveDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The width of the terminal in columns; nil for a file or pipe.
  static var terminalWidth: Int? {
    isTerminal ? columns(of: STDOUT_FILENO) : nil
  }

  /// The width of a descriptor's terminal in columns; 80 if unknown.
  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  func line(_ text: String = "") throws {
    try write(text)
    try write("\n")
  }

  /// Writes the buffer. Must be called at the end.
  func flush() throws {
    try Interruption.checkReading()
    let number = buffer.withUnsafeBytes { SystemCall.writeAll($0, to: STDOUT_FILENO) }
    guard number == 0 else { throw WriteError(number: number) }
    buffer.removeAll(keepingCapacity: true)
  }
}

enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

  /// Writes a text. Ignores errors, as there is nowhere to report them.
  ///
  /// GitHub Actions executes `##[…]` anywhere in a line, and messages contain names from files, so
  /// a space is inserted.
  static func write(_ text: String) {
    Array(text.separatingCommands.utf8).withUnsafeBytes {
      _ = SystemCall.writeAll($0, to: STDERR_FILENO)
    }
  }
}

/// A JSON object that ends with a list and what follows it. Each item of the list is written as it is
/// found, as there may be millions.
struct StreamedDocument {
  private let output: StandardOutput
  private var isEmpty = true

  /// Writes what is before the list.
  ///
  /// - Parameter list: The name of the list.
  init(_ head: JSONValue, list: String, to output: StandardOutput) throws {
    self.output = output
    try output.write(
      head.visibleText.dropLast() + ",\(JSONValue.string(list).visibleText):[")
  }

  mutating func add(_ item: JSONValue) throws {
    try output.write((isEmpty ? "\n" : ",\n") + item.visibleText)
    isEmpty = false
  }

  /// Writes what follows the list: at least one member.
  func end(_ members: JSONValue) throws {
    try output.line((isEmpty ? "]," : "\n],") + members.visibleText.dropFirst())
  }
}
