import RecordModel
import Testing

@Suite("Three-way merge")
struct DraftMergingTests {
  private func record(
    _ fields: [String: String], tag: String, parent: String? = nil
  ) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: "n"), recordType: "Note", recordChangeTag: tag,
        parent: parent.map { Reference(recordID: RecordID(recordName: $0)) }),
      fields: fields.map { Field(name: $0.key, value: .string($0.value)) })
  }

  private func values(_ draft: DraftRecord) -> [String: String] {
    var values: [String: String] = [:]
    for field in draft.fields { values[field.name] = draft[field.name] as String? }
    return values
  }

  /// A draft that changes a, removes b, adds e, and leaves c and d.
  private var draft: DraftRecord {
    var draft = DraftRecord(record(["a": "1", "b": "1", "c": "1", "d": "1"], tag: "1"))
    draft["a"] = "mine"
    draft["b"] = nil
    draft["e"] = "mine"
    return draft
  }

  @Test("each side's changes are kept; the draft is based on the newer record")
  func disjoint() {
    let server = record(["a": "1", "b": "1", "c": "theirs", "f": "theirs"], tag: "2")
    var conflicts = 0
    let merged = draft.merging(server) { conflict in
      conflicts += 1
      return conflict.mine
    }
    #expect(conflicts == 0)
    #expect(values(merged) == ["a": "mine", "c": "theirs", "e": "mine", "f": "theirs"])
    #expect(merged.changedKeys() == ["a", "b", "e"])
    #expect(merged.removedKeys() == ["b"])
    #expect(merged.recordChangeTag == "2")
    #expect(merged.base == server)
  }

  @Test("a field that both sides have changed is resolved, by default with the draft's value")
  func conflicts() {
    let server = record(["a": "theirs", "b": "theirs", "e": "theirs"], tag: "2")
    #expect(values(draft.merging(server)) == ["a": "mine", "e": "mine"])
    var found: [String: [RecordValue?]] = [:]
    let merged = draft.merging(server) { conflict in
      found[conflict.key] = [conflict.mine, conflict.theirs, conflict.ancestor]
      return conflict.key == "a" ? conflict.theirs : .string("both")
    }
    #expect(
      found == [
        "a": [.string("mine"), .string("theirs"), .string("1")],
        "b": [nil, .string("theirs"), .string("1")],
        "e": [.string("mine"), .string("theirs"), nil],
      ])
    #expect(values(merged) == ["a": "theirs", "b": "both", "e": "both"])
    #expect(merged.changedKeys() == ["b", "e"])
  }

  @Test("what both sides have changed to the same value is no change any more")
  func same() {
    let merged = draft.merging(record(["a": "mine", "c": "1", "d": "1", "e": "mine"], tag: "2"))
    #expect(merged.changedKeys() == [])
  }

  @Test("a draft from system fields knows no ancestor: a different value is a conflict")
  func systemFields() {
    var draft = DraftRecord(systemFields: record([:], tag: "1").systemFields)
    draft["a"] = "mine"
    draft["b"] = "mine"
    var found: [String] = []
    let merged = draft.merging(record(["a": "1", "c": "1"], tag: "2")) { conflict in
      found.append(conflict.key)
      return conflict.theirs
    }
    #expect(found == ["a"])
    #expect(values(merged) == ["a": "1", "b": "mine", "c": "1"])
  }

  @Test("a parent stays the server's unless the draft changed it; encryption stays")
  func parent() {
    var unaware = DraftRecord(record(["a": "1"], tag: "1", parent: "p"))
    unaware.encryptedValues["secret"] = "word"
    let server = record(["a": "1"], tag: "2", parent: "q")
    #expect(unaware.merging(server).parent?.recordID.recordName == "q")
    #expect(unaware.merging(server).field(named: "secret")?.isEncrypted == true)
    unaware.parent = nil
    #expect(unaware.merging(server).parent == nil)
  }
}
