import CSystemSQLite
import Foundation
import RecordPlatform
import Synchronization

/// The operations of a container file on the file system.
enum StoreFile {
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Held while a finished file is renamed and its descriptor closed, and while a file is opened:
  /// no lock on a container may be taken between the two.
  static let gate = Mutex(())

  /// Returns the absolute form of a path: to SQLite, `file:…` and `:memory:` are more than names.
  ///
  /// - Throws: ``ContainerStoreError/Code/notContainer`` for a path that the system would truncate.
  static func absolute(_ path: String) throws -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw ContainerStoreError.invalidPath(path) }
    return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Whether anything exists at a path, including a broken link.
  static func exists(_ path: String) throws -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 { return true }
    if errno == ENOENT || errno == ENOTDIR { return false }
    throw systemError(path, "reading its status")
  }

  /// Checks that the folder of a new file exists and can be written to.
  static func checkFolder(of path: String) throws {
    let folder = SplitPath(path).openableDirectory
    // With the dot, the path of a file is none of a folder.
    guard access(folder + "/.", W_OK | X_OK) == 0 else {
      throw systemError(path, "creating it")
    }
  }

  /// Checks that the file at a path has no other name.
  ///
  /// SQLite finds the log and the index of its locks by the name of the file.
  static func checkHasOneName(_ path: String) throws {
    var status = stat()
    // On Linux, a new file has two names for a moment, until its temporary one is removed.
    for attempt in 0..<5 {
      guard stat(path, &status) == 0, status.st_nlink > 1 else { return }
      if attempt < 4 { usleep(2_000 << UInt32(attempt)) }
    }
    throw ContainerStoreError.severalNames(path: path, count: Int(status.st_nlink))
  }

  /// Checks that the file at a path is not mounted there by itself, as `docker -v FILE:FILE` does: it
  /// has another name elsewhere, with another log.
  static func checkIsNotMounted(_ path: String) throws {
    if recordpack_is_mount_point(path) != 0 { throw ContainerStoreError.mountedFile(path: path) }
  }

  // MARK: Logs

  /// Returns the size of one of SQLite's files beside a database; nil if it does not exist.
  static func auxiliaryFileSize(_ suffix: String, of path: String) -> Int64? {
    var status = stat()
    // SQLite follows links, and keeps its files beside the target.
    return lstat(real(path) + suffix, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// Returns a path without links.
  static func real(_ path: String) -> String {
    let real = realpath(path, nil)
    defer { free(real) }
    return real.map { String(cString: $0) } ?? path
  }

  /// Checks that no log of another file is beside a path: SQLite would replay it.
  ///
  /// The log may contain saves that are nowhere else, so it is not removed. Neither is an empty one
  /// that a process still has open, even if its file is gone.
  static func checkNoStaleLog(_ path: String) throws {
    for suffix in ["-wal", "-journal"] where (auxiliaryFileSize(suffix, of: path) ?? 0) > 0 {
      throw ContainerStoreError.leftLog(path: path, log: path + suffix)
    }
    let index = path + "-shm"
    guard auxiliaryFileSize("-shm", of: path) != nil else { return }
    if OpenContainers.contains(path: path) || isLocked(index) {
      throw ContainerStoreError.leftLog(path: path, log: index)
    }
  }

  /// Removes the empty log and its index that a reader has made who may not write the container: no
  /// other user could write them.
  static func removeOwnSideFiles(of path: String) {
    let (log, index) = (real(path) + "-wal", real(path) + "-shm")
    var status = stat()
    func isOwn(_ name: String) -> Bool { lstat(name, &status) == 0 && status.st_uid == geteuid() }
    guard access(path, W_OK) != 0, auxiliaryFileSize("-wal", of: path) == 0, isOwn(log),
      isOwn(index),
      FileIdentity(path: path).map(OpenContainers.contains) != true
    else { return }
    let descriptor = SystemCall.retrying { open(index, O_RDWR | O_NOFOLLOW | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Each connection has a lock on the index. While this one is held, none can be opened.
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    guard fcntl(descriptor, F_SETLK, &lock) == 0 else { return }
    unlink(log)
    unlink(index)
  }

  /// Checks that this user can write a container, and the files beside it that another user's process
  /// may have left.
  static func checkIsWritable(_ path: String) throws {
    func isWritable(_ name: String) throws -> Bool {
      if access(name, F_OK) != 0 || access(name, W_OK) == 0 { return true }
      if errno == EROFS { throw ContainerStoreError.folderReadOnly(path: path) }
      return false
    }
    guard try isWritable(path) else { throw ContainerStoreError.notWritable(path: path) }
    let names = try ["-wal", "-shm"].map { real(path) + $0 }.filter { try !isWritable($0) }
    guard !names.isEmpty else { return }
    let hasSaves = (auxiliaryFileSize("-wal", of: path) ?? 0) > 0
    throw ContainerStoreError.sideFiles(path: path, names, haveSaves: hasSaves)
  }

  /// Whether another process has a lock on a file.
  private static func isLocked(_ path: String) -> Bool {
    let descriptor = SystemCall.retrying { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  // MARK: Reading files

  /// Whether the file at a path begins as an SQLite database. Pipes and devices are not read.
  static func isDatabase(_ path: String) -> Bool {
    guard let path = try? absolute(path) else { return false }
    return gate.withLock { _ in
      var status = stat()
      guard stat(path, &status) == 0, SystemCall.fileType(status) == mode_t(S_IFREG),
        let file = try? SQLiteFile(path, isReadOnly: true)
      else { return false }
      return (try? file.bytes(magic.count)) == magic
    }
  }

  /// Opens the file at a path if it has the header of a container.
  ///
  /// - Returns: nil if no file exists.
  static func inspect(_ path: String) throws -> SQLiteFile? {
    try gate.withLock { _ in
      var status = stat()
      guard stat(path, &status) == 0 else {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw systemError(path, "reading its status")
      }
      switch SystemCall.fileType(status) {
      case mode_t(S_IFDIR): throw ContainerStoreError.isDirectory(path: path)
      case mode_t(S_IFREG): break
      default: throw ContainerStoreError.notRegularFile(path: path)
      }
      guard status.st_size > 0 else { throw ContainerStoreError.emptyFile(path: path) }
      let file = try SQLiteFile(path)
      try check(file, path)
      return file
    }
  }

  private static func check(_ file: SQLiteFile, _ path: String) throws {
    let head = try file.bytes(100)
    guard head.starts(with: magic) else {
      throw ContainerStoreError.notDatabase(path: path, found: beginning(of: head))
    }
    guard head.count == 100 else {
      throw ContainerStoreError.damaged(detail: "'\(path)' ends within its header")
    }
    let applicationID = word(head, 68)
    let pageSize = pageSize(head)
    guard applicationID == StoreSchema.applicationID else {
      // Of a store that was cut off, the tables cannot be read.
      try checkLength(file, head, path)
      throw ContainerStoreError.foreignDatabase(path: path, applicationID: applicationID)
    }
    guard Int32(bitPattern: word(head, 60)) >= 1 else {
      throw ContainerStoreError.damaged(detail: "'\(path)' has no layout version")
    }
    try checkLog(of: file, path, pageSize: pageSize)
    try checkLength(file, head, path)
  }

  /// Detects a truncated file before SQLite reads past its end.
  ///
  /// While another process moves its log into the file, it writes the header first, then the other
  /// pages, and removes the log last. So they are checked in that order.
  private static func checkLength(
    _ file: SQLiteFile, _ head: [UInt8], _ path: String
  ) throws {
    // While there is a log, the file may have any length.
    guard let expected = expectedSize(head), auxiliaryFileSize("-wal", of: path) == nil,
      auxiliaryFileSize("-journal", of: path) == nil
    else { return }
    let size = try file.size()
    guard size >= expected else {
      throw ContainerStoreError.damaged(
        detail: "'\(path)' has \(size) bytes, and its header says \(expected); it is truncated"
          + (size < pageSize(head) ? "" : "; 'recordpack recover' saves what is left"))
    }
  }

  /// Returns the size that a header says; nil if the last change has not updated the header.
  static func expectedSize(_ head: [UInt8]) -> Int64? {
    word(head, 24) == word(head, 92) ? Int64(word(head, 28)) * Int64(pageSize(head)) : nil
  }

  private static func pageSize(_ head: [UInt8]) -> Int {
    let size = Int(head[16]) << 8 | Int(head[17])
    return size == 1 ? 65_536 : size
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func beginning(of head: [UInt8]) -> String {
    "a file that begins with the bytes "
      + head.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }

  // MARK: Errors

  static func systemError(_ path: String, _ operation: String) -> ContainerStoreError {
    let code = errno
    if code == ENOSPC || code == EDQUOT { return .diskFull }
    return .system(path: path, operation, message: String(cString: strerror(code)))
  }
}

/// A container file that is being built under a temporary name.
///
/// A file that a killed process left is removed by the next build with the same target.
struct UnfinishedContainerFile {
  private let file: PartialFile

  /// The path that SQLite writes to.
  var path: String { file.path }

  /// Creates an empty file that only its owner can read and write.
  ///
  /// - Parameter target: the absolute path that the file will get.
  init(for target: String) throws {
    // Removing leftovers opens files that another thread may be renaming.
    file = try StoreFile.gate.withLock { _ in
      try Self.translating(target) { try PartialFile(for: target) }
    }
    file.startSyncing()
  }

  /// Renames the finished file, which SQLite must have closed; fails if its target exists.
  func publish() throws {
    // Synced first: syncing while renaming would block others at the gate.
    guard SystemCall.retrying({ fsync(file.descriptor) }) == 0 else {
      throw StoreFile.systemError(file.target, "writing it to the disk")
    }
    try StoreFile.gate.withLock { _ in
      try Self.translating(file.target) {
        try StoreFile.checkNoStaleLog(file.target)
        try file.publish(replacing: false)
      }
    }
  }

  private static func translating<T>(_ target: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SystemError {
      guard error.number != EEXIST else { throw ContainerStoreError.alreadyExists(path: target) }
      errno = error.number
      throw StoreFile.systemError(target, "trying to \(error.action)")
    }
  }
}

/// The location of the last saves after a container was closed.
public enum WriteAheadLogState: Sendable, Hashable {
  /// The file contains everything: a copy of it is complete.
  case merged
  /// Some saves are only in the log beside the file, because another reader needs an older state,
  /// or because the file cannot be written. The last one to close the container moves them into the
  /// file; until then, copy both.
  case pending(path: String, bytes: Int64)
}

extension WriteAheadLogState {
  /// Moves the log of a closed container into the file and removes it. If the container is open
  /// elsewhere, the last one to close it does that.
  static func settle(_ path: String, of file: FileIdentity) -> WriteAheadLogState {
    var state = WriteAheadLogState.merged
    for attempt in 0..<3 {
      let isLeft = ["-wal", "-shm"].contains { StoreFile.auxiliaryFileSize($0, of: path) != nil }
      guard isLeft else { return .merged }
      // Of two that close at the same time, each may find the other still open.
      if attempt > 0 { usleep(UInt32.random(in: 500..<2000) << UInt32(attempt)) }
      state = merge(path, of: file)
    }
    return state
  }

  /// Moves the log into the file, as far as no reader needs older pages.
  ///
  /// Closing the last connection removes the log, unless the connection is read-only.
  ///
  /// - Parameter file: the container's file. The log is left if another file has its path.
  static func merge(_ path: String, of file: FileIdentity) -> WriteAheadLogState {
    let bytes = StoreFile.auxiliaryFileSize("-wal", of: path) ?? 0
    let opened = try? SQLiteFile(path)
    var counts: [Int64]?
    if let opened, opened.connection.hasOpened(file, at: path) {
      counts = try? opened.numbers("PRAGMA wal_checkpoint(PASSIVE)")
    }
    // Even if busy, it returns the numbers of pages in the log and of moved ones; -1 is no log.
    if bytes == 0 || counts.map({ $0.count == 3 && $0[1] == $0[2] }) == true { return .merged }
    return .pending(path: path + "-wal", bytes: bytes)
  }
}
