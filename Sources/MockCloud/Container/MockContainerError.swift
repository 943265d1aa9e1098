import RecordModel

import protocol Foundation.LocalizedError

/// Why a container file could not be opened, read or written: what CloudKit has no name for.
public enum MockContainerError: Error, Sendable, Hashable {
  /// There is nothing at that path.
  case notFound(path: String)
  /// Something lies already where a container was to be made.
  case alreadyExists(path: String)
  /// The path names a directory.
  case isDirectory(path: String)
  /// The path names a device, a pipe or a socket.
  case notRegularFile(path: String)
  /// The file has no bytes.
  case emptyFile(path: String)
  /// The file is no SQLite database; `found` tells how it begins.
  case notDatabase(path: String, found: String)
  /// The file is an SQLite database of another program, with that `application_id`.
  case foreignDatabase(path: String, applicationID: UInt32)
  /// The container was written by a newer version of RecordPack.
  case newerVersion(path: String, found: Int, supported: Int)
  /// The text is no path: it is empty, or holds a NUL, where the system would cut it short.
  case invalidPath(String)
  /// Beside a name that is free lies the log of a container that was removed or moved.
  case leftLog(path: String, log: String)
  /// The last saves lie in the container's log, which cannot be read where nothing can be written.
  case logUnreadable(path: String)
  /// Nothing can be written in the container's folder, so nothing can be changed in the container.
  case folderReadOnly(path: String)
  /// The operating system refused.
  case systemError(path: String, operation: String, message: String)
  /// The file is damaged or cut short.
  case damaged(detail: String)
  /// The container was opened for reading only.
  case readOnly
  /// The container was closed.
  case closed
  /// The container cannot be closed while it is read or written.
  case inUse
  /// Another process kept the container locked for longer than ten seconds.
  case busy
  /// There is no room left on the disk.
  case diskFull
  /// SQLite reported something else: its extended result code and message.
  case storage(code: Int, message: String)
  /// Two records of one zone have the same name.
  case duplicateRecord(RecordID, existingType: String, incomingType: String)
  /// A record, tombstone or subscription names a zone that is not there.
  case zoneMissing(ZoneID, DatabaseScope)
  /// No content is stored under that SHA-256.
  case assetNotFound(sha256: String)
  /// Only a part of the content is stored.
  case assetIncomplete(sha256: String, stored: Int64, size: Int64)
  /// The content is larger than what was asked for in one piece.
  case assetTooLarge(sha256: String, size: Int64, limit: Int64)
  /// A piece of an asset does not continue where the last one ended.
  case assetOffset(sha256: String, expected: Int64, found: Int64)
  /// The content does not have the SHA-256 it came under.
  case assetDigest(expected: String, found: String)
  /// The text is no SHA-256: 64 hexadecimal digits.
  case invalidDigest(String)
  /// The address of a file was expected.
  case notFileURL(String)
  /// What is stored for a record, zone or subscription cannot be read.
  case unreadable(name: String, detail: String)
}

extension MockContainerError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// What was found, what was expected, and what to do.
  public var description: String {
    switch self {
    case .notFound(let path): "'\(path)': there is no such file; a container was expected"
    case .alreadyExists(let path):
      "'\(path)' exists already; choose another name, or open it as it is"
    case .isDirectory(let path): "'\(path)' is a directory; a container is a file"
    case .notRegularFile(let path): "'\(path)' is not a regular file; a container is one"
    case .emptyFile(let path): "'\(path)' is empty; a container was expected"
    case .notDatabase(let path, let found):
      "'\(path)' is not a container: an SQLite database was expected, found \(found)"
    case .foreignDatabase(let path, let id):
      "'\(path)' is an SQLite database of another program (application_id \(hex(id)), "
        + "expected \(hex(StoreSchema.applicationID)))"
    case .newerVersion(let path, let found, let supported):
      "'\(path)' has the container layout \(found), and this version of RecordPack reads up to "
        + "\(supported); use a newer version"
    case .invalidPath(let path):
      path.isEmpty
        ? "the path is empty; the name of a file was expected"
        : "'\(path.replacing("\0", with: "\\0"))' is no path: it holds a NUL character"
    case .leftLog(let path, let log):
      "'\(log)' lies where '\(path)' is to be made: it is the log of a container that was removed "
        + "or moved, and may hold its last saves; put that container back beside it and open it, "
        + "or remove the log"
    case .logUnreadable(let path):
      "the last saves of '\(path)' lie in its log, which cannot be read where nothing can "
        + "be written; open the container once where its folder is writable"
    case .folderReadOnly(let path):
      "'\(path)' cannot be changed: nothing can be written in its folder"
    case .systemError(let path, let operation, let message):
      "'\(path)': \(operation): \(message)"
    case .damaged(let detail): "the container is damaged: \(detail)"
    case .readOnly: "the container was opened for reading only"
    case .closed: "the container is closed"
    case .inUse: "the container is being read or written; close it when that is done"
    case .busy: "the container is locked by another process; try again when that is done"
    case .diskFull: "there is no room left on the disk; the container is as it was"
    case .storage(let code, let message): "SQLite reports error \(code): \(message)"
    case .duplicateRecord(let id, let existing, let incoming):
      "record '\(id)' comes twice: once with type '\(existing)', once with type '\(incoming)'"
        + (existing == incoming ? " and other content" : "")
    case .zoneMissing(let zone, let scope):
      "zone '\(zone)' is not in the \(scope.rawValue) database; add the zone first"
    case .assetNotFound(let sha256): "no asset with SHA-256 \(sha256) is stored"
    case .assetIncomplete(let sha256, let stored, let size):
      "of the asset \(sha256) only \(stored) of \(size) bytes are stored"
    case .assetTooLarge(let sha256, let size, let limit):
      "the asset \(sha256) has \(size) bytes, more than the \(limit) that were asked for at most; "
        + "read it in chunks or copy it to a file"
    case .assetOffset(let sha256, let expected, let found):
      "the asset \(sha256) goes on at byte \(expected), found a piece for byte \(found)"
    case .assetDigest(let expected, let found):
      "an asset came as SHA-256 \(expected), but its bytes have \(found)"
    case .invalidDigest(let text):
      "'\(text.prefix(80))' is no SHA-256; 64 hexadecimal digits were expected"
    case .notFileURL(let address):
      "'\(address.prefix(80))' is not the address of a file; one that begins with 'file:' was "
        + "expected"
    case .unreadable(let name, let detail): "what is stored as \(name) cannot be read: \(detail)"
    }
  }

  /// What is wrong with a row whose bytes are not those that were written.
  static let otherChecksum =
    "its checksum is another; it was damaged on the disk, or changed by another program"

  private func hex(_ id: UInt32) -> String { "0x" + String(id, radix: 16) }
}
