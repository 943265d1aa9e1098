import CloudInterface
import CloudWebServices
import Foundation
import MockCloud
import RecordCoding
import RecordModel
import TestSupport
import Testing

/// Random requests through the handler leave a container as the same calls of the mock leave another,
/// and have the same results.
@Suite struct ModelTests {
  private static let zoneID = ZoneID(zoneName: "Notes")

  @Test(arguments: SeededGenerator.seeds(20))
  func `requests do what the calls do`(seed: UInt64) async throws {
    let client = try WebClient()
    let direct = try WebClient().container
    try await client.makeZone()
    try await direct.privateCloudDatabase.save(RecordZone(zoneID: Self.zoneID))
    var numbers = SeededGenerator(seed)
    for _ in 0..<40 {
      let operations = (0..<(1 + numbers.below(4))).map { _ in RandomOperation(&numbers) }
      let isAtomic = numbers.chance(2)
      let list = operations.map(\.json).joined(separator: ",")
      let answer = try await client.post(
        "records/modify",
        #"{"zoneID":{"zoneName":"Notes"},"atomic":\#(isAtomic),"operations":[\#(list)]}"#)
      let expected = try await Self.run(operations, isAtomic, direct)
      #expect(Self.results(answer) == expected)
      try await Self.expectSame(client, direct)
    }
  }

  /// Makes the call, and returns the code of each operation, or of the whole.
  private static func run(
    _ operations: [RandomOperation], _ isAtomic: Bool, _ container: MockContainer
  ) async throws -> [String] {
    // The same mix as one call: all saves of a policy at a time would not be the same transaction.
    var saves: [SaveRequest] = []
    var deletions: [RecordDeletion] = []
    for operation in operations {
      if let save = operation.save {
        saves.append(save)
      } else {
        deletions.append(operation.deletion)
      }
    }
    do {
      let results = try await container.privateCloudDatabase.modifyRecords(
        saves, deleting: deletions, atomically: isAtomic)
      return operations.map { operation in
        let error: (any Error)?
        if operation.save == nil {
          error = results.deleteResults[operation.recordID]?.error
        } else {
          error = results.saveResults[operation.recordID]?.error
        }
        return (error as? CloudError)?.code.serverErrorCode ?? "ok"
      }
    } catch let error as CloudError {
      return [error.code.serverErrorCode ?? error.code.name]
    }
  }

  private static func results(_ answer: Answer) -> [String] {
    if let code = answer.errorCode { return [code] }
    return answer.json["records"].elements.map { $0["serverErrorCode"].string ?? "ok" }
  }

  /// Compares the containers by what they have, and by what clients read.
  private static func expectSame(_ client: WebClient, _ direct: MockContainer) async throws {
    let changes = try await direct.privateCloudDatabase.recordZoneChanges(
      inZoneWith: zoneID, since: nil)
    let stored = try await client.container.privateCloudDatabase.recordZoneChanges(
      inZoneWith: zoneID, since: nil)
    let (a, b) = (
      changes.modificationResultsByID.compactMapValues { try? $0.get().record },
      stored.modificationResultsByID.compactMapValues { try? $0.get().record }
    )
    #expect(a == b)
    #expect(Set(changes.deletions) == Set(stored.deletions))
    let body = #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#
    let answer = try await client.post("changes/zone", body)
    let contents = try ResponseContents(answer.response.body, dialect: .webServices)
    #expect(
      contents.records.map { $0.fields.map(\.value) }.count == a.count)
    for record in contents.records {
      let same = try #require(a[record.recordID])
      #expect(record.fields.map(\.value) == same.fields.map(\.value))
      #expect(record.recordChangeTag == same.recordChangeTag)
      #expect(record.creationDate == same.creationDate)
    }
  }
}

extension Result {
  fileprivate var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// An operation, as JSON and as a call.
private struct RandomOperation {
  let recordID: RecordID
  let json: String
  let save: SaveRequest?
  let deletion: RecordDeletion

  init(_ numbers: inout SeededGenerator) {
    let name = "r\(numbers.below(4))"
    // A tag that is right, wrong, or none.
    let tag = String(numbers.below(30), radix: 36)
    let kind = numbers.pick([
      "create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete",
    ])
    recordID = RecordID(recordName: name, zoneID: ZoneID(zoneName: "Notes"))
    let hasTag = ["update", "replace"].contains(kind)
    var draft = DraftRecord(
      systemFields: SystemFields(
        recordID: recordID, recordType: "Note", recordChangeTag: hasTag ? tag : nil))
    var fields: [String] = []
    for field in ["a", "b", "c"] {
      switch numbers.below(4) {
      case 0:
        let number = Int64(numbers.below(100))
        draft.setField(field, to: .int64(number))
        fields.append(#""\#(field)":{"value":\#(number)}"#)
      case 1:
        draft.setField(field, to: .string("é\"\(numbers.below(9))"))
        let text = draft.field(named: field).flatMap { String(recordValue: $0.value) } ?? ""
        fields.append(
          #""\#(field)":{"value":\#(JSONValue.string(text).compactText),"type":"STRING"}"#)
      case 2:
        draft.setField(field, to: .int64(0))
        draft.setField(field, to: nil)
        fields.append(#""\#(field)":{"value":null}"#)
      default: break
      }
    }
    let isDeletion = kind.lowercased().hasSuffix("delete")
    let replaces = kind.lowercased().hasSuffix("replace")
    let policy: RecordSavePolicy =
      kind == "forceUpdate"
      ? .changedKeys : kind == "forceReplace" ? .allKeys : .ifServerRecordUnchanged
    save = isDeletion ? nil : SaveRequest(draft, policy, replacesFields: replaces)
    deletion = RecordDeletion(recordID, recordChangeTag: kind == "delete" ? tag : nil)
    let type =
      isDeletion ? "" : #""recordType":"Note","fields":{\#(fields.joined(separator: ","))},"#
    json =
      #"{"operationType":"\#(kind)","record":{\#(type)"recordChangeTag":"\#(tag)","recordName":"\#(name)"}}"#
  }
}
