import CloudInterface
import MockCloud
import RecordModel
@testable import RecordStore
import Testing

@Suite("The change feed, the newest changes first")
struct NewestChangesTests {
  @Test("a page reads only its own records")
  func page() async throws {
    let database = try await makeDatabase()
    for name in ["a", "b", "c", "d"] { try await database.save(note(name)) }
    let first = try await database.newestChanges(
      inZoneWith: notes, since: nil, resultsLimit: 1)
    #expect(first.changes.map(\.recordID) == [id("d")])
    // A page that read the whole zone would find the damage.
    try database.container.store.transaction {
      try $0.db.execute("UPDATE record SET json = x'' WHERE name = 'a'")
    }
    let second = try await database.newestChanges(
      inZoneWith: notes, since: first.changeToken, resultsLimit: 1)
    #expect(second.changes.map(\.recordID) == [id("c")])
    #expect(second.moreComing)
  }
}

extension StoredChange {
  /// The record that was saved or deleted.
  var recordID: RecordID {
    switch self {
    case .saved(let record): record.recordID
    case .deleted(let deleted): deleted.recordID
    case .unreadable(let recordID, _): recordID
    }
  }
}
