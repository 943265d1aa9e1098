import Foundation
import RecordPlatform

/// A file, or bytes in memory, that can be read at any offset from any thread.
final class RandomAccessFile: Sendable {
  /// The name of the file in errors.
  let name: String
  /// The size of the file in bytes when it was opened; never 0.
  let size: UInt64
  private let source: Source

  private enum Source {
    case file(ReopenableFile)
    /// The copy of a pipe, or standard input, which cannot be opened again by a path.
    case descriptor(Int32)
    case memory(Data)
  }

  /// Opens a file. A pipe is first copied to a temporary file that no other process can open.
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - anyContent: whether to copy a pipe that does not begin as a bundle.
  ///   - spoolLimit: the maximum number of bytes to copy from a pipe.
  /// - Throws: ``BundleError`` for a file that cannot be opened, a container that this process has
  ///   open, a directory, a device or an empty file.
  convenience init(
    path: String, anyContent: Bool = false,
    spoolLimit: UInt64 = PipeCopy.standardLimit
  ) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw BundleError(.misuse, in: path, "the path is empty or contains a NUL character")
    }
    if FileIdentity(path: path).map(OpenContainers.contains) == true {
      throw BundleError(
        .notABundle, in: path,
        "it is a container that this process has open; a bundle was expected")
    }
    let descriptor = InputWait.open(path)
    guard descriptor >= 0 else { throw BundleError.system(errno, in: path, "open it") }
    try self.init(
      adopting: descriptor, name: path, path: path, anyContent: anyContent, spoolLimit: spoolLimit)
  }

  /// Opens standard input: a file that is at its start is read in place, anything else is first
  /// copied to a temporary file.
  static func standardInput(
    anyContent: Bool = false, spoolLimit: UInt64 = PipeCopy.standardLimit
  ) throws -> RandomAccessFile {
    let name = "standard input"
    let copy = SystemCall.retrying { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) }
    guard copy >= 0 else { throw BundleError.system(errno, in: name, "read it") }
    return try RandomAccessFile(
      adopting: copy, name: name, anyContent: anyContent, spoolLimit: spoolLimit)
  }

  /// Takes ownership of an open descriptor, which is closed on an error, too.
  /// - Parameter path: a path by which a regular file can be opened again.
  init(
    adopting descriptor: Int32, name: String, path: String? = nil,
    anyContent: Bool = false, spoolLimit: UInt64 = PipeCopy.standardLimit
  ) throws {
    var kept = descriptor
    do {
      var status = try Self.status(descriptor, name)
      try Self.checkReadable(status, descriptor, name)
      // A file of which a part was already read begins at its current offset, as for `cat`.
      let isPlain = SystemCall.fileType(status) == mode_t(S_IFREG)
      if !isPlain || lseek(descriptor, 0, SEEK_CUR) != 0 {
        kept = try PipeCopy(descriptor, name: name, limit: spoolLimit).copy(
          anyContent: anyContent)
        close(descriptor)
        status = try Self.status(kept, name)
      }
      guard status.st_size > 0 else { throw Self.emptyError(name) }
      self.name = name
      self.size = UInt64(status.st_size)
      source =
        if kept == descriptor, let path {
          .file(ReopenableFile(path: path, descriptor: kept, status: status))
        } else {
          .descriptor(kept)
        }
    } catch {
      close(kept)
      throw error
    }
  }

  /// Creates a file of bytes in memory.
  /// - Throws: ``BundleError`` if there are none.
  init(_ data: Data, name: String) throws {
    guard !data.isEmpty else { throw Self.emptyError(name) }
    self.name = name
    size = UInt64(data.count)
    source = .memory(data)
  }

  deinit {
    if case .descriptor(let descriptor) = source { close(descriptor) }
  }

  /// Reads the bytes at `offset` into `bytes`.
  /// - Throws: ``BundleError`` if the system cannot read them or the file ends early.
  func read(at offset: UInt64, into bytes: UnsafeMutableRawBufferPointer) throws {
    let count = try readUpTo(at: offset, into: bytes)
    guard count == bytes.count else {
      throw BundleError(
        .truncated, in: name, at: offset &+ UInt64(count),
        "the file ends here; \(bytes.count - count) more bytes were expected; "
          + "it had \(size) bytes when it was opened")
    }
  }

  /// Reads the bytes at `offset` into `bytes`; fewer if the file ends.
  /// - Returns: the number of bytes read.
  func readUpTo(at offset: UInt64, into bytes: UnsafeMutableRawBufferPointer) throws -> Int {
    switch source {
    case .file(let file):
      do {
        return try file.withDescriptor { try readUpTo(at: offset, of: $0, into: bytes) }
      } catch let error as SystemError {
        throw BundleError.system(error.number, in: name, at: offset, error.action)
      }
    case .descriptor(let descriptor):
      return try readUpTo(at: offset, of: descriptor, into: bytes)
    case .memory(let data):
      guard offset < size else { return 0 }
      let start = data.startIndex + Int(offset)
      let rest = data[start..<(start + min(bytes.count, data.endIndex - start))]
      return rest.copyBytes(to: bytes)
    }
  }

  private func readUpTo(
    at offset: UInt64, of descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    let count = SystemCall.readAll(descriptor, at: offset, into: bytes)
    guard count >= 0 else {
      throw BundleError.system(errno, in: name, at: offset, "read \(bytes.count) bytes")
    }
    return count
  }

  /// Returns the bytes at `offset`; fewer if the file ends. For small counts only.
  func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = try readUpTo(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}

extension RandomAccessFile {
  private static func emptyError(_ name: String) -> BundleError {
    BundleError(.emptyFile, in: name, "it is empty; a bundle has at least a header")
  }

  private static func status(_ descriptor: Int32, _ name: String) throws -> stat {
    var status = stat()
    guard SystemCall.retrying({ fstat(descriptor, &status) }) == 0 else {
      throw BundleError.system(errno, in: name, "read its status")
    }
    return status
  }

  private static func checkReadable(_ status: stat, _ descriptor: Int32, _ name: String) throws {
    switch SystemCall.fileType(status) {
    case mode_t(S_IFDIR):
      throw BundleError(.notAFile, in: name, "it is a directory; a bundle file was expected")
    case mode_t(S_IFCHR) where isatty(descriptor) != 0:
      throw BundleError(.notAFile, in: name, "it is a terminal; pipe or redirect a bundle into it")
    case mode_t(S_IFCHR), mode_t(S_IFBLK):
      throw BundleError(.notAFile, in: name, "it is a device; a bundle file was expected")
    default: break
    }
  }
}
