import Foundation
import RecordPlatform

/// A destination for the bytes of a ``FrameWriter``.
///
/// Calls come from one thread at a time, but not always from the same one; a sink is handed over
/// under a lock.
package protocol FrameSink: AnyObject, Sendable {
  /// The name of the destination in errors.
  var name: String { get }

  func write(_ bytes: UnsafeRawBufferPointer) throws

  /// Does the slow part of ``commit()`` in advance, for several sinks that are committed together.
  func prepareToCommit() throws

  /// Makes the written bytes final. The writer does not call this; the owner of the sink does, once
  /// everything that belongs together has been written.
  func commit() throws

  /// Discards the written bytes as far as possible. Does nothing after ``commit()``.
  func discard()
}

extension FrameSink {
  package func prepareToCommit() throws {}
}

/// Opens destinations.
package enum FrameOutput {
  /// Opens the destination at a path: a file is written beside the path and renamed at the end, a
  /// pipe or a device is written in place.
  /// - Parameters:
  ///   - path: the path of the destination; `-` is standard output.
  ///   - overwrite: whether to replace an existing file; if not, one is an error.
  package static func open(path: String, overwrite: Bool = true) throws -> any FrameSink {
    if path == "-" { return DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output") }
    if let type = try AtomicFile.existingType(path), type == S_IFIFO || type == S_IFCHR {
      return try DescriptorSink(openingPath: path)
    }
    return try AtomicFile(path: path, overwrite: overwrite)
  }

  /// Opens a destination, and commits what `body` writes to it.
  package static func write<R>(
    to path: String, overwrite: Bool, _ body: (any FrameSink) throws -> R
  ) throws -> R {
    let sink = try open(path: path, overwrite: overwrite)
    let result = try body(sink)
    try sink.commit()
    return result
  }
}

/// A file that gets its name only when it is complete.
///
/// The bytes go to a hidden temporary file in the same directory (``PartialFile``), which
/// ``commit()`` syncs and renames; until then, and on any error, an existing file of that name is
/// unchanged. A temporary file that is neither committed nor discarded is removed with this object;
/// one that a killed process left is removed by the next writer of the same name.
final class AtomicFile: FrameSink, @unchecked Sendable {
  let name: String
  private let overwrite: Bool
  private let file: PartialFile
  private var written: UInt64 = 0

  /// Creates the temporary file.
  /// - Parameters:
  ///   - path: the path of the file. A symbolic link to a file is followed.
  ///   - overwrite: whether to replace a file. If not, one is an error: at once if it exists, in
  ///     ``commit()`` if it has been created since.
  /// - Throws: ``BundleError``.
  init(path: String, overwrite: Bool = true) throws {
    name = path
    self.overwrite = overwrite
    let status = try Self.status(path)
    if let status { try Self.checkReplaceable(status, path: path, overwrite: overwrite) }
    guard path.utf8.last != UInt8(ascii: "/") else {
      throw BundleError(.notAFile, in: path, "the path ends with '/'; give the path of a file")
    }
    file = try Self.translating(path) {
      try PartialFile(
        for: status == nil ? path : Self.resolvingLinks(path), inheriting: status)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try checkOpen()
    let failure = SystemCall.writeAll(bytes, to: file.descriptor)
    guard failure == 0 else {
      throw BundleError.system(failure, in: name, at: written, "write \(bytes.count) bytes")
    }
    written += UInt64(bytes.count)
    if written >= PeriodicSync.step { file.startSyncing() }
  }

  func prepareToCommit() throws {
    try checkOpen()
    try Self.translating(name) { try file.prepare() }
  }

  /// Syncs the bytes to the disk, renames the file, and syncs the directory.
  /// - Throws: ``BundleError``; the file has then not appeared, unless the last sync failed.
  func commit() throws {
    try checkOpen()
    try Self.translating(name) { try file.publish(replacing: overwrite) }
  }

  func discard() { file.discard() }

  private func checkOpen() throws {
    if file.descriptor < 0 {
      throw BundleError(.misuse, in: name, "the file was already committed or discarded")
    }
  }

  private static func translating<R>(_ name: String, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as SystemError {
      if error.number == EEXIST { throw existsError(name) }
      throw BundleError.system(error.number, in: name, error.action)
    }
  }
}

extension AtomicFile {
  /// Returns the file type at a path, as one of the `S_IF…` constants; `nil` if none exists.
  static func existingType(_ path: String) throws -> mode_t? {
    try status(path).map(SystemCall.fileType)
  }

  private static func status(_ path: String) throws -> stat? {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw BundleError(.misuse, in: path, "the path is empty or contains a NUL character")
    }
    var status = stat()
    if SystemCall.retrying({ stat(path, &status) }) == 0 { return status }
    if errno == ENOENT { return nil }
    throw BundleError.system(errno, in: path, "read its status")
  }

  private static func checkReplaceable(_ status: stat, path: String, overwrite: Bool) throws {
    switch SystemCall.fileType(status) {
    case mode_t(S_IFREG):
      if !overwrite { throw existsError(path) }
    case mode_t(S_IFDIR):
      throw BundleError(.notAFile, in: path, "it is a directory; give the path of a file")
    default:
      throw BundleError(.notAFile, in: path, "it is not a regular file, so it cannot be replaced")
    }
  }

  private static func existsError(_ path: String) -> BundleError {
    BundleError(
      .fileExists, in: path, errorNumber: EEXIST,
      "the file already exists; remove it, or allow replacing it")
  }

  private static func resolvingLinks(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// A destination that is written in place: standard output, a pipe or a device.
///
/// If the reader of a pipe has closed it, ``write(_:)`` throws `EPIPE`, provided that the process
/// ignores `SIGPIPE`; otherwise the signal ends the process, as is usual for command-line tools.
final class DescriptorSink: FrameSink, @unchecked Sendable {
  let name: String
  private var descriptor: Int32
  private let closesAtEnd: Bool
  private var written: UInt64 = 0

  /// Writes to an open descriptor, which is not closed.
  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    closesAtEnd = false
  }

  /// Opens a pipe or a device for writing.
  init(openingPath path: String) throws {
    name = path
    closesAtEnd = true
    descriptor = SystemCall.retrying { open(path, O_WRONLY | O_CLOEXEC) }
    if descriptor < 0 { throw BundleError.system(errno, in: path, "open it for writing") }
  }

  deinit {
    if closesAtEnd, descriptor >= 0 { close(descriptor) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let failure = SystemCall.writeAll(bytes, to: descriptor)
    guard failure == 0 else {
      throw BundleError.system(failure, in: name, at: written, "write \(bytes.count) bytes")
    }
    written += UInt64(bytes.count)
  }

  /// Does nothing: what is written cannot be made more final.
  func commit() throws {}

  /// Does nothing: what is written cannot be taken back.
  func discard() {}
}
