import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file system's side of a container file.
enum StoreFile {
  /// What the first hundred bytes of a container file tell.
  struct Header {
    var version: Int32
  }

  private static let magic = Array("SQLite format 3\0".utf8)

  /// The absolute form of a path: SQLite takes `file:…` and `:memory:` for more than names.
  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Whether anything lies at a path, be it a link that leads nowhere.
  static func exists(_ path: String) throws -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 { return true }
    if errno == ENOENT || errno == ENOTDIR { return false }
    throw systemError(path, "looking at it")
  }

  /// Looks whether a container lies at a path, without letting SQLite touch the file.
  ///
  /// - Returns: nil where there is nothing.
  static func inspect(_ path: String) throws -> Header? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw systemError(path, "looking at it")
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw MockContainerError.isDirectory(path: path)
    case S_IFREG: break
    default: throw MockContainerError.notRegularFile(path: path)
    }
    guard status.st_size > 0 else { throw MockContainerError.emptyFile(path: path) }
    let head = try readHead(path)
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
    let version = Int32(bitPattern: word(head, 60))
    guard version >= 1 else {
      throw MockContainerError.damaged(detail: "'\(path)' names no version of its layout")
    }
    guard version <= StoreSchema.version else {
      throw MockContainerError.newerVersion(
        path: path, found: Int(version), supported: Int(StoreSchema.version))
    }
    try checkLength(Int64(status.st_size), head, path)
    return Header(version: version)
  }

  /// Tells a file that was cut short before SQLite reads into the void.
  private static func checkLength(_ size: Int64, _ head: [UInt8], _ path: String) throws {
    let pageSize = Int64(head[16]) << 8 | Int64(head[17])
    let expected = Int64(word(head, 28)) * (pageSize == 1 ? 65_536 : pageSize)
    // The count is only valid in a header that the last change updated, and while a journal waits
    // to be taken in, the file may be anything.
    guard word(head, 24) == word(head, 92), access(path + "-wal", F_OK) != 0,
      access(path + "-journal", F_OK) != 0
    else { return }
    guard size >= expected else {
      throw MockContainerError.damaged(
        detail: "'\(path)' has \(size) bytes, and its header says \(expected); it was cut short")
    }
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func readHead(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw systemError(path, "opening it") }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: 100)
    let count = head.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw systemError(path, "reading it") }
    return Array(head.prefix(count))
  }

  private static func beginning(of head: [UInt8]) -> String {
    "a file that begins with the bytes "
      + head.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }

  static func systemError(_ path: String, _ operation: String) -> MockContainerError {
    let code = errno
    if code == ENOSPC || code == EDQUOT { return .diskFull }
    return .systemError(path: path, operation: operation, message: String(cString: strerror(code)))
  }
}
