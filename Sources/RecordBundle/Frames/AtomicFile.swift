import Foundation
import RecordPlatform

/// A file that appears under its name only when it is whole.
///
/// The bytes go to a hidden neighbour (``PartialFile``), which ``commit()`` syncs and renames. Until
/// then, and when anything fails, a file that had the name before stays as it was. A neighbour that
/// is neither committed nor discarded is removed with this object, and that of a process that was
/// killed by the next writer of the same name.
final class AtomicFile: FrameSink, @unchecked Sendable {
  let name: String
  private let lock = NSLock()
  private let mustNotExist: Bool
  private let file: PartialFile
  private var written: UInt64 = 0
  /// How many of them the system was asked to put on the disk.
  private var handedOver: UInt64 = 0

  /// Starts a file.
  /// - Parameters:
  ///   - path: where the file shall appear. A symbolic link to a file is followed.
  ///   - mustNotExist: refuse to replace a file: at once where it exists already, and in
  ///     ``commit()`` where it has come in the meantime.
  /// - Throws: ``FrameError``.
  init(path: String, mustNotExist: Bool = false) throws {
    name = path
    self.mustNotExist = mustNotExist
    let status = try Self.status(path)
    if let status { try Self.checkReplaceable(status, path: path, mustNotExist: mustNotExist) }
    guard path.utf8.last != UInt8(ascii: "/") else {
      throw FrameError(.notAFile, in: path, "the path ends in a slash; name a file to write")
    }
    file = try Self.translating(path) {
      try PartialFile(
        for: status == nil ? path : Self.resolvingLinks(path), inheriting: status)
    }
  }

  /// How many bytes are handed to the disk at a time.
  private static let writebackSize: UInt64 = 8 << 20

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try lock.withLock {
      try checkOpen()
      let failure = SystemCall.writeAll(bytes, to: file.descriptor)
      guard failure == 0 else {
        throw FrameError.system(failure, in: name, at: written, "write \(bytes.count) bytes")
      }
      written += UInt64(bytes.count)
      startWriteback()
    }
  }

  /// Has the system begin to put what was written on the disk, so that the sync at the end has
  /// little left to wait for.
  private func startWriteback() {
    #if os(Linux)
      guard written - handedOver >= Self.writebackSize else { return }
      // Only a hint, and the one that makes Linux write without waiting: pages that are not yet on
      // the disk stay in memory. Whether it fails is of no concern, for the sync tells.
      _ = posix_fadvise(
        file.descriptor, off_t(handedOver), off_t(written - handedOver), POSIX_FADV_DONTNEED)
      handedOver = written
    #endif
  }

  func prepareToCommit() throws {
    try lock.withLock {
      try checkOpen()
      try Self.translating(name) { try file.prepare() }
    }
  }

  /// Syncs the bytes to the disk, puts the file in its place, and syncs the directory.
  /// - Throws: ``FrameError``; no file has then appeared, unless the last sync failed.
  func commit() throws {
    try lock.withLock {
      try checkOpen()
      try Self.translating(name) { try file.publish(replacing: !mustNotExist) }
    }
  }

  func discard() {
    lock.withLock { file.discard() }
  }

  private func checkOpen() throws {
    if file.descriptor < 0 {
      throw FrameError(.misuse, in: name, "the file was already committed or discarded")
    }
  }

  private static func translating<R>(_ name: String, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as SystemError {
      if error.number == EEXIST { throw existsError(name) }
      throw FrameError.system(error.number, in: name, error.action)
    }
  }
}

extension AtomicFile {
  /// What a path leads to, as one of the `S_IF…` constants; `nil` where nothing is there.
  static func existingType(_ path: String) throws -> mode_t? {
    try status(path).map(SystemCall.fileType)
  }

  private static func status(_ path: String) throws -> stat? {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw FrameError(.misuse, in: path, "a file needs a name, without NUL bytes")
    }
    var status = stat()
    if SystemCall.retrying({ stat(path, &status) }) == 0 { return status }
    if errno == ENOENT { return nil }
    throw FrameError.system(errno, in: path, "look at it")
  }

  private static func checkReplaceable(_ status: stat, path: String, mustNotExist: Bool) throws {
    switch SystemCall.fileType(status) {
    case mode_t(S_IFREG):
      if mustNotExist { throw existsError(path) }
    case mode_t(S_IFDIR):
      throw FrameError(.notAFile, in: path, "it is a directory; name a file to write")
    default:
      throw FrameError(.notAFile, in: path, "it is not a plain file, so it cannot be replaced")
    }
  }

  private static func existsError(_ path: String) -> FrameError {
    FrameError(
      .fileExists, in: path, errorNumber: EEXIST,
      "the file exists already; remove it, or say that it may be replaced")
  }

  private static func resolvingLinks(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
