import CloudInterface
import MockCloud
import RecordModel
import Testing

/// What a client sends is merged into the stored record. Source: Apple's
/// `CKModifyRecordsOperation.h`.
struct DraftMergeTests {
  /// Saves a record with the fields a, b and c, and a change of b by another client.
  ///
  /// - Returns: the record as it was before that change.
  private func changedElsewhere(_ database: MockDatabase) async throws -> ResultRecord {
    var draft = DraftRecord(recordType: "Note", recordID: id("n"))
    for key in ["a", "b", "c"] { draft[key] = "old" }
    let first = try await database.save(draft)
    var other = DraftRecord(first)
    other["b"] = "theirs"
    other["d"] = "theirs"
    try await database.save(other)
    return first
  }

  private func values(_ record: ResultRecord) -> [String: String] {
    var values: [String: String] = [:]
    for field in record.fields { values[field.name] = record[field.name] as String? }
    return values
  }

  @Test("changedKeys saves the changed fields and leaves the others as they are")
  func changedKeys() async throws {
    let database = try await makeDatabase()
    var draft = DraftRecord(try await changedElsewhere(database))
    draft["a"] = "mine"
    draft["c"] = nil
    let saved = try await database.save(draft, .changedKeys)
    #expect(values(saved) == ["a": "mine", "b": "theirs", "d": "theirs"])
  }

  @Test("changedKeys keeps the stored fields, also for a draft made from system fields alone")
  func systemFields() async throws {
    let database = try await makeDatabase()
    var draft = DraftRecord(systemFields: try await changedElsewhere(database).systemFields)
    draft["a"] = "mine"
    draft["c"] = nil
    let saved = try await database.save(draft, .changedKeys)
    #expect(values(saved) == ["a": "mine", "b": "theirs", "d": "theirs"])
  }

  @Test("an unchanged save of a draft made from system fields alone keeps the stored fields")
  func unchangedSystemFields() async throws {
    let database = try await makeDatabase()
    _ = try await changedElsewhere(database)
    let now = try await database.record(for: id("n"))
    var draft = DraftRecord(systemFields: now.systemFields)
    draft["a"] = "mine"
    let saved = try await database.save(draft)
    #expect(values(saved) == ["a": "mine", "b": "theirs", "c": "old", "d": "theirs"])
  }

  @Test("allKeys saves all fields of the draft; fields that only the server has stay")
  func allKeys() async throws {
    let database = try await makeDatabase()
    var draft = DraftRecord(try await changedElsewhere(database))
    draft["a"] = "mine"
    draft["c"] = nil
    let saved = try await database.save(draft, .allKeys)
    #expect(values(saved) == ["a": "mine", "b": "old", "d": "theirs"])
  }

  @Test("a parent that another client set stays unless the draft changed it")
  func parent() async throws {
    let database = try await makeDatabase()
    try await database.modifyRecords(saving: [note("p"), note("q")], deleting: [])
    let first = try await database.save(note("n"))
    var other = DraftRecord(first)
    other.parent = Reference(recordID: id("p"))
    try await database.save(other)

    var unaware = DraftRecord(first)
    unaware["text"] = "mine"
    #expect(
      try await database.save(unaware, .changedKeys).parent?.recordID == id("p"))
    var mover = DraftRecord(first)
    mover.parent = Reference(recordID: id("q"))
    #expect(try await database.save(mover, .changedKeys).parent?.recordID == id("q"))
    #expect(try await database.save(unaware, .allKeys).parent == nil)
  }

  @Test("a record that was never saved is created with all its fields")
  func neverSaved() async throws {
    let database = try await makeDatabase()
    let draft = DraftRecord(try note("n").resultRecord())
    let saved = try await database.save(draft)
    #expect(values(saved) == ["text": "text"])
  }

  @Test("a record that is created again has the fields that the policy sends")
  func createdAgain() async throws {
    for (policy, expected) in [
      (RecordSavePolicy.changedKeys, ["a": "mine"]),
      (.allKeys, ["a": "mine", "b": "old", "c": "old"]),
    ] {
      let database = try await makeDatabase(rules: .webServices)
      var draft = DraftRecord(try await changedElsewhere(database))
      try await database.deleteRecord(withID: id("n"))
      draft["a"] = "mine"
      let saved = try await database.save(draft, policy)
      #expect(values(saved) == expected)
    }
  }

  @Test("a merged record that exceeds a limit is refused")
  func mergedSize() async throws {
    let database = try await makeDatabase()
    var draft = DraftRecord(recordType: "Note", recordID: id("n"))
    draft["a"] = String(repeating: "a", count: 600_000)
    let saved = try await database.save(draft)
    var second = DraftRecord(systemFields: saved.systemFields)
    second["b"] = String(repeating: "b", count: 600_000)
    let error = await cloudError { try await database.save(second) }
    #expect(error?.violation?.limit == .recordSize)
  }
}
