import Foundation

/// A file that is written beside its target, and renamed when it is complete.
///
/// It has the name `.NAME.RANDOM.partial`, is readable only by its owner, and stays locked
/// (`flock`) until it is renamed. A file that a killed process left is not locked; the next
/// ``PartialFile`` with the same target removes it, together with SQLite's files beside it.
package final class PartialFile {
  /// The path of the temporary file.
  package let path: String
  /// The path that the file will get.
  package let target: String
  /// A descriptor for reading and writing; -1 after ``publish(replacing:)`` and ``discard()``.
  package private(set) var descriptor: Int32
  private var isPrepared = false
  private var periodicSync: PeriodicSync?

  /// Creates an empty file beside `target`, and removes those that killed processes left.
  ///
  /// - Parameters:
  ///   - target: the path that the file will get; its last component is not empty.
  ///   - status: a file whose owner and permissions are copied. If the owner or the group cannot be
  ///     set, no one else gains access.
  /// - Throws: ``SystemError``.
  package init(for target: String, inheriting status: stat? = nil) throws {
    self.target = target
    let name = PartialFileName(target: target)
    name.removeLeftovers()
    (path, descriptor) = try Self.create(name)
    if let status { Self.inherit(status, descriptor) }
  }

  deinit { discard() }

  /// Removes those files that killed processes left in a directory, by the names of their targets.
  package static func removeLeftovers(
    in directory: String, where isIncluded: (_ target: String) -> Bool
  ) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for target in Set(names.compactMap(PartialFileName.target)) where isIncluded(target) {
      PartialFileName(target: "\(directory)/\(target)").removeLeftovers()
    }
  }

  /// Syncs the bytes to the disk from now on while they are written (``PeriodicSync``).
  package func startSyncing() {
    if periodicSync == nil { periodicSync = PeriodicSync(descriptor) }
  }

  /// Syncs the bytes to the disk, so that ``publish(replacing:)`` only renames the file. For
  /// several files that belong together; ``syncDirectory(of:)`` completes them.
  package func prepare() throws {
    try syncBytes()
    isPrepared = true
  }

  /// Syncs the bytes to the disk, renames the file, and syncs the directory.
  ///
  /// The target is the old file or the complete new one at any moment.
  ///
  /// - Parameter replacing: whether to replace an existing file. If not, one of two concurrent
  ///   calls fails with `EEXIST`; only on a file system without hard links and exclusive renames,
  ///   the second one may replace the first.
  /// - Throws: ``SystemError``; the file was then not renamed, unless the last sync failed.
  package func publish(replacing: Bool) throws {
    do {
      if !isPrepared { try syncBytes() }
      let failure = replacing ? rename() : renameExclusively()
      if failure != 0 { throw SystemError(failure, "rename the finished file") }
    } catch {
      discard()
      throw error
    }
    // Closed only now: without its lock the file would count as a leftover.
    close(descriptor)
    descriptor = -1
    if !isPrepared { try Self.syncDirectory(of: target) }
  }

  /// Removes the file. Does nothing after ``publish(replacing:)``.
  package func discard() {
    guard descriptor >= 0 else { return }
    try? endPeriodicSync()
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
      // Another process removed it as a leftover before it was locked.
      close(descriptor)
    }
    throw SystemError(EEXIST, "create a file in its directory")
  }

  private static func inherit(_ status: stat, _ descriptor: Int32) {
    var mode = status.st_mode & 0o777
    // Only the superuser can set the owner; the group may be another group of the user.
    let keepsGroup =
      fchown(descriptor, status.st_uid, status.st_gid) == 0
      || fchown(descriptor, uid_t.max, status.st_gid) == 0
    // Permissions of one group are not given to another.
    if !keepsGroup { mode &= 0o707 | (mode & 0o007) << 3 }
    _ = fchmod(descriptor, mode)
  }

  private func syncBytes() throws {
    try endPeriodicSync()
    try Self.sync(descriptor, "sync it to the disk")
  }

  private func endPeriodicSync() throws {
    defer { periodicSync = nil }
    try periodicSync?.end()
  }

  private static func sync(_ descriptor: Int32, _ action: String) throws {
    #if canImport(Darwin)
      // On Apple systems, fsync leaves the bytes in the drive's cache.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    if SystemCall.retrying({ fsync(descriptor) }) != 0 { throw SystemError(errno, action) }
  }

  /// Syncs the directory of a file to the disk.
  package static func syncDirectory(of target: String) throws {
    let directory = PartialFileName(target: target).directory
    let handle = SystemCall.retrying { open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    // A directory without read permission cannot be synced, nor can those of some file systems.
    guard handle >= 0 else { return }
    defer { close(handle) }
    do {
      try sync(handle, "sync its directory to the disk")
    } catch let error as SystemError where error.number == EINVAL || error.number == ENOTSUP {}
  }

  /// Renames the file.
  /// - Returns: 0, or the `errno`.
  private func rename() -> Int32 {
    SystemCall.retrying { Foundation.rename(path, target) } == 0 ? 0 : errno
  }

  /// Renames the file if the target does not exist.
  /// - Returns: 0, or the `errno`.
  private func renameExclusively() -> Int32 {
    let failure = SystemCall.renameExclusively(path, target)
    if failure == 0 || failure == EEXIST { return failure }
    // The file system does not support exclusive renames.
    var status = stat()
    return lstat(target, &status) == 0 ? EEXIST : rename()
  }
}

/// The names of the temporary files for one target: `.NAME.RANDOM.partial`.
struct PartialFileName {
  /// The directory of the target, which contains all of them.
  let directory: String
  private let prefix: [UInt8]

  private static let ending = ".partial"
  private static let randomCount = 16
  /// The maximum length of a file name in bytes.
  private static let maxLength = 255

  init(target: String) {
    let path = SplitPath(target)
    directory = path.openableDirectory
    var file = path.name
    // A long name is truncated.
    let longest = Self.maxLength - Self.randomCount - Self.ending.utf8.count - 2
    while file.utf8.count > longest { file.removeLast() }
    prefix = Array(".\(file).".utf8)
  }

  /// Returns the name of the target of a temporary file; nil for other files, and for names that
  /// were truncated.
  static func target(of file: String) -> String? {
    let name = file.utf8
    let end = name.count - randomCount - ending.utf8.count - 1
    guard end > 1, name.first == UInt8(ascii: "."), name.count < maxLength,
      let target = String(name.prefix(end).dropFirst())
    else { return nil }
    return PartialFileName(target: target).matches(name) ? target : nil
  }

  /// Returns the path of the file with that random suffix.
  func path(suffix: String) -> String {
    "\(directory)/\(String(decoding: prefix, as: UTF8.self))\(suffix)\(Self.ending)"
  }

  /// Removes the files for this target that no process has locked.
  func removeLeftovers() {
    // Collected first: reading a directory that changes is not portable.
    for name in leftovers() {
      let path = "\(directory)/\(name)"
      // Nonblocking, because opening a pipe of that name could block.
      let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
      let descriptor = SystemCall.retrying { open(path, flags) }
      guard descriptor >= 0 else { continue }
      if SystemCall.lock(descriptor) == 0, SystemCall.isFile(descriptor, at: path) {
        Self.remove(path)
      }
      close(descriptor)
    }
  }

  /// Removes SQLite's files beside a file, then the file, by which the others are found.
  static func remove(_ path: String) {
    for suffix in ["-journal", "-wal", "-shm", ""] { unlink(path + suffix) }
  }

  private func leftovers() -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        let name = bytes[..<(bytes.firstIndex(of: 0) ?? bytes.endIndex)]
        if matches(name) { names.append(String(decoding: name, as: UTF8.self)) }
      }
    }
    return names
  }

  private func matches(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    let ending = Self.ending.utf8
    guard name.count == prefix.count + Self.randomCount + ending.count, name.starts(with: prefix)
    else { return false }
    let rest = name.dropFirst(prefix.count)
    return rest.suffix(ending.count).elementsEqual(ending)
      && rest.prefix(Self.randomCount).allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }
}
