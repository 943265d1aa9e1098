import Foundation
import RecordPlatform
import Synchronization

/// The file system's side of a container file.
enum StoreFile {
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Held while a finished file gets its name and its descriptor is closed, and while one is opened:
  /// no lock on a container may be taken between the two.
  static let gate = Mutex(())

  /// The absolute form of a path: SQLite takes `file:…` and `:memory:` for more than names.
  ///
  /// - Throws: ``MockContainerError/invalidPath(_:)`` for one that the system would cut short.
  static func absolute(_ path: String) throws -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw MockContainerError.invalidPath(path) }
    return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Whether anything lies at a path, be it a link that leads nowhere.
  static func exists(_ path: String) throws -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 { return true }
    if errno == ENOENT || errno == ENOTDIR { return false }
    throw systemError(path, "looking at it")
  }

  // MARK: Logs

  /// The size of one of the files that SQLite keeps beside a database; nil where it is not there.
  static func sideFile(_ suffix: String, of path: String) -> Int64? {
    var status = stat()
    // SQLite follows links, and keeps its files beside the one they lead to.
    let real = realpath(path, nil)
    defer { free(real) }
    let name = (real.map { String(cString: $0) } ?? path) + suffix
    return lstat(name, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// Refuses a name beside which the log of another file lies: SQLite would replay it.
  ///
  /// It may hold saves that are nowhere else. So it is left to its owner, and so is an empty one that
  /// a process still has open, be the file itself gone.
  static func refuseLeftLog(_ path: String) throws {
    for suffix in ["-wal", "-journal"] where (sideFile(suffix, of: path) ?? 0) > 0 {
      throw MockContainerError.leftLog(path: path, log: path + suffix)
    }
    let index = path + "-shm"
    guard sideFile("-shm", of: path) != nil else { return }
    if OpenContainers.contains(path: path) || isLocked(index) {
      throw MockContainerError.leftLog(path: path, log: index)
    }
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

  // MARK: Looking at files

  /// Whether the file at a path begins as an SQLite database does. Pipes and devices are not read.
  static func isDatabase(_ path: String) -> Bool {
    guard let path = try? absolute(path) else { return false }
    return gate.withLock { _ in
      var status = stat()
      guard stat(path, &status) == 0, SystemCall.fileType(status) == mode_t(S_IFREG),
        let file = try? SQLiteFile(path, isReadOnly: true)
      else { return false }
      return (try? file.head(magic.count)) == magic
    }
  }

  /// Opens what lies at a path, where its header is that of a container.
  ///
  /// - Returns: nil where there is nothing.
  static func inspect(_ path: String) throws -> SQLiteFile? {
    try gate.withLock { _ in
      var status = stat()
      guard stat(path, &status) == 0 else {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw systemError(path, "looking at it")
      }
      switch SystemCall.fileType(status) {
      case mode_t(S_IFDIR): throw MockContainerError.isDirectory(path: path)
      case mode_t(S_IFREG): break
      default: throw MockContainerError.notRegularFile(path: path)
      }
      guard status.st_size > 0 else { throw MockContainerError.emptyFile(path: path) }
      let file = try SQLiteFile(path)
      try check(file, path)
      return file
    }
  }

  private static func check(_ file: SQLiteFile, _ path: String) throws {
    let head = try file.head(100)
    guard head.starts(with: magic) else {
      throw MockContainerError.notDatabase(path: path, found: beginning(of: head))
    }
    guard head.count == 100 else {
      throw MockContainerError.damaged(detail: "'\(path)' ends within its header")
    }
    let applicationID = word(head, 68)
    guard applicationID == StoreSchema.applicationID else {
      throw MockContainerError.foreignDatabase(path: path, applicationID: applicationID)
    }
    guard Int32(bitPattern: word(head, 60)) >= 1 else {
      throw MockContainerError.damaged(detail: "'\(path)' names no version of its layout")
    }
    try checkLength(file, head, path)
  }

  /// Tells a file that was cut short before SQLite reads into the void.
  ///
  /// Another process may be moving its log into the file: then the header comes first, the rest of
  /// the pages after it, and the log goes away last. So they are looked at in that order.
  private static func checkLength(_ file: SQLiteFile, _ head: [UInt8], _ path: String) throws {
    let pageSize = Int64(head[16]) << 8 | Int64(head[17])
    let expected = Int64(word(head, 28)) * (pageSize == 1 ? 65_536 : pageSize)
    // The count is only valid in a header that the last change updated, and while a log waits
    // to be taken in, the file may be anything.
    guard word(head, 24) == word(head, 92), sideFile("-wal", of: path) == nil,
      sideFile("-journal", of: path) == nil
    else { return }
    let size = try file.size()
    guard size >= expected else {
      throw MockContainerError.damaged(
        detail: "'\(path)' has \(size) bytes, and its header says \(expected); it was cut short")
    }
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func beginning(of head: [UInt8]) -> String {
    "a file that begins with the bytes "
      + head.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }

  // MARK: Errors

  static func systemError(_ path: String, _ operation: String) -> MockContainerError {
    let code = errno
    if code == ENOSPC || code == EDQUOT { return .diskFull }
    return .systemError(path: path, operation: operation, message: String(cString: strerror(code)))
  }
}
