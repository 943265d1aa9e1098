import Dispatch
import Foundation
import RecordModel
import RecordStore

/// The file of a download. Its work runs on a queue, and holds up no thread of Swift's tasks.
final class DownloadFile: Sendable {
  private let store: ContainerStore
  private let queue = DispatchQueue(label: "RecordPack.ContainerDownload")

  init(_ store: ContainerStore) { self.store = store }

  /// What is known when a download begins.
  struct Content: Sendable {
    var state: DownloadState
    var zones: [ZoneProgress]
    var queries: [QueryProgress]
  }

  /// Reads the state of an earlier download, and begins or continues one.
  ///
  /// - Parameter info: what is known about the container.
  func begin(_ fresh: DownloadState, _ info: ContainerInfo) async throws -> Content {
    try await perform { store in
      try store.mirrorTransaction { writer in
        var state = fresh
        if let stored = try DownloadState.read(writer) {
          try fresh.check(stored)
          state = stored
        } else if try !writer.isEmpty() {
          throw DownloadError.notADownload
        }
        let queries = try writer.notes(QueryProgress.prefix)
        if !state.isOpen {
          state.isOpen = true
          state.counts = DownloadCounts()
          for query in queries { try writer.setNote(query.name, nil) }
        }
        try writer.setInfo(try writer.info().adding(info))
        state.revision += 1
        try state.write(to: writer)
        return Content(
          state: state,
          zones: try writer.notes(ZoneProgress.prefix).map { try DownloadNote.decode($0.text) },
          queries: try writer.notes(QueryProgress.prefix).map { try DownloadNote.decode($0.text) })
      }
    }
  }

  /// Changes the file and the state in one transaction.
  func commit<T: Sendable>(
    _ state: DownloadState,
    _ body: @escaping @Sendable (MirrorWriter, inout DownloadState) throws -> T
  ) async throws -> (T, DownloadState) {
    try await perform { store in
      try store.mirrorTransaction { writer in
        guard try DownloadState.read(writer)?.revision == state.revision else {
          throw DownloadError.changedElsewhere
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
    let store = store
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body(store) }) }
    }
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
