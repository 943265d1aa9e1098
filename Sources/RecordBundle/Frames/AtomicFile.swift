import Foundation

/// A file that appears under its name only when it is whole.
///
/// The bytes go to a hidden neighbour, which ``commit()`` syncs and renames. Until then, and when
/// anything fails, a file that had the name before stays as it was. A neighbour that is neither
/// committed nor discarded is removed with this object; only a process that is killed leaves one
/// behind, recognisable by its name: `.NAME.RANDOM.partial`.
final class AtomicFile: FrameSink, @unchecked Sendable {
  let name: String
  private let lock = NSLock()
  private let destination: String
  private let temporary: String
  private let mustNotExist: Bool
  private var descriptor: Int32 = -1
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
    if let status {
      try Self.checkReplaceable(status, path: path, mustNotExist: mustNotExist)
      destination = Self.resolvingLinks(path)
    } else {
      destination = path
    }
    temporary = try Self.neighbour(of: destination, named: path)
    descriptor = SystemCall.createExclusively(temporary)
    guard descriptor >= 0 else {
      throw FrameError.system(errno, in: path, "create a file in its directory")
    }
    if let status {
      // Who could read the old file can read the new one; failing that, the owner can.
      _ = fchmod(descriptor, status.st_mode & 0o777)
    }
  }

  /// How many bytes are handed to the disk at a time.
  private static let writebackSize: UInt64 = 8 << 20

  deinit { discard() }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try lock.withLock {
      try checkOpen()
      let failure = SystemCall.writeAll(bytes, to: descriptor)
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
        descriptor, off_t(handedOver), off_t(written - handedOver), POSIX_FADV_DONTNEED)
      handedOver = written
    #endif
  }

  /// Syncs the bytes to the disk, puts the file in its place, and syncs the directory.
  /// - Throws: ``FrameError``; no file has then appeared, unless the last sync failed.
  func commit() throws {
    try lock.withLock {
      try checkOpen()
      do {
        try sync()
        // A network file system may report a failed write only now.
        let closing = close(descriptor)
        descriptor = -1
        if closing != 0, errno != EINTR { throw FrameError.system(errno, in: name, "close it") }
        try putInPlace()
      } catch {
        remove()
        throw error
      }
      try syncDirectory()
    }
  }

  func discard() {
    lock.withLock {
      if descriptor >= 0 { remove() }
    }
  }

  private func checkOpen() throws {
    if descriptor < 0 {
      throw FrameError(.misuse, in: name, "the file was already committed or discarded")
    }
  }

  private func sync() throws {
    #if canImport(Darwin)
      // Plain fsync leaves the bytes in the drive's cache on Apple systems.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    if SystemCall.retrying({ fsync(descriptor) }) != 0 {
      throw FrameError.system(errno, in: name, "sync it to the disk")
    }
  }

  private func putInPlace() throws {
    if mustNotExist {
      try claimName()
    }
    if rename(temporary, destination) != 0 {
      let number = errno
      if mustNotExist { unlink(destination) }
      throw FrameError.system(number, in: name, "put the finished file in its place")
    }
  }

  /// Creates an empty file under the name, which the rename then replaces: of two processes only
  /// one succeeds, on every file system.
  private func claimName() throws {
    let claim = SystemCall.createExclusively(destination)
    if claim >= 0 {
      close(claim)
    } else if errno == EEXIST {
      throw Self.existsError(name)
    } else {
      throw FrameError.system(errno, in: name, "create it")
    }
  }

  private func syncDirectory() throws {
    let directory = Self.split(destination).directory
    let handle = SystemCall.retrying { open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    // A directory that may be written but not read cannot be synced; nor can some file systems'.
    guard handle >= 0 else { return }
    defer { close(handle) }
    if SystemCall.retrying({ fsync(handle) }) != 0, errno != EINVAL, errno != ENOTSUP {
      throw FrameError.system(errno, in: name, "sync its directory to the disk")
    }
  }

  private func remove() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    unlink(temporary)
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

  private static func split(_ path: String) -> (directory: String, file: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = path[..<slash]
    return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
  }

  private static func neighbour(of path: String, named name: String) throws -> String {
    let (directory, file) = split(path)
    guard !file.isEmpty else {
      throw FrameError(.notAFile, in: name, "the path ends in a slash; name a file to write")
    }
    let suffix = ".\(SystemCall.randomSuffix()).partial"
    // A file name has at most 255 bytes; the last characters of a long one give way.
    var kept = file[...]
    while kept.utf8.count + suffix.utf8.count + 1 > 255 { kept.removeLast() }
    return "\(directory)/.\(kept)\(suffix)"
  }
}
