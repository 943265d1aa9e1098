import Foundation
import RecordModel

/// An error of opening, reading or writing a container file that has no equivalent in CloudKit.
public struct ContainerStoreError: Error, Sendable, Hashable {
  /// The kinds of errors.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// There is no file at the path.
    case notFound
    /// A file exists at the path of a new file.
    case alreadyExists
    /// The path, or the file there, is not that of a container, or a URL is not a file URL.
    case notContainer
    /// The container has the layout of another version of RecordPack.
    case otherVersion
    /// Saves are in a log that cannot be read, or that belongs to another container.
    case log
    /// The file of the open container was moved, replaced, removed or written over.
    case moved
    /// The container cannot be changed.
    case readOnly
    /// The container is closed.
    case closed
    /// Another process locked the container for longer than ten seconds, or it is in use.
    case busy
    /// The disk is full.
    case diskFull
    /// The file is damaged: as a whole, or only one record of it, which
    /// ``ContainerStoreError/recordID`` names.
    case damaged
    /// Two records of a zone have the same name.
    case duplicateRecord
    /// No content with that SHA-256 is stored.
    case assetNotFound
    /// The content of an asset is incomplete or too large, or does not match its SHA-256.
    case invalidAsset
    /// The operating system or SQLite reported another error.
    case system
  }

  /// The kind of the error.
  public let code: Code
  /// The fault, the expected value, and the remedy.
  public let description: String
  /// The record that cannot be read, or that is repeated; nil for other errors.
  public let recordID: RecordID?
  /// The database of the record that cannot be read.
  package let database: DatabaseScope?
  /// The fault of a stored item, without its name.
  let detail: String?
  /// Whether the item is a zone whose name, owner and records can be read.
  package let keepsIdentity: Bool
  /// The description without the fault of a stored item, which may quote its value, and without the
  /// path of the file, for clients of a server.
  package let descriptionForClients: String
  /// Whether the error is that of one item: a record, zone, subscription or user. Everything else in
  /// the container can be read.
  package let isOfItem: Bool

  private init(
    _ code: Code, _ description: String, recordID: RecordID? = nil,
    database: DatabaseScope? = nil, detail: String? = nil, forClients: String? = nil,
    isOfItem: Bool = false, keepsIdentity: Bool = false
  ) {
    descriptionForClients = forClients ?? description
    self.keepsIdentity = keepsIdentity
    self.isOfItem = isOfItem || recordID != nil
    self.code = code
    self.description = description
    self.recordID = recordID
    self.database = database
    self.detail = detail
  }
}

extension ContainerStoreError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

// MARK: Opening

extension ContainerStoreError {
  static func notFound(path: String) -> Self {
    Self(.notFound, "'\(path)': no such file; a container was expected")
  }

  static func alreadyExists(path: String) -> Self {
    Self(.alreadyExists, "'\(path)' already exists; choose another path, or open it")
  }

  static func isDirectory(path: String) -> Self {
    Self(.notContainer, "'\(path)' is a directory; a container is a file")
  }

  /// The path leads to a device, a pipe or a socket.
  static func notRegularFile(path: String) -> Self {
    Self(.notContainer, "'\(path)' is not a regular file; a container is one")
  }

  static func emptyFile(path: String) -> Self {
    Self(.notContainer, "'\(path)' is empty; a container was expected")
  }

  /// - Parameter found: a description of the beginning of the file.
  static func notDatabase(path: String, found: String) -> Self {
    Self(
      .notContainer, "'\(path)' is not a container: an SQLite database was expected, found \(found)"
    )
  }

  /// - Parameter applicationID: the `application_id` of the other program.
  static func foreignDatabase(path: String, applicationID: UInt32) -> Self {
    func hex(_ id: UInt32) -> String { "0x" + String(id, radix: 16) }
    return Self(
      .notContainer,
      "'\(path)' is an SQLite database of another program (application_id \(hex(applicationID)), "
        + "expected \(hex(StoreSchema.applicationID)))")
  }

  /// The path is empty or contains a NUL character, where the system would truncate it.
  static func invalidPath(_ path: String) -> Self {
    Self(
      .notContainer,
      path.isEmpty
        ? "the path is empty; a file name was expected"
        : "'\(path.replacing("\0", with: "\\0"))' is not a valid path: it contains a NUL character")
  }

  static func notFileURL(_ address: String) -> Self {
    Self(.notContainer, "'\(address.prefix(80))' is not a file URL")
  }

  static func newerVersion(path: String, found: Int, supported: Int) -> Self {
    Self(
      .otherVersion,
      "'\(path)' has the container layout \(found), and this version of RecordPack reads up to "
        + "\(supported); use a newer version")
  }

  static func otherLayout(path: String, table: String, isMissing: Bool) -> Self {
    Self(
      .otherVersion,
      "'\(path)' has the layout of an earlier version of RecordPack, or was changed by another "
        + "program: its table '\(table)' \(isMissing ? "is missing" : "has other columns"); export it "
        + "with the version that made it, and import the bundle")
  }

  /// A log of a removed or moved container is beside the path of a new one.
  static func leftLog(path: String, log: String) -> Self {
    Self(
      .log,
      "'\(log)' is beside the path of the new container '\(path)': it is the log of a container "
        + "that was removed or moved, and may contain its last saves; put that container back "
        + "beside it and open it, or remove the log")
  }

  /// The log beside a container is that of another file.
  ///
  /// - Parameter aside: the new name of the log; nil if it cannot be renamed.
  static func foreignLog(path: String, log: String, aside: String?) -> Self {
    Self(
      .log,
      "the log '\(log)' is not that of '\(path)', but of a file that was at this path before, and "
        + "may contain its last saves; it was not merged. "
        + (aside.map { "It is kept as '\($0)': open the container again. " }
          ?? "Rename it, and open the container again. ")
        + "To get its saves, name it like its own file with '-wal' at the end, beside that file")
  }

  static func logUnreadable(path: String) -> Self {
    Self(
      .log,
      "the last saves of '\(path)' are in its log, which cannot be read without write access; "
        + "open the container once where its folder is writable")
  }
}

// MARK: Reading and writing

extension ContainerStoreError {
  static func folderReadOnly(path: String) -> Self {
    Self(.readOnly, "'\(path)' cannot be changed: its folder is read-only")
  }

  /// The file has several names (hard links). SQLite's log and locks belong to a name: two programs
  /// that write through two names would not see each other, and overwrite each other's saves.
  static func severalNames(path: String, count: Int) -> Self {
    Self(
      .readOnly,
      "'\(path)' cannot be changed: the file has \(count) names (hard links), and saves through "
        + "another name would be lost; copy the file, and remove the link")
  }

  static func notWritable(path: String) -> Self {
    Self(
      .readOnly,
      "'\(path)' cannot be changed: this user cannot write it; change its permissions, as with "
        + "'chmod u+w', or run the command as its owner")
  }

  /// A process of another user has left files beside the container.
  ///
  /// - Parameter haveSaves: Whether the log has saves that the container itself lacks.
  static func sideFiles(path: String, _ names: [String], haveSaves: Bool) -> Self {
    let names = names.map { "'\($0)'" }.joined(separator: " and ")
    return Self(
      .readOnly,
      "'\(path)' cannot be changed: this user cannot write \(names), which a process of another user "
        + "has left; "
        + (haveSaves
          ? "they have the last saves, so do not remove them: run the command as their owner, or change "
            + "their permissions"
          : "remove them when nobody has the container open"))
  }

  /// The file is mounted by itself.
  static func mountedFile(path: String) -> Self {
    Self(
      .readOnly,
      "'\(path)' cannot be changed: the file itself is mounted there (as by 'docker -v FILE:FILE'), "
        + "and saves through its other name would be lost; mount its folder")
  }

  /// - Parameter log: the log with the last saves, if it is not merged.
  static func moved(path: String, log: String?) -> Self {
    Self(
      .moved,
      "'\(path)' was moved, replaced, removed or written over while it was open; nothing more is "
        + "saved"
        + (log.map {
          ". The last saves are in '\($0)': to keep them, move it beside its file, with the file's "
            + "name and '-wal' at the end"
        } ?? ""))
  }

  package static let readOnly = Self(.readOnly, "the container was opened for reading only")
  package static let closed = Self(.closed, "the container is closed")
  static let inUse = Self(
    .busy, "the container is being read or written; close it when that is done")
  package static let busy = Self(
    .busy, "the container is locked by another process; try again when that is done")
  package static let diskFull = Self(.diskFull, "the disk is full; the container is unchanged")

  static func system(path: String, _ operation: String, message: String) -> Self {
    Self(.system, "'\(path)': \(operation): \(message)")
  }

  /// SQLite makes a temporary file when it first writes to it.
  static func cannotOpen(message: String) -> Self {
    let folder = FileManager.default.temporaryDirectory.path
    return Self(
      .system,
      "cannot open a temporary file in '\(folder)', or a file of the container: \(message); the "
        + "variable TMPDIR names another directory for temporary files")
  }

  /// - Parameter code: the extended result code of SQLite.
  static func sqlite(code: Int32, message: String) -> Self {
    Self(.system, "SQLite reports error \(code): \(message)")
  }
}

// MARK: Contents

extension ContainerStoreError {
  package static func damaged(detail: String, keepsIdentity: Bool = false) -> Self {
    Self(.damaged, "the container is damaged: \(detail)", keepsIdentity: keepsIdentity)
  }

  /// SQLite cannot read a page of the file.
  ///
  /// - Parameter path: the path of the container; nil for a container in memory.
  static func damagedPage(of path: String?, message: String) -> Self {
    func text(_ name: String) -> String {
      "a page of \(name) is damaged and cannot be read (\(message)); 'recordpack recover' saves what can "
        + "be read in a bundle"
    }
    return Self(
      .damaged, text(path.map { "'\($0)'" } ?? "the container"), forClients: text("the container"))
  }

  /// A table of a container has another number of rows than the container counts.
  ///
  /// - Parameter file: the file, as it follows the database in a description.
  static func otherCount(_ found: String, expected: Int64, of file: String) -> Self {
    func text(_ file: String) -> String {
      "the container is damaged: found \(found)\(file); \(expected) were expected"
    }
    return Self(.damaged, text(file), forClients: text(""))
  }

  /// The stored data of a record, zone or subscription cannot be read.
  ///
  /// - Parameter file: the file, as it follows the name in a description.
  package static func unreadable(
    name: String, of file: String = "", detail: String, recordID: RecordID? = nil,
    in database: DatabaseScope? = nil, isOfItem: Bool = false
  ) -> Self {
    Self(
      .damaged, "\(name)\(file) cannot be read: \(detail)", recordID: recordID, database: database,
      detail: detail, forClients: "\(name) cannot be read", isOfItem: isOfItem)
  }

  static func duplicateRecord(
    _ recordID: RecordID, existingType: String, incomingType: String
  ) -> Self {
    Self(
      .duplicateRecord,
      "record '\(recordID)' is repeated: once with type '\(existingType)', once with type "
        + "'\(incomingType)'" + (existingType == incomingType ? " and other content" : ""),
      recordID: recordID)
  }

  package static func assetNotFound(sha256: String) -> Self {
    Self(.assetNotFound, "no asset with SHA-256 \(sha256) is stored")
  }

  static func assetIncomplete(sha256: String, stored: Int64, size: Int64) -> Self {
    Self(.invalidAsset, "only \(stored) of \(size) bytes of asset \(sha256) are stored")
  }

  package static func assetTooLarge(sha256: String, size: Int64, limit: Int64) -> Self {
    Self(
      .invalidAsset,
      "the asset \(sha256) has \(size) bytes, more than the limit of \(limit); "
        + "read it in chunks or copy it to a file")
  }

  /// A chunk of an asset does not continue where the previous one ended.
  static func assetOffset(sha256: String, expected: Int64, found: Int64) -> Self {
    Self(
      .invalidAsset,
      "asset \(sha256) continues at byte \(expected), but a chunk for byte \(found) was added")
  }

  package static func assetDigest(expected: String, found: String) -> Self {
    Self(.invalidAsset, "the bytes of asset \(expected) have the SHA-256 \(found)")
  }

  static func invalidDigest(_ text: String) -> Self {
    Self(
      .invalidAsset,
      "'\(text.prefix(80))' is not a SHA-256; 64 hexadecimal digits were expected")
  }

  /// The error of a zone whose name, owner and records can be read.
  var keepingIdentity: Self {
    Self(
      code, description, detail: detail, forClients: descriptionForClients, isOfItem: isOfItem,
      keepsIdentity: true)
  }

  /// The description without the fault of a stored item, which may quote its value.
  package var descriptionWithoutDetail: String {
    detail.map { String(description.dropLast($0.count + 2)) } ?? description
  }

  /// The description of a row that does not match its checksum.
  package static let otherChecksum =
    "its checksum does not match; it was damaged on the disk, or changed by another program"
}
