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
