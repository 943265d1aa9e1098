import Foundation

/// A file that is written beside the place where it will lie, and gets its name when it is whole.
///
/// It is called `.NAME.RANDOM.partial`, is readable by its owner only, and stays locked (`flock`)
/// until it has its name. What a killed process left behind is not locked any more; the next
/// ``PartialFile`` of that name removes it, with the files that SQLite keeps beside a database.
package final class PartialFile {
  /// Where the bytes are written.
  package let path: String
  /// Where the file will lie.
  package let target: String
  /// Open for reading and writing; -1 after ``publish(replacing:)`` and ``discard()``.
  package private(set) var descriptor: Int32
  /// Whether ``prepare()`` was called.
  private var isPrepared = false

  /// Creates an empty file beside `target`, and removes what killed processes left of that name.
  ///
  /// - Parameters:
  ///   - target: the path it will get; its last component is not empty.
  ///   - status: a file whose owner and permissions it takes over. Where the owner or the group
  ///     cannot be set, no one else gains access.
  /// - Throws: ``SystemError``.
  package init(for target: String, inheriting status: stat? = nil) throws {
    self.target = target
    let name = PartialFileName(target: target)
    name.sweep()
    (path, descriptor) = try Self.create(name)
    if let status { Self.inherit(status, descriptor) }
  }

  deinit { discard() }

  /// Syncs the bytes to the disk, so that ``publish(replacing:)`` only has to rename the file: for
  /// several files that belong together. ``syncDirectory(of:)`` completes them.
  package func prepare() throws {
    try Self.sync(descriptor, "sync it to the disk")
    isPrepared = true
  }

  /// Syncs the bytes to the disk, gives the file its name, and syncs the directory.
  ///
  /// The name holds the old file or the whole new one at any moment, never anything else.
  ///
  /// - Parameter replacing: whether a file that has the name gives way to this one. Otherwise of
  ///   two that want the name one fails with `EEXIST`; only on a file system that knows neither
  ///   hard links nor exclusive renames, the second of two within a moment may replace the first.
  /// - Throws: ``SystemError``; nothing has then got the name, unless the last sync failed.
  package func publish(replacing: Bool) throws {
    do {
      if !isPrepared { try Self.sync(descriptor, "sync it to the disk") }
      let failure = replacing ? rename() : renameExclusively()
      if failure != 0 { throw SystemError(failure, "put the finished file in its place") }
    } catch {
      discard()
      throw error
    }
    // Closed only now: without its lock the file would be taken for a leftover.
    close(descriptor)
    descriptor = -1
    if !isPrepared { try Self.syncDirectory(of: target) }
  }

  /// Removes the file. Does nothing after ``publish(replacing:)``.
  package func discard() {
    guard descriptor >= 0 else { return }
    PartialFileName.remove(path)
    close(descriptor)
    descriptor = -1
  }

  private static func create(_ name: PartialFileName) throws -> (String, Int32) {
    for _ in 0..<16 {
      let path = name.path(suffix: SystemCall.randomSuffix())
      let descriptor = SystemCall.createExclusively(path)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw SystemError(errno, "create a file in its directory") }
      if SystemCall.lock(descriptor) != EWOULDBLOCK, SystemCall.isFile(descriptor, at: path) {
        return (path, descriptor)
      }
      // Another process took it for a leftover in the moment before it was locked.
      close(descriptor)
    }
    throw SystemError(EEXIST, "create a file in its directory")
  }

  private static func inherit(_ status: stat, _ descriptor: Int32) {
    var mode = status.st_mode & 0o777
    // Only the superuser can set the owner; the group may be one of the user's own.
    let keepsGroup =
      fchown(descriptor, status.st_uid, status.st_gid) == 0
      || fchown(descriptor, uid_t.max, status.st_gid) == 0
    // Bits meant for one group are not given to another.
    if !keepsGroup { mode &= 0o707 | (mode & 0o007) << 3 }
    _ = fchmod(descriptor, mode)
  }

  private static func sync(_ descriptor: Int32, _ action: String) throws {
    #if canImport(Darwin)
      // Plain fsync leaves the bytes in the drive's cache on Apple systems.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    if SystemCall.retrying({ fsync(descriptor) }) != 0 { throw SystemError(errno, action) }
  }

  /// Syncs the directory that a file lies in to the disk.
  package static func syncDirectory(of target: String) throws {
    let directory = PartialFileName(target: target).directory
    let handle = SystemCall.retrying { open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    // A directory that may be written but not read cannot be synced; nor can some file systems'.
    guard handle >= 0 else { return }
    defer { close(handle) }
    do {
      try sync(handle, "sync its directory to the disk")
    } catch let error as SystemError where error.number == EINVAL || error.number == ENOTSUP {}
  }
}

extension PartialFile {
  /// - Returns: 0, or the `errno`.
  private func rename() -> Int32 {
    SystemCall.retrying { Foundation.rename(path, target) } == 0 ? 0 : errno
  }

  /// - Returns: 0, or the `errno`.
  private func renameExclusively() -> Int32 {
    let failure = SystemCall.renameExclusively(path, target)
    if failure == 0 || failure == EEXIST { return failure }
    // The file system cannot rename exclusively.
    var status = stat()
    return lstat(target, &status) == 0 ? EEXIST : rename()
  }
}
