import CloudInterface
import MockCloud
import RecordModel
import Testing

/// The change feed after imports: records with the same number of their change, and any names.
struct ChangeFeedImportTests {
  @Test("pages end also if a record's name begins with a combining character")
  func combiningNames() async throws {
    let database = try await makeDatabase()
    let names = ["a", ";", "x", "\u{301}", "\u{301}x", "\u{301}y", "\u{10FFFF}"]
    try database.container.store.importTransaction { writer in
      for name in names {
        let draft = DraftRecord(recordType: "Note", recordID: id(name))
        let record = ResultRecord(systemFields: draft.systemFields, fields: [])
        try writer.add(record, to: .private)
      }
    }
    var found: [RecordID] = []
    var token: ServerChangeToken?
    for _ in names {
      let page = try await database.recordZoneChanges(
        inZoneWith: notes, since: token, desiredKeys: nil, resultsLimit: 1)
      found += page.modificationResultsByID.keys
      token = page.changeToken
    }
    #expect(found.sorted() == names.map { id($0) }.sorted())
    let rest = try await database.recordZoneChanges(inZoneWith: notes, since: token)
    #expect(rest.modificationResultsByID.isEmpty && !rest.moreComing)
  }

  @Test(
    "a token stays valid after the next save, whichever database has the highest tag",
    arguments: [("3", "9"), ("9", "3")])
  func tagsOfBothDatabases(own: String, shared: String) async throws {
    let container = try MockContainer.inMemory()
    let theirs = ZoneID(zoneName: "Theirs", ownerName: "_friend")
    try container.store.importTransaction { writer in
      for (zoneID, scope, tag) in [(notes, .private, own), (theirs, .shared, shared)]
        as [(ZoneID, DatabaseScope, String)]
      {
        try writer.add(RecordZone(zoneID: zoneID), to: scope)
        var fields = DraftRecord(recordType: "Note", recordID: id("one", in: zoneID)).systemFields
        fields.recordChangeTag = tag
        try writer.add(ResultRecord(systemFields: fields, fields: []), to: scope)
      }
    }
    let database = container.privateCloudDatabase
    let zone = try await database.recordZoneChanges(inZoneWith: notes, since: nil)
    let zones = try await database.databaseChanges(since: nil)
    _ = try await database.save(note("two"))
    let changes = try await database.recordZoneChanges(inZoneWith: notes, since: zone.changeToken)
    #expect(Array(changes.modificationResultsByID.keys) == [id("two")])
    let changed = try await database.databaseChanges(since: zones.changeToken)
    #expect(changed.modifications.map(\.zoneID) == [notes])
  }
}
