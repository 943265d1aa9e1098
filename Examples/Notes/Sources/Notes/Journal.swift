import CloudInterface
import Foundation
import RecordCoding
import RecordModel

/// A file with the changes of a library, a line each, in their order.
///
/// The file contains the decrypted text of notes. Keep it in a folder of the app that is not part of a
/// backup, such as one in `applicationSupportDirectory` with `isExcludedFromBackup`.
struct Journal: Sendable {
  /// A change of what the device knows.
  enum Entry: Sendable, Codable {
    /// The engine of a database has a new state.
    case engineState(DatabaseScope, SyncEngineStateSerialization)
    /// A user has signed in.
    case user(RecordID)
    /// The server has a record.
    case record(ResultRecord)
    /// The user has edited a record.
    case draft(DraftRecord)
    /// The server has all edits of a record.
    case sent(RecordID)
    /// The user has deleted a record.
    case deletion(RecordID)
    /// The server does not have a record any more.
    case removed(RecordID)
    /// The server does not have a zone any more.
    case zoneRemoved(ZoneID)
    /// The user has signed out.
    case signedOut
  }

  private let url: URL
  private let willWrite: @Sendable () throws -> Void

  /// Creates the journal in a folder, which is made if it is not there.
  init(folder: URL, willWrite: @escaping @Sendable () throws -> Void) throws {
    self.willWrite = willWrite
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent("Journal.jsonl", isDirectory: false)
  }

  /// Reads all entries.
  ///
  /// A last line without an end was being written when the app was killed: it is removed.
  func read() throws -> [Entry] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let data = try Data(contentsOf: url)
    let end = data.lastIndex(of: Self.newline).map { $0 + 1 } ?? 0
    if end < data.count {
      let file = try FileHandle(forWritingTo: url)
      defer { try? file.close() }
      try file.truncate(atOffset: UInt64(end))
    }
    let decoder = JSONDecoder()
    return try data[..<end].split(separator: Self.newline).map {
      try decoder.decode(Entry.self, from: $0)
    }
  }

  /// Adds entries at the end.
  func append(_ entries: [Entry]) throws {
    let data = try Self.lines(entries)
    try willWrite()
    guard FileManager.default.fileExists(atPath: url.path) else {
      return try data.write(to: url, options: .atomic)
    }
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    let end = try file.seekToEnd()
    do {
      try file.write(contentsOf: data)
    } catch {
      // Without half a line, the next entry is readable.
      try? file.truncate(atOffset: end)
      throw error
    }
  }

  /// Replaces all entries.
  func replace(with entries: [Entry]) throws {
    try Self.lines(entries).write(to: url, options: .atomic)
  }

  private static let newline = UInt8(ascii: "\n")

  private static func lines(_ entries: [Entry]) throws -> Data {
    let encoder = JSONEncoder()
    var data = Data()
    for entry in entries {
      data += try encoder.encode(entry)
      data.append(newline)
    }
    return data
  }
}
