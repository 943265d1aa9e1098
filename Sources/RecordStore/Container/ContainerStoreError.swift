import RecordModel

import protocol Foundation.LocalizedError

/// An error of opening, reading or writing a container file that has no equivalent in CloudKit.
public enum ContainerStoreError: Error, Sendable, Hashable {
  /// There is no file at the path.
  case notFound(path: String)
  /// A file exists at the path of a new container.
  case alreadyExists(path: String)
  /// The path leads to a directory.
  case isDirectory(path: String)
  /// The path leads to a device, a pipe or a socket.
  case notRegularFile(path: String)
  /// The file is empty.
  case emptyFile(path: String)
  /// The file is not an SQLite database; `found` describes its beginning.
  case notDatabase(path: String, found: String)
  /// The file is an SQLite database of another program, which has this `application_id`.
  case foreignDatabase(path: String, applicationID: UInt32)
  /// The container was written by a newer version of RecordPack.
  case newerVersion(path: String, found: Int, supported: Int)
  /// The path is empty or contains a NUL character, where the system would truncate it.
  case invalidPath(String)
  /// A log of a removed or moved container exists beside the path of a new one.
  case leftLog(path: String, log: String)
  /// The last saves are in the container's log, which cannot be read without write access.
  case logUnreadable(path: String)
  /// The container cannot be changed, because its folder is read-only.
  case folderReadOnly(path: String)
  /// The operating system reported an error.
  case systemError(path: String, operation: String, message: String)
  /// The file is damaged or truncated.
  case damaged(detail: String)
  /// The container was opened for reading only.
  case readOnly
  /// The container is closed.
  case closed
  /// The container cannot be closed during a read or write.
  case inUse
  /// Another process locked the container for longer than ten seconds.
  case busy
  /// The disk is full.
  case diskFull
  /// Another error of SQLite, with its extended result code and message.
  case storage(code: Int, message: String)
  /// Two records of a zone have the same name.
  case duplicateRecord(RecordID, existingType: String, incomingType: String)
  /// The zone of a record, tombstone or subscription does not exist.
  case zoneMissing(ZoneID, DatabaseScope)
  /// No content with that SHA-256 is stored.
  case assetNotFound(sha256: String)
  /// Only a part of the content is stored.
  case assetIncomplete(sha256: String, stored: Int64, size: Int64)
  /// The content exceeds the requested limit.
  case assetTooLarge(sha256: String, size: Int64, limit: Int64)
  /// A chunk of an asset does not continue where the previous one ended.
  case assetOffset(sha256: String, expected: Int64, found: Int64)
  /// The content does not match its SHA-256.
  case assetDigest(expected: String, found: String)
  /// The text is not a SHA-256 of 64 hexadecimal digits.
  case invalidDigest(String)
  /// The URL is not a file URL.
  case notFileURL(String)
  /// The stored data of a record, zone or subscription cannot be read.
  case unreadable(name: String, detail: String)
}

extension ContainerStoreError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The fault, the expected value, and the remedy.
  public var description: String {
    switch self {
    case .notFound(let path): "'\(path)': no such file; a container was expected"
    case .alreadyExists(let path):
      "'\(path)' already exists; choose another path, or open it"
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
        ? "the path is empty; a file name was expected"
        : "'\(path.replacing("\0", with: "\\0"))' is not a valid path: it contains a NUL character"
    case .leftLog(let path, let log):
      "'\(log)' is beside the path of the new container '\(path)': it is the log of a container "
        + "that was removed or moved, and may contain its last saves; put that container back "
        + "beside it and open it, or remove the log"
    case .logUnreadable(let path):
      "the last saves of '\(path)' are in its log, which cannot be read without write access; "
        + "open the container once where its folder is writable"
    case .folderReadOnly(let path):
      "'\(path)' cannot be changed: its folder is read-only"
    case .systemError(let path, let operation, let message):
      "'\(path)': \(operation): \(message)"
    case .damaged(let detail): "the container is damaged: \(detail)"
    case .readOnly: "the container was opened for reading only"
    case .closed: "the container is closed"
    case .inUse: "the container is being read or written; close it when that is done"
    case .busy: "the container is locked by another process; try again when that is done"
    case .diskFull: "the disk is full; the container is unchanged"
    case .storage(let code, let message): "SQLite reports error \(code): \(message)"
    case .duplicateRecord(let id, let existing, let incoming):
      "record '\(id)' is repeated: once with type '\(existing)', once with type '\(incoming)'"
        + (existing == incoming ? " and other content" : "")
    case .zoneMissing(let zone, let scope):
      "zone '\(zone)' is not in the \(scope.rawValue) database; add the zone first"
    case .assetNotFound(let sha256): "no asset with SHA-256 \(sha256) is stored"
    case .assetIncomplete(let sha256, let stored, let size):
      "only \(stored) of \(size) bytes of asset \(sha256) are stored"
    case .assetTooLarge(let sha256, let size, let limit):
      "the asset \(sha256) has \(size) bytes, more than the limit of \(limit); "
        + "read it in chunks or copy it to a file"
    case .assetOffset(let sha256, let expected, let found):
      "asset \(sha256) continues at byte \(expected), but a chunk for byte \(found) was added"
    case .assetDigest(let expected, let found):
      "the bytes of asset \(expected) have the SHA-256 \(found)"
    case .invalidDigest(let text):
      "'\(text.prefix(80))' is not a SHA-256; 64 hexadecimal digits were expected"
    case .notFileURL(let address):
      "'\(address.prefix(80))' is not a file URL"
    case .unreadable(let name, let detail): "\(name) cannot be read: \(detail)"
    }
  }

  /// The description of a row that does not match its checksum.
  static let otherChecksum =
    "its checksum does not match; it was damaged on the disk, or changed by another program"

  private func hex(_ id: UInt32) -> String { "0x" + String(id, radix: 16) }
}
