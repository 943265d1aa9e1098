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

  @Test("records with one number come by name, and each comes once")
  func equalNumbers() async throws {
    let database = try await makeDatabase()
    let names = ["B", "a", "b", "a1", "A", "z", "B2"]
    try await database.modifyRecords(saving: names.map { note($0) }, deleting: [])
    try database.container.store.transaction { try $0.db.execute("UPDATE record SET change = 9") }
    let whole = try await database.newestChanges(
      inZoneWith: notes, since: nil, resultsLimit: nil)
    #expect(whole.changes.count == names.count)
    var pages: [RecordID] = []
    var token: ServerChangeToken?
    var moreComing = true
    while moreComing {
      let page = try await database.newestChanges(
        inZoneWith: notes, since: token, resultsLimit: 2)
      pages += page.changes.map(\.recordID)
      (token, moreComing) = (page.changeToken, page.moreComing)
    }
    #expect(pages == whole.changes.map(\.recordID))
  }
}

extension StoredChange {
  /// The record that was saved or deleted.
  var recordID: RecordID {
    switch self {
    case .saved(let record): record.recordID
    case .deleted(let deleted): deleted.recordID
    }
  }
}
