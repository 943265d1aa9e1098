import Foundation
import GRDB
import RecordModel

@testable import RecordStore

/// A container file that somebody else has changed: its bytes, or the values in its tables.
///
/// An input that begins as an SQLite file is the file. Any other is a list of changes to a sample,
/// one a line: `record.json=tTEXT` sets a column in all rows to a text (`b` a blob, `i` an integer,
/// `r` a real, `n` nothing), `@OFFSET=TEXT` writes over the bytes at an offset of the file.
struct ContainerTarget: FuzzTarget {
  private let folder: WorkFolder
  private let sample: Data
  private let columns: [String: Set<String>]

  init() throws {
    folder = try WorkFolder()
    let path = folder.path("sample.sqlite")
    let container = try ContainerStore.open(path: path, mode: .create) {
      Date(timeIntervalSinceReferenceDate: 800_000_000)
    }
    try Samples.fill(container)
    try container.close()
    sample = try Data(contentsOf: URL(fileURLWithPath: path))
    columns = try DatabaseQueue(path: path).read { db in
      var columns: [String: Set<String>] = [:]
      for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type='table'")
      {
        columns[table] = Set(try db.columns(in: table).map(\.name))
      }
      return columns
    }
  }

  func run(_ input: [UInt8]) throws {
    let path = folder.path("c.sqlite")
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
    if input.starts(with: Array("SQLite format 3\0".utf8)) {
      try Data(input).write(to: URL(fileURLWithPath: path))
    } else {
      try change(input, path)
    }
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    defer { _ = try? container.close() }
    _ = try? container.info()
    try? container.snapshot { snapshot in
      for scope in DatabaseScope.allCases { read(snapshot, scope) }
      try snapshot.forEachAsset { asset in
        _ = try? snapshot.assetData(sha256: asset.sha256, limit: 1 << 20)
      }
    }
  }

  private func read(_ snapshot: ContainerSnapshot, _ scope: DatabaseScope) {
    _ = try? snapshot.zones(in: scope)
    _ = try? snapshot.recordTypes(in: scope)
    _ = try? snapshot.subscriptions(in: scope)
    _ = try? snapshot.zoneTombstones(in: scope)
    _ = try? snapshot.lastChange(in: scope)
    try? snapshot.forEachTombstone(in: scope) { _ in }
    try? snapshot.forEachRecord(in: scope) { record in
      checkAccess(record)
      checkCircle(record)
      _ = try? snapshot.record(for: record.recordID, in: scope)
      _ = try? snapshot.assets(of: record.recordID, in: scope)
    }
  }

  private func change(_ input: [UInt8], _ path: String) throws {
    var bytes = sample
    var changes: [(table: String, column: String, value: DatabaseValue)] = []
    for line in input.split(separator: UInt8(ascii: "\n")).prefix(32) {
      if BytePatch.apply(line, to: &bytes) { continue }
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let place = String(decoding: line[..<equals], as: UTF8.self)
      let value = line[line.index(after: equals)...]
      let names = place.split(separator: ".").map(String.init)
      guard names.count == 2, columns[names[0]]?.contains(names[1]) == true else { continue }
      changes.append((names[0], names[1], databaseValue(value)))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    guard !changes.isEmpty else { return }
    let queue = try DatabaseQueue(path: path)
    queue.writeWithoutTransaction { db in
      for change in changes {
        try? db.execute(
          sql: "UPDATE OR IGNORE \(change.table) SET \(change.column) = ?",
          arguments: [change.value])
      }
    }
    try queue.close()
  }

  private func databaseValue(_ value: ArraySlice<UInt8>) -> DatabaseValue {
    let text = String(decoding: value.dropFirst(), as: UTF8.self)
    switch value.first {
    case UInt8(ascii: "t"): return text.databaseValue
    case UInt8(ascii: "b"): return Data(value.dropFirst()).databaseValue
    case UInt8(ascii: "i"): return (Int64(text) ?? 0).databaseValue
    case UInt8(ascii: "r"): return (Double(text) ?? 0).databaseValue
    default: return .null
    }
  }
}
