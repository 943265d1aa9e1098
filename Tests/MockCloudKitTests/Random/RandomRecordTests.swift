import Foundation
import TestSupport
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

/// Random edits, copies, archives and saves of records, compared with a model that has only the rules of
/// Apple's documentation: which keys are sent, and when a save fails.
@Suite struct RandomRecordTests {
  @Test(arguments: SeededGenerator.seeds(6)) func recordsSendWhatTheAppSet(seed: UInt64)
    async throws
  {
    var program = try await RecordProgram(seed: UInt64(seed))
    for _ in 0..<120 { try await program.step() }
  }
}

/// The values, encrypted values and parent of a record.
private struct Contents: Equatable {
  var values: [String: Int] = [:]
  var secrets: [String: Int] = [:]
  var parent: String?
}

/// A record of the app, and what the app knows about it.
private struct Held {
  let record: CKRecord
  var contents = Contents()
  var changed: Set<String> = []
  var changedSecrets: Set<String> = []
  var hasSetParent = false
  /// The parent that the app knew from the server.
  var knownParent: String?
  var tag: String?
}

private struct RecordProgram {
  private var random: SeededGenerator
  private var log: [String] = []
  private let fixture: Fixture
  private var held: [Held] = []
  private var stored: [String: (contents: Contents, tag: String)] = [:]
  private let names = ["a", "b", "c"]

  init(seed: UInt64) async throws {
    random = SeededGenerator(seed)
    fixture = try await Fixture.withZone()
    _ = try await fixture.database.modifyRecords(
      saving: [fixture.record("p0"), fixture.record("p1")], deleting: [])
  }

  mutating func step() async throws {
    let kind = Int.random(in: 0..<20, using: &random)
    guard kind > 1, let index = held.indices.randomElement(using: &random) else {
      let name = names.randomElement(using: &random) ?? ""
      return keep(Held(record: fixture.record(name)))
    }
    switch kind {
    case 2..<9: edit(index)
    case 9: keep(copy(held[index]))
    case 10: keep(try archived(held[index]))
    case 11: keep(try systemFields(held[index]))
    case 12..<14: try await fetch(held[index].record.recordID)
    case 14: try await delete(held[index].record.recordID)
    default: try await save(index)
    }
    for held in held { expect(held.record, held) }
  }

  private mutating func keep(_ one: Held) {
    held.append(one)
    if held.count > 6 { held.removeFirst() }
  }

  private func expect(_ record: CKRecord, _ expected: Held) {
    var contents = Contents()
    for key in record.allKeys() { contents.values[key] = record[key] }
    for key in record.encryptedValues.allKeys() {
      contents.secrets[key] = record.encryptedValues[key]
    }
    contents.parent = record.parent?.recordID.recordName
    #expect(contents == expected.contents, "\(log.suffix(5))")
    #expect(Set(record.changedKeys()) == expected.changed, "\(log.suffix(5))")
    #expect(Set(record.encryptedValues.changedKeys()) == expected.changedSecrets)
    #expect(record.recordChangeTag == expected.tag, "\(log.suffix(5))")
  }

  // MARK: Without the server

  private mutating func edit(_ index: Int) {
    let record = held[index].record
    let key = ["k0", "k1", "k2"].randomElement(using: &random) ?? ""
    let value = Bool.random(using: &random) ? Int.random(in: 0..<9, using: &random) : nil
    log.append("\(record.recordID.recordName) \(key) = \(value.map { "\($0)" } ?? "nil")")
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let parent = [nil, "p0", "p1"].randomElement(using: &random) ?? nil
      log[log.count - 1] = "\(record.recordID.recordName) parent \(parent ?? "nil")"
      record.setParent(parent.map { fixture.record($0).recordID })
      held[index].hasSetParent = true
      held[index].contents.parent = parent
    case 1:
      record.encryptedValues["e\(key)"] = value
      held[index].contents.secrets["e\(key)"] = value
      held[index].changedSecrets.insert("e\(key)")
    default:
      record[key] = value
      held[index].contents.values[key] = value
      held[index].changed.insert(key)
    }
  }

  private func replacing(_ one: Held, _ record: CKRecord) -> Held {
    Held(
      record: record, contents: one.contents, changed: one.changed,
      changedSecrets: one.changedSecrets, hasSetParent: one.hasSetParent,
      knownParent: one.knownParent, tag: one.tag)
  }

  private func copy(_ one: Held) -> Held {
    guard let record = one.record.copy() as? CKRecord else { return one }
    return replacing(one, record)
  }

  private func archived(_ one: Held) throws -> Held {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: one.record, requiringSecureCoding: true)
    let record = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data)
    return replacing(one, try #require(record))
  }

  private func systemFields(_ one: Held) throws -> Held {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    one.record.encodeSystemFields(with: archiver)
    archiver.finishEncoding()
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    unarchiver.requiresSecureCoding = true
    return Held(
      record: try #require(CKRecord(coder: unarchiver)),
      contents: Contents(parent: one.contents.parent), hasSetParent: one.hasSetParent,
      knownParent: one.knownParent,
      tag: one.tag)
  }

  // MARK: With the server

  private mutating func fetch(_ id: CKRecord.ID) async throws {
    let keys = Bool.random(using: &random) ? nil : ["k0", "ek1"]
    let result = try await fixture.database.records(for: [id], desiredKeys: keys)[id]
    guard let (contents, tag) = stored[id.recordName] else {
      #expect(name(result?.failure) == "unknownItem")
      return
    }
    let wanted = { (key: String) in keys?.contains(key) ?? true }
    let record = try #require(try result?.get())
    keep(
      Held(
        record: record,
        contents: Contents(
          values: contents.values.filter { wanted($0.key) },
          secrets: contents.secrets.filter { wanted($0.key) }, parent: contents.parent),
        knownParent: contents.parent, tag: tag))
  }

  private mutating func delete(_ id: CKRecord.ID) async throws {
    log.append("delete \(id.recordName)")
    try await fixture.database.deleteRecord(withID: id)
    stored[id.recordName] = nil
  }

  private mutating func save(_ index: Int) async throws {
    let (one, id) = (held[index], held[index].record.recordID)
    let policies: [CKModifyRecordsOperation.RecordSavePolicy] = [
      .ifServerRecordUnchanged, .changedKeys, .allKeys,
    ]
    let policy = policies.randomElement(using: &random) ?? .allKeys
    log.append("save \(id.recordName) \(policy) \(one.tag ?? "new")")
    let result = try await fixture.database.modifyRecords(
      saving: [one.record], deleting: [], savePolicy: policy
    ).saveResults[id]
    let old = stored[id.recordName]
    if old == nil, one.tag != nil {
      #expect(name(result?.failure) == "unknownItem", "\(log.suffix(5))")
    } else if let old, policy == .ifServerRecordUnchanged, old.tag != one.tag {
      #expect(name(result?.failure) == "serverRecordChanged", "\(log.suffix(5))")
      let error = result?.failure as? CKError
      #expect(error?.clientRecord?.changedKeys() == one.record.changedKeys())
      if let server = error?.serverRecord {
        expect(server, Held(record: server, contents: old.contents, tag: old.tag))
      }
    } else {
      let saved = try #require(try result?.get())
      let tag = try #require(saved.recordChangeTag)
      #expect(tag != old?.tag)
      var contents = merge(one, into: old?.contents, sendsAll: policy == .allKeys)
      // No public source says whether all keys include a parent that the app did not set, and whether a
      // parent that was set to what it was is sent.
      let isKnown = one.tag != nil && one.contents.parent == one.knownParent
      if one.hasSetParent ? isKnown : policy == .allKeys {
        contents.parent = saved.parent?.recordID.recordName
      }
      stored[id.recordName] = (contents, tag)
      // CloudKit updates the object, which keeps its fields.
      #expect(saved === one.record)
      var own = one.contents
      own.parent = contents.parent
      held[index] = Held(record: saved, contents: own, knownParent: contents.parent, tag: tag)
    }
  }

  /// Source: Apple's documentation of `CKModifyRecordsOperation.RecordSavePolicy`.
  private func merge(_ one: Held, into old: Contents?, sendsAll: Bool) -> Contents {
    var merged = old ?? Contents()
    let keys = sendsAll ? one.changed.union(one.contents.values.keys) : one.changed
    for key in keys { merged.values[key] = one.contents.values[key] }
    let secrets =
      sendsAll ? one.changedSecrets.union(one.contents.secrets.keys) : one.changedSecrets
    for key in secrets { merged.secrets[key] = one.contents.secrets[key] }
    // A parent that a new record does not have says nothing.
    if one.hasSetParent, one.tag != nil || one.contents.parent != nil {
      merged.parent = one.contents.parent
    }
    return merged
  }
}
