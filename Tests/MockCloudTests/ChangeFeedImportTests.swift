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
}
