import Foundation
import RecordModel
import Testing

@testable import RecordStore

/// Each row fails one check, and no later one with the same error.
@Suite("A container with one damaged row")
struct DamagedRowTests {
  private static let sha256 = "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"

  /// Returns the error of reading a container after a change.
  private func error(
    after sql: String, _ read: (ContainerStore) throws -> Void
  ) throws -> ContainerStoreError? {
    let container = try ContainerStore.test()
    try container.setInfo(ContainerInfo(identifier: "iCloud.a", environment: .development))
    var draft = note("one")
    draft["file"] = Asset(data: Data([1, 2, 3]))
    try container.database(.private).save([draft, note("two")])
    try read(container)
    try container.transaction { try $0.db.execute(sql) }
    do {
      try read(container)
      return nil
    } catch { return error as? ContainerStoreError }
  }

  @Test("does not return an asset with other bytes or another size")
  func assets() throws {
    func read(_ container: ContainerStore) throws {
      _ = try container.snapshot { try $0.assetData(sha256: Self.sha256) }
    }
    let bytes = try error(after: "UPDATE assetChunk SET data = x'040506'", read)
    #expect(bytes?.description.contains("SHA-256") == true, "\(String(describing: bytes))")
    let size = try error(after: "UPDATE asset SET size = 4", read)
    #expect(size?.description.contains("3 of 4 bytes") == true, "\(String(describing: size))")
    let negative = try error(after: "UPDATE asset SET size = -1", read)
    #expect(negative?.description.contains("has the size -1") == true)
  }

  @Test("does not return records that do not match their checksums, or are out of order")
  func records() throws {
    func read(_ container: ContainerStore) throws {
      try container.database(.private).forEachRecord { _ in }
    }
    let sql = #"""
      UPDATE record SET json = CAST(
        replace(CAST(json AS TEXT), '"value":"text"', '"value":"texx"') AS BLOB)
      """#
    #expect(try error(after: sql, read) != nil)
    #expect(try error(after: "UPDATE section SET inOrder = 0", read) != nil)
  }

  @Test("says which record a record's row has instead of its own")
  func names() throws {
    let error = try error(
      after: #"""
        UPDATE record SET json = CAST(
          replace(CAST(json AS TEXT), '"recordName":"one"', '"recordName":"two"') AS BLOB)
        WHERE name = 'one'
        """#
    ) { try $0.database(.private).forEachRecord { _ in } }
    #expect(error?.description.contains("found the record") == true, "\(String(describing: error))")
  }

  @Test(
    "does not return a zone, subscription, deletion, counter or note that was changed",
    arguments: [
      ("zone", "lastChange = lastChange + 7"), ("subscription", "change = change + 7"),
      ("tombstone", "change = change + 7"), ("database", "lastChange = lastChange + 7"),
      ("setting", "value = value || 'x' WHERE name = 'note'"),
    ])
  func rows(table: String, change: String) throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    try database.save([note("one")])
    try database.deleteRecords([note("one").recordID])
    try database.save([CloudSubscription(subscriptionID: "s", kind: .database(recordType: nil))])
    try container.mirrorTransaction { try $0.setNote("note", "text") }
    func read() throws {
      switch table {
      case "zone": _ = try container.snapshot { try $0.zones(in: .private) }
      case "subscription": _ = try container.snapshot { try $0.subscriptions(in: .private) }
      case "tombstone":
        try container.snapshot { try $0.forEachTombstone(in: .private) { _ in } }
      case "database": _ = try container.snapshot { try $0.changes(of: .private) }
      default: _ = try container.mirrorTransaction { try $0.notes("note") }
      }
    }
    try read()
    try container.connections.write { try $0.execute("UPDATE \(table) SET \(change)") }
    let error = #expect(throws: ContainerStoreError.self) { try read() }
    #expect(error?.description.contains(ContainerStoreError.otherChecksum) == true)
  }
}
