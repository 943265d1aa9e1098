import Foundation
import RecordPlatform
import RecordSchema

/// Replaces, creates and removes several files, or none if one change fails. Owner and permissions
/// of replaced files are kept.
struct FileChanges {
  private struct Change {
    let path: String
    /// The path that symbolic links lead to.
    let target: String
    /// The new contents; nil to remove the file.
    let new: PartialFile?
    /// The old contents, restored if a later change fails; nil for a new file.
    let old: PartialFile?

    func apply() throws {
      if let new { return try new.publish(replacing: old != nil) }
      if unlink(target) != 0 { throw SystemError(errno, "remove it") }
    }

    /// - Returns: Whether the file is as it was.
    func undo() -> Bool {
      if let old { return (try? old.publish(replacing: true)) != nil }
      return unlink(target) == 0
    }
  }

  private var changes: [Change] = []
  private var identities: Set<FileIdentity> = []

  /// Writes the new contents of a file to a temporary file beside it.
  ///
  /// - Parameters:
  ///   - path: The file; symbolic links are followed.
  ///   - contents: The new contents.
  ///   - old: The contents when the file was read. Throws if they have changed since.
  mutating func replace(_ path: String, _ old: [UInt8], with contents: [UInt8]) throws {
    guard let (target, status) = try check(path, old) else { return }
    changes.append(
      Change(
        path: path, target: target, new: try Self.file(contents, target, status, path),
        old: try Self.file(old, target, status, path)))
  }

  /// Removes a file.
  ///
  /// - Parameters:
  ///   - path: The file; symbolic links are followed.
  ///   - old: The contents when the file was read. Throws if they have changed since.
  mutating func remove(_ path: String, _ old: [UInt8]) throws {
    guard let (target, status) = try check(path, old) else { return }
    changes.append(
      Change(
        path: path, target: target, new: nil, old: try Self.file(old, target, status, path)))
  }

  /// Writes the contents of a new file, which gets the permissions of any new file, to a temporary
  /// file beside it.
  mutating func create(_ path: String, _ contents: [UInt8]) throws {
    let file = try Self.file(contents, path, nil, path)
    let mask = umask(0)
    umask(mask)
    fchmod(file.descriptor, 0o666 & ~mask)
    changes.append(Change(path: path, target: path, new: file, old: nil))
  }

  /// Returns the file that a path leads to, and its status; nil if it has a change already.
  private mutating func check(
    _ path: String, _ old: [UInt8]
  ) throws -> (target: String, status: stat)? {
    var status = stat()
    guard let resolved = realpath(path, nil) else { throw Self.failure(path, errno) }
    defer { free(resolved) }
    let target = String(cString: resolved)
    guard stat(target, &status) == 0 else { throw Self.failure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CommandError("'\(path)' is not a regular file, so it cannot be changed in place")
    }
    guard identities.insert(FileIdentity(status)).inserted else { return nil }
    guard access(target, W_OK) == 0 else { throw Self.failure(path, errno) }
    guard FileManager.default.contents(atPath: target).map(Array.init) == old else {
      throw CommandError("'\(path)' changed while it was being read; nothing was written")
    }
    return (target, status)
  }

  /// Changes all files.
  func publish() throws {
    for (number, change) in changes.enumerated() {
      do {
        try change.apply()
      } catch {
        // A new file that could not be made is not there, or another program's.
        let undone = changes[..<number] + (change.old == nil ? [] : [change])
        let lost = undone.filter { !$0.undo() }
        let rest =
          lost.isEmpty || number == 0
          ? "no file was changed"
          : "the old text could not be restored in "
            + lost.map { "'\($0.path)'" }.joined(separator: ", ")
        throw CommandError(
          "'\(change.path)' cannot be \(change.new == nil ? "removed" : "written"): \(error); \(rest)"
        )
      }
    }
  }

  private static func file(
    _ contents: [UInt8], _ target: String, _ status: stat?, _ path: String
  ) throws -> PartialFile {
    do {
      let file = try PartialFile(for: target, inheriting: status)
      if let status { try checkKept(status, by: file, path) }
      let failure = contents.withUnsafeBytes { SystemCall.writeAll($0, to: file.descriptor) }
      guard failure == 0 else { throw SystemError(failure, "write \(contents.count) bytes") }
      return file
    } catch let error as SystemError {
      throw CommandError("'\(path)' cannot be written: \(error)")
    }
  }

  private static func checkKept(_ status: stat, by file: PartialFile, _ path: String) throws {
    var made = stat()
    guard fstat(file.descriptor, &made) == 0, made.st_uid == status.st_uid,
      made.st_gid == status.st_gid, made.st_mode & 0o777 == status.st_mode & 0o777
    else {
      throw CommandError(
        "'\(path)' has an owner or permissions that a new file cannot keep; print it to standard "
          + "output instead")
    }
  }

  private static func failure(_ path: String, _ number: Int32) -> CommandError {
    CommandError("'\(path)' cannot be written: \(String(cString: strerror(number)))")
  }
}
