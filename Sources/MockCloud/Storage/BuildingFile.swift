import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A container file that is being built beside the place where it will lie.
///
/// The file is locked as long as its process lives. What a process left behind that was killed is
/// not locked any more, and is cleared away by the next one that builds a file of that name.
struct BuildingFile {
  let path: String
  private let target: String
  private let lock: Int32

  /// Makes an empty file, readable and writable for its owner only.
  ///
  /// - Parameter target: the absolute path it will get.
  init(for target: String) throws {
    let directory = (target as NSString).deletingLastPathComponent
    let name = ".\((target as NSString).lastPathComponent)."
    Self.sweep(directory, name)
    for _ in 0..<16 {
      let tag = String(UInt64.random(in: 0...UInt64.max), radix: 36)
      let path = (directory as NSString).appendingPathComponent("\(name)\(tag)\(Self.ending)")
      let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 else {
        if errno == EEXIST { continue }
        throw StoreFile.systemError(target, "making a file beside it")
      }
      if flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK {
        self.path = path
        self.target = target
        lock = file
        return
      }
      // Another process took it for a leftover in the moment before it was locked.
      close(file)
    }
    throw StoreFile.systemError(target, "making a file beside it")
  }

  /// Gives the finished file its name, unless something has taken it meanwhile.
  func publish() throws {
    try Self.sync(path)
    if link(path, target) == 0 {
      unlink(path)
    } else if errno == EEXIST {
      throw MockContainerError.alreadyExists(path: target)
    } else {
      // Some file systems have no hard links; there the name is checked before it is taken.
      guard access(target, F_OK) != 0 else {
        throw MockContainerError.alreadyExists(path: target)
      }
      guard rename(path, target) == 0 else { throw StoreFile.systemError(target, "naming it") }
    }
    close(lock)
    // Makes the name last; a directory that cannot be synced is no reason to fail.
    try? Self.sync((target as NSString).deletingLastPathComponent)
  }

  /// Removes the file, and what SQLite may have left beside it.
  func discard() {
    Self.remove(path)
    close(lock)
  }

  private static let ending = ".building"

  private static func sweep(_ directory: String, _ name: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for leftover in names where leftover.hasPrefix(name) && leftover.hasSuffix(ending) {
      let path = (directory as NSString).appendingPathComponent(leftover)
      let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0 { remove(path) }
      close(file)
    }
  }

  private static func remove(_ path: String) {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
  }

  private static func sync(_ path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw StoreFile.systemError(path, "opening it") }
    defer { close(file) }
    guard fsync(file) == 0 else { throw StoreFile.systemError(path, "writing it to the disk") }
  }
}
