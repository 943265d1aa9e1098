import Foundation
import RecordPlatform
import RecordSchema

/// Replaces the contents of several files, or of none if one fails. Owner and permissions are kept.
struct FileReplacements {
  private struct Replacement {
    let path: String
    let new: PartialFile
    /// The old contents, restored if a later file cannot be replaced.
    let old: PartialFile
  }

  private var replacements: [Replacement] = []
  private var identities: Set<FileIdentity> = []

  /// Writes the new contents of a file to a temporary file beside it.
  ///
  /// - Parameters:
  ///   - path: The file; symbolic links are followed.
  ///   - contents: The new contents.
  ///   - old: The contents when the file was read. Throws if they have changed since.
  mutating func add(_ path: String, _ contents: [UInt8], replacing old: [UInt8]) throws {
    var status = stat()
    guard let resolved = realpath(path, nil) else { throw Self.failure(path, errno) }
    defer { free(resolved) }
    let target = String(cString: resolved)
    guard stat(target, &status) == 0 else { throw Self.failure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure("'\(path)' is not a regular file, so it cannot be changed in place")
    }
    guard identities.insert(FileIdentity(status)).inserted else { return }
    guard access(target, W_OK) == 0 else { throw Self.failure(path, errno) }
    guard FileManager.default.contents(atPath: target).map(Array.init) == old else {
      throw Failure("'\(path)' changed while it was being read; nothing was written")
    }
    replacements.append(
      Replacement(
        path: path, new: try Self.file(contents, target, status, path),
        old: try Self.file(old, target, status, path)))
  }

  /// Replaces the contents of all files.
  func publish() throws {
    for (number, replacement) in replacements.enumerated() {
      do {
        try replacement.new.publish(replacing: true)
      } catch {
        let lost = replacements[...number].filter { (try? $0.old.publish(replacing: true)) == nil }
        let rest =
          lost.isEmpty || number == 0
          ? "no file was changed"
          : "the old text could not be restored in "
            + lost.map { "'\($0.path)'" }.joined(separator: ", ")
        throw Failure("'\(replacement.path)' cannot be written: \(error); \(rest)")
      }
    }
  }

  private static func file(
    _ contents: [UInt8], _ target: String, _ status: stat, _ path: String
  ) throws -> PartialFile {
    do {
      let file = try PartialFile(for: target, inheriting: status)
      var made = stat()
      guard fstat(file.descriptor, &made) == 0, made.st_uid == status.st_uid,
        made.st_gid == status.st_gid, made.st_mode & 0o777 == status.st_mode & 0o777
      else {
        throw Failure(
          "'\(path)' has an owner or permissions that a new file cannot keep; print it to standard "
            + "output instead")
      }
      let failure = contents.withUnsafeBytes { SystemCall.writeAll($0, to: file.descriptor) }
      guard failure == 0 else { throw SystemError(failure, "write \(contents.count) bytes") }
      return file
    } catch let error as SystemError {
      throw Failure("'\(path)' cannot be written: \(error)")
    }
  }

  private static func failure(_ path: String, _ number: Int32) -> Failure {
    Failure("'\(path)' cannot be written: \(String(cString: strerror(number)))")
  }
}
