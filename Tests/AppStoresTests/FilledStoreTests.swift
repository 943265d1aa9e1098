import AppStores
import Foundation
import RecordModel
import RecordStore
import TestSupport
import Testing

/// Fills copies of stores with the records that were read from them.
@Suite struct FilledStoreTests {
  @Test(.enabled(if: Command.exists("python3")))
  func `a random store that is filled from its records equals the original`() async throws {
    let temporary = try TestFolder()
    let environment = ProcessInfo.processInfo.environment
    let count = environment["RECORDPACK_MODEL_SEEDS"].flatMap(Int.init) ?? 40
    _ = try await SecondReader.run(["make", "0", "\(count)", temporary.path])
    for seed in 0..<count {
      let path = temporary.path("\(seed).store")
      let filled = temporary.path("\(seed).filled")
      _ = try Self.refill(path, into: path, as: filled)
      #expect(try Self.cells(filled) == Self.cells(path), "seed \(seed)")
    }
  }

  @Test(.enabled(if: RealStoreTests.folder != nil), arguments: RealStoreTests.stores)
  func `a real store that is filled from its records equals the original`(path: String) throws {
    let temporary = try TestFolder()
    let filled = temporary.path("filled.store")
    do {
      let report = try Self.refill(path, into: path, as: filled)
      let (found, expected) = (try Self.cells(filled), try Self.cells(path))
      let count = expected.values.joined().reduce(0) { $0 + $1.count }
      print(
        URL(fileURLWithPath: path).lastPathComponent, report.objects.values.reduce(0, +),
        "objects", report.links, "links", count, "cells")
      for table in Set(found.keys).union(expected.keys) where found[table] != expected[table] {
        for (a, b) in zip(found[table] ?? [], expected[table] ?? []) where a != b {
          Issue.record("\(table): \(a) instead of \(b)")
          break
        }
        #expect(found[table]?.count == expected[table]?.count, "\(table)")
      }
      #expect(temporary.names == ["filled.store"])
    } catch let error as AppStoreError where error.code != .doesNotFit {
      print(error)
    }
  }

  /// Reads a store, and fills a copy of another with its records.
  static func refill(
    _ path: String, into template: String, as result: String
  ) throws -> FilledStore {
    let folder = try TestFolder()
    let store = try CoreDataStore(AppStoreFile.open(path) { folder.path }, path: path)
    let container = try ContainerStore.inMemory()
    _ = try container.importTransaction { try store.fill($0) }
    return try fill(template, as: result, from: container)
  }

  static func fill(
    _ template: String, as result: String, from container: ContainerStore,
    takesValues: Bool = false
  ) throws -> FilledStore {
    let folder = try TestFolder()
    return try container.snapshot { snapshot in
      var source = StoreFiller.Source(
        forEachRecord: { filter, body in
          try snapshot.forEachRecord(in: .private, filter: filter) { try body($0, .private) }
        }, asset: { try snapshot.assetData(sha256: $0) })
      source.takesValues = takesValues
      return try StoreFiller.fill(
        AppStoreFile.open(template) { folder.path }, at: template, to: result, with: source)
    }
  }

  /// The cells of the tables of objects, and of the counters, without those that count saves.
  static func cells(_ path: String) throws -> [String: [[String]]] {
    let folder = try TestFolder()
    let db = try AppStoreFile.open(path) { folder.path }
    let tables = try db.all(
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'
        AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE')
      """
    ) { $0.string(0) }
    var cells: [String: [[String]]] = [:]
    for table in tables {
      let columns = try db.all("SELECT name FROM pragma_table_info(?)", [table]) { $0.string(0) }
        .filter { $0 != "Z_OPT" }
      let list = columns.map { "quote(\"\($0)\")" }.joined(separator: ", ")
      cells[table] = try db.all("SELECT \(list) FROM \"\(table)\" ORDER BY 1, 2") { row in
        (0..<columns.count).map { row.string(Int32($0)) }
      }
    }
    return cells
  }
}
