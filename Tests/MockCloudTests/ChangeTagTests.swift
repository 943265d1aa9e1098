import CloudInterface
import MockCloud
import RecordCoding
import RecordModel
import Testing

/// Every cell of the table of `SaveRule.changeTag`. Sources: sqlite-data's `MockCloudDatabase`, CKKS,
/// and Apple's documentation of the save policies.
struct ChangeTagTests {
  /// A draft whose record is stored, based on an older version of it.
  private func staleDraft(_ database: MockDatabase) async throws -> DraftRecord {
    let first = try await database.save(note("a"))
    var second = DraftRecord(first)
    second["text"] = "second"
    try await database.save(second)
    var stale = DraftRecord(first)
    stale["text"] = "stale"
    return stale
  }

  /// A draft whose record was deleted.
  private func orphanedDraft(_ database: MockDatabase) async throws -> DraftRecord {
    var draft = DraftRecord(try await database.save(note("a")))
    try await database.deleteRecord(withID: id("a"))
    draft["text"] = "again"
    return draft
  }

  private func save(
    _ draft: DraftRecord, _ policy: RecordSavePolicy, in database: MockDatabase
  ) async throws -> Result<ResultRecord, any Error> {
    let answer = try await database.modifyRecords(
      saving: [draft], deleting: [], savePolicy: policy, atomically: true)
    return try #require(answer.saveResults[draft.recordID])
  }

  @Test("stored, same tag: saved under every policy", arguments: RecordSavePolicy.allCases)
  func sameTag(policy: RecordSavePolicy) async throws {
    let database = try await makeDatabase()
    let first = try await database.save(note("a"))
    var draft = DraftRecord(first)
    draft["text"] = "new"
    let saved = try await save(draft, policy, in: database).get()
    #expect(saved["text"] == "new")
    #expect(saved.recordChangeTag != first.recordChangeTag)
    #expect(try await database.record(for: id("a")) == saved)
  }

  @Test("stored, other tag, unchanged policy: serverRecordChanged with all three records")
  func otherTag() async throws {
    let database = try await makeDatabase()
    let stale = try await staleDraft(database)
    let error = try await save(stale, .ifServerRecordUnchanged, in: database).cloudError
    #expect(error?.code == .serverRecordChanged)
    #expect(error?.message == "client oplock error updating record")
    #expect(error?.conflict?.serverRecord?["text"] == "second")
    #expect(error?.conflict?.clientRecord == stale)
    #expect(error?.conflict?.ancestorRecord == stale.base)
    #expect(try await database.record(for: id("a"))["text"] == "second")
  }

  @Test(
    "stored, other tag: the other policies save",
    arguments: [RecordSavePolicy.changedKeys, .allKeys])
  func otherTagForced(policy: RecordSavePolicy) async throws {
    let database = try await makeDatabase()
    let stale = try await staleDraft(database)
    #expect(try await save(stale, policy, in: database).get()["text"] == "stale")
  }

  @Test("stored, no tag, unchanged policy: the error is a setting of the server")
  func noTag() async throws {
    for (setting, code) in [
      (ServerRules.UntaggedSave.serverRecordChanged, CloudError.Code.serverRecordChanged),
      (.serverRejectedRequest, .serverRejectedRequest),
    ] {
      var rules = ServerRules.native
      rules.untaggedSave = setting
      let database = try await makeDatabase(rules: rules)
      try await database.save(note("a", "first"))
      let result = try await save(note("a", "second"), .ifServerRecordUnchanged, in: database)
      let error = result.cloudError
      #expect(error?.code == code)
      #expect(error?.message == "record to insert already exists")
      #expect(error?.conflict?.serverRecord?["text"] == "first")
      #expect(error?.conflict?.ancestorRecord == nil)
    }
    #expect(ServerRules.native.untaggedSave == .serverRecordChanged)
  }

  @Test(
    "stored, no tag: the other policies save", arguments: [RecordSavePolicy.changedKeys, .allKeys])
  func noTagForced(policy: RecordSavePolicy) async throws {
    let database = try await makeDatabase()
    try await database.save(note("a", "first"))
    #expect(try await save(note("a", "second"), policy, in: database).get()["text"] == "second")
  }

  @Test("not stored, a tag: unknownItem under every policy", arguments: RecordSavePolicy.allCases)
  func deleted(policy: RecordSavePolicy) async throws {
    let database = try await makeDatabase()
    let result = try await save(try await orphanedDraft(database), policy, in: database)
    #expect(result.cloudError?.code == .unknownItem)
    #expect(try database.names() == [])
  }

  @Test("not stored, a tag: Web Services' force operations create the record")
  func deletedForced() async throws {
    for policy in RecordSavePolicy.allCases {
      let database = try await makeDatabase(rules: .webServices)
      let result = try await save(try await orphanedDraft(database), policy, in: database)
      guard policy != .ifServerRecordUnchanged else {
        #expect(result.cloudError?.code == .unknownItem)
        continue
      }
      #expect(try result.get()["text"] == "again")
    }
  }

  @Test("not stored, no tag: created under every policy", arguments: RecordSavePolicy.allCases)
  func created(policy: RecordSavePolicy) async throws {
    let database = try await makeDatabase()
    let saved = try await save(note("a"), policy, in: database).get()
    #expect(saved.recordChangeTag != nil)
    #expect(saved["text"] == "text")
  }

  @Test("a deleted record can be inserted again, and loses its tombstone")
  func reinserted() async throws {
    let database = try await makeDatabase()
    let first = try await database.save(note("a"))
    try await database.deleteRecord(withID: id("a"))
    let again = try await database.save(note("a"))
    #expect(again.recordChangeTag != first.recordChangeTag)
    #expect(try database.tombstones() == [])
  }

  @Test("the server can leave records out of a conflict error")
  func withoutRecords() async throws {
    var rules = ServerRules.native
    rules.sendsServerRecord = false
    rules.sendsAncestorRecord = false
    let database = try await makeDatabase(rules: rules)
    let stale = try await staleDraft(database)
    let conflict = try await save(stale, .ifServerRecordUnchanged, in: database)
      .cloudError?.conflict
    #expect(conflict == CloudError.Conflict(clientRecord: stale))
  }

  @Test("a share is judged as unchanged under every policy", arguments: RecordSavePolicy.allCases)
  func share(policy: RecordSavePolicy) async throws {
    let database = try await makeDatabase()
    var root = note("root")
    var share = DraftRecord(sharing: &root, title: "first", recordName: "s")
    try await database.modifyRecords(saving: [root, share], deleting: [])
    share[Share.titleKey] = "second"
    let result = try await save(share, policy, in: database)
    #expect(result.cloudError?.code == .serverRecordChanged)
  }

  @Test("a tag is the number of the database's last change, in base 36")
  func base36() async throws {
    let database = try await makeDatabase()
    for _ in 0..<40 { try await database.save(note("a"), .allKeys) }
    let tag = try #require(try await database.tag("a"))
    let change = try database.container.store.snapshot { try $0.lastChange(in: .private) }
    #expect(Int64(tag, radix: 36) == change)
    #expect(change > 36)
  }
}

extension MockDatabase {
  @discardableResult
  func save(_ draft: DraftRecord, _ policy: RecordSavePolicy) async throws -> ResultRecord {
    let answer = try await modifyRecords(saving: [draft], deleting: [], savePolicy: policy)
    return try #require(answer.saveResults[draft.recordID]).get()
  }
}
