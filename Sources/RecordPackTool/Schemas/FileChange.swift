import Foundation
import RecordPlatform

/// A file that is replaced or removed, if it is as it was read. Its owner and permissions are kept.
struct FileChange {
  private let path: String
  /// The path that symbolic links lead to.
  private let target: String
  private let status: stat

  /// Checks whether the file can be changed, before any file of a command is.
  ///
  /// - Parameters:
  ///   - path: The file; symbolic links are followed.
  ///   - old: The contents when the file was read. Throws if they have changed since.
  init(of path: String, from old: [UInt8]) throws {
    self.path = path
    guard let resolved = realpath(path, nil) else { throw Self.error(path, errno) }
    defer { free(resolved) }
    target = String(cString: resolved)
    var status = stat()
    guard stat(target, &status) == 0 else { throw Self.error(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CommandError("'\(path)' is not a regular file, so it cannot be changed in place")
    }
    self.status = status
    guard access(target, W_OK) == 0 else { throw Self.error(path, errno) }
    guard FileManager.default.contents(atPath: target).map(Array.init) == old else {
      throw CommandError("'\(path)' changed while it was being read; nothing was written")
    }
    // A file beside it can be made, with its owner and permissions.
    _ = try partialFile("")
  }

  /// Replaces the contents; the file has the old or the new ones at any time.
  func replace(with text: String) throws {
    do {
      try partialFile(text).publish(replacing: true)
    } catch let error as SystemError {
      throw CommandError("'\(path)' cannot be written: \(error)")
    }
  }

  /// Removes the file.
  func remove() throws {
    guard unlink(target) == 0 else {
      throw CommandError("'\(path)' cannot be removed: \(String(cString: strerror(errno)))")
    }
  }

  private func partialFile(_ text: String) throws -> PartialFile {
    do {
      let file = try PartialFile(for: target, inheriting: status)
      var made = stat()
      guard fstat(file.descriptor, &made) == 0, made.st_uid == status.st_uid,
        made.st_gid == status.st_gid, made.st_mode & 0o777 == status.st_mode & 0o777
      else {
        throw CommandError(
          "'\(path)' has an owner or permissions that a new file cannot keep; print it to standard "
            + "output instead")
      }
      try file.write(text)
      return file
    } catch let error as SystemError {
      throw CommandError("'\(path)' cannot be written: \(error)")
    }
  }

  /// Creates a file, with the permissions of any new file.
  static func create(_ path: String, _ text: String) throws {
    do {
      let file = try PartialFile(for: path, inheriting: nil)
      let mask = umask(0)
      umask(mask)
      fchmod(file.descriptor, 0o666 & ~mask)
      try file.write(text)
      try file.publish(replacing: false)
    } catch let error as SystemError {
      throw CommandError("'\(path)' cannot be written: \(error)")
    }
  }

  private static func error(_ path: String, _ number: Int32) -> CommandError {
    CommandError("'\(path)' cannot be written: \(String(cString: strerror(number)))")
  }
}

extension PartialFile {
  fileprivate func write(_ text: String) throws {
    let error = Array(text.utf8).withUnsafeBytes { SystemCall.writeAll($0, to: descriptor) }
    guard error == 0 else { throw SystemError(error, "write \(text.utf8.count) bytes") }
  }
}
