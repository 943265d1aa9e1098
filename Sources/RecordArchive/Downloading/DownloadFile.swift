import Foundation
import RecordModel
import RecordStore

/// The file of a download, and its state, in notes beside the records.
struct DownloadFile: Sendable {
  private let store: ContainerStore

  init(_ store: ContainerStore) { self.store = store }

  /// Reads the state of an earlier download, and begins or continues one.
  ///
  /// - Parameter info: The known metadata of the container.
  func begin(
    _ fresh: DownloadState, _ info: ContainerInfo
  ) async throws -> (state: DownloadState, listings: [Listing], unread: Set<RecordLocation>) {
    try await perform { store in
      try store.mirrorTransaction { writer in
        var state = fresh
        if let stored = try DownloadState.read(writer) {
          try fresh.check(stored)
          state = stored
        } else if try !writer.isEmpty() {
          throw ArchiveError.notADownload
        }
        var listings: [Listing] = try writer.notes(Listing.prefix).map {
          try DownloadNote.decode($0.text)
        }
        if !state.isOpen {
          state.isOpen = true
          state.counts = DownloadCounts()
          for query in listings where query.recordType != nil { try query.remove(from: writer) }
          listings.removeAll { $0.recordType != nil }
        }
        try writer.setInfo(try writer.info().adding(info))
        state.revision += 1
        try state.write(to: writer)
        return (state, listings, try RecordLocation.unread(in: writer))
      }
    }
  }

  /// Changes the file and the state in one transaction.
  func commit<T: Sendable>(
    _ state: DownloadState,
    _ body: @escaping @Sendable (MirrorTransaction, inout DownloadState) throws -> T
  ) async throws -> (T, DownloadState) {
    try await perform { store in
      try store.mirrorTransaction { writer in
        guard try DownloadState.read(writer)?.revision == state.revision else {
          throw ArchiveError.changedElsewhere
        }
        var state = state
        state.revision += 1
        let result = try body(writer, &state)
        try state.write(to: writer)
        return (result, state)
      }
    }
  }

  /// Returns the assets whose content the file does not have.
  func missing(_ assets: [Asset]) async throws -> [Asset] {
    try await perform { store in
      try store.snapshot { snapshot in
        try assets.filter { asset in
          guard let sha256 = asset.sha256 else { return true }
          return try !snapshot.hasAsset(sha256: sha256)
        }
      }
    }
  }

  private func perform<T: Sendable>(
    _ body: @escaping @Sendable (ContainerStore) throws -> T
  ) async throws -> T {
    try await Archiver().perform { [store] _ in try body(store) }
  }
}

extension ContainerInfo {
  /// Returns the metadata with what else is known.
  fileprivate func adding(_ other: ContainerInfo) -> ContainerInfo {
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
  var counts = DownloadCounts()
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

/// The state of a zone, or of the query of a type in a zone without a change feed.
struct Listing: Codable, Sendable {
  static let prefix = "download.list "

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
