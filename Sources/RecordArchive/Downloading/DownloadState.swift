import Foundation
import RecordModel
import RecordStore

extension ContainerInfo {
  /// Returns the metadata with what else is known.
  func adding(_ other: ContainerInfo) -> ContainerInfo {
    var result = self
    result.identifier = other.identifier ?? identifier
    result.environment = other.environment ?? environment
    result.schema = other.schema ?? schema
    result.schemaVersion = other.schemaVersion ?? schemaVersion
    result.currentUserRecordName = other.currentUserRecordName ?? currentUserRecordName
    return result
  }
}

/// The state of a whole download, in the same transactions as the records.
struct DownloadState: Codable {
  static let note = "download"
  static let currentVersion = 1

  var version = currentVersion
  var containerIdentifier: String?
  var userRecordName: String?
  var includesEncryptedValues: Bool
  var includesAssets: Bool
  /// The number of transactions, which shows if another download writes to the file.
  var revision = 0
  /// Whether a download was begun and not finished.
  var isOpen = false
  var counts = DownloadReport.Counts()
  /// The change tokens of databases, by scope.
  var tokens: [String: Data] = [:]

  /// Checks that a download can go on with another one's state.
  func check(_ other: DownloadState) throws {
    guard other.version == Self.currentVersion else { throw ArchiveError.newerDownload }
    guard containerIdentifier == other.containerIdentifier,
      userRecordName == other.userRecordName
    else { throw ArchiveError.otherAccount }
    guard includesEncryptedValues == other.includesEncryptedValues,
      includesAssets == other.includesAssets
    else { throw ArchiveError.otherOptions }
  }

  static func read(_ writer: MirrorTransaction) throws -> DownloadState? {
    try writer.notes(note).first { $0.name == note }.map { try DownloadNote.decode($0.text) }
  }

  func write(to writer: MirrorTransaction) throws {
    try writer.setNote(Self.note, DownloadNote.encode(self))
  }
}

/// The state of a zone, or of the query of a type in a zone without a change feed.
struct Listing: Codable, Sendable {
  private static let prefix = "download.list "

  let scope: DatabaseScope
  let zoneName: String
  let ownerName: String
  /// The type that is queried; nil for the zone.
  let recordType: String?
  /// The change token or the cursor at the end of the last page; nil to begin from the start.
  var position: Data?
  /// Whether there are pages to fetch.
  var isPending = true
  /// Whether records are noted that the server lists.
  var isRelisting = false

  init(_ zone: ZoneLocation, ofType recordType: String? = nil) {
    scope = zone.database
    zoneName = zone.zoneID.zoneName
    ownerName = zone.zoneID.ownerName
    self.recordType = recordType
  }

  /// The zones and queries of a file.
  static func all(in writer: MirrorTransaction) throws -> [Listing] {
    try writer.notes(prefix).map { try DownloadNote.decode($0.text) }
  }

  var zoneID: ZoneID { ZoneID(zoneName: zoneName, ownerName: ownerName) }
  var zone: ZoneLocation { ZoneLocation(scope, zoneID) }
  var key: RecordSection { RecordSection(scope, zoneID, recordType ?? "") }

  func write(to writer: MirrorTransaction) throws {
    try writer.setNote(try noteName, DownloadNote.encode(self))
  }

  func remove(from writer: MirrorTransaction) throws { try writer.setNote(try noteName, nil) }

  private var noteName: String {
    get throws {
      try Self.prefix + DownloadNote.encode([scope.rawValue, ownerName, zoneName, recordType])
    }
  }
}

extension RecordLocation {
  private static let prefix = "download.unread "

  /// Notes whether the server did not send the record, or not with all its assets.
  func setUnread(_ isUnread: Bool, in writer: MirrorTransaction) throws {
    let zoneID = recordID.zoneID
    let name = try DownloadNote.encode(
      [database.rawValue, zoneID.ownerName, zoneID.zoneName, recordID.recordName])
    try writer.setNote(Self.prefix + name, isUnread ? name : nil)
  }

  /// The records that the server did not send, or not with all their assets.
  static func unread(in writer: MirrorTransaction) throws -> Set<RecordLocation> {
    let places = try writer.notes(prefix).compactMap { note -> RecordLocation? in
      let parts: [String] = try DownloadNote.decode(note.text)
      guard parts.count == 4, let database = DatabaseScope(rawValue: parts[0]) else { return nil }
      let zoneID = ZoneID(zoneName: parts[2], ownerName: parts[1])
      return RecordLocation(database, RecordID(recordName: parts[3], zoneID: zoneID))
    }
    return Set(places)
  }
}

/// The text of notes.
private enum DownloadNote {
  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decode<T: Decodable>(_ text: String) throws -> T {
    do {
      return try JSONDecoder().decode(T.self, from: Data(text.utf8))
    } catch is DecodingError {
      throw ContainerStoreError.damaged(detail: "the state of the download cannot be read")
    }
  }
}
