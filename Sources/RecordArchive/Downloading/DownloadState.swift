import CloudInterface
import Foundation
import RecordModel
import RecordStore

/// What a download knows about itself. It lies in notes beside the records, in the same transactions.
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
  var counts = DownloadCounts()
  /// The change tokens of databases, by scope.
  var tokens: [String: Data] = [:]

  /// Checks that a download can go on with another one's state.
  func check(_ other: DownloadState) throws {
    guard other.version == Self.currentVersion else { throw DownloadError.newerVersion }
    guard containerIdentifier == other.containerIdentifier,
      userRecordName == other.userRecordName
    else { throw DownloadError.otherAccount }
    guard includesEncryptedValues == other.includesEncryptedValues,
      includesAssets == other.includesAssets
    else { throw DownloadError.otherOptions }
  }

  static func read(_ writer: MirrorWriter) throws -> DownloadState? {
    try writer.notes(note).first { $0.name == note }.map { try DownloadNote.decode($0.text) }
  }

  func write(to writer: MirrorWriter) throws {
    try writer.setNote(Self.note, DownloadNote.encode(self))
  }
}

/// The counts of an unfinished download.
struct DownloadCounts: Codable, Sendable {
  var records = 0
  var bytes = 0
  var deletedRecords = 0
  var deletedZones = 0
  var assets = 0
  var omittedEncryptedValues = 0
  var omittedAssets = 0
}

/// What a download knows about a zone.
struct ZoneProgress: Codable, Sendable {
  static let prefix = "download.zone "

  let scope: DatabaseScope
  let zoneName: String
  let ownerName: String
  /// The end of the last page; nil to begin from the start.
  var token: Data?
  /// Whether the zone has changes to fetch.
  var isPending = true
  /// Whether records are noted that the server lists.
  var isRelisting = false
  /// The names of records that the server did not send, or not with all their assets.
  var unread: [String] = []

  init(_ zoneID: ZoneID, in scope: DatabaseScope) {
    self.scope = scope
    zoneName = zoneID.zoneName
    ownerName = zoneID.ownerName
  }

  var zoneID: ZoneID { ZoneID(zoneName: zoneName, ownerName: ownerName) }
  var place: DownloadReport.Place { .init(databaseScope: scope, zoneID: zoneID) }

  mutating func setUnread(_ recordName: String, _ isUnread: Bool) {
    unread.removeAll { $0.sameScalars(as: recordName) }
    if isUnread { unread.append(recordName) }
  }

  func write(to writer: MirrorWriter) throws {
    try writer.setNote(try noteName(), DownloadNote.encode(self))
  }

  func remove(from writer: MirrorWriter) throws { try writer.setNote(try noteName(), nil) }

  private func noteName() throws -> String {
    try Self.prefix + DownloadNote.encode([scope.rawValue, ownerName, zoneName])
  }
}

/// What an unfinished download knows about the query of a type.
struct QueryProgress: Codable, Sendable {
  static let prefix = "download.query "

  let scope: DatabaseScope
  let zoneName: String
  let ownerName: String
  let recordType: String
  /// Where the next page begins; nil to begin from the start.
  var cursor: Data?
  var isDone = false
  var isRelisting = false

  init(_ section: RecordSection) {
    scope = section.database
    zoneName = section.zoneID.zoneName
    ownerName = section.zoneID.ownerName
    recordType = section.recordType
  }

  var section: RecordSection {
    RecordSection(scope, ZoneID(zoneName: zoneName, ownerName: ownerName), recordType)
  }

  func write(to writer: MirrorWriter) throws {
    let name = try DownloadNote.encode([scope.rawValue, ownerName, zoneName, recordType])
    try writer.setNote(Self.prefix + name, DownloadNote.encode(self))
  }
}

/// The text of notes.
enum DownloadNote {
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
