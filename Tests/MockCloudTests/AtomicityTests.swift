import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// What else fails with one record. Sources: Apple's documentation of `CKModifyRecordsOperation` and
/// `CKError.Code.batchRequestFailed`; AgileCloudSDK #24.
struct AtomicityTests {
  private let other = ZoneID(zoneName: "Other")

  @Test("in a custom zone one error fails all; other zones are saved")
  func perZone() async throws {
    let database = try await makeDatabase()
    try await database.save(RecordZone(zoneID: other))
    try await database.save(note("old"))
    let answer = try await database.modifyRecords(
      saving: [note("new"), note("old"), note("elsewhere", in: other)], deleting: [id("gone")])
    #expect(answer.saveResults[id("old")]?.cloudError?.code == .serverRecordChanged)
    let innocent = answer.saveResults[id("new")]?.cloudError
    #expect(innocent?.code == .batchRequestFailed)
    #expect(innocent?.message == "Atomic failure")
    #expect(answer.deleteResults[id("gone")]?.cloudError?.code == .batchRequestFailed)
    #expect(answer.saveResults[id("elsewhere", in: other)]?.isSuccess == true)
    #expect(try database.names() == ["old", "elsewhere"])
  }

  @Test("a failed request leaves no trace: no record, asset, tombstone or change number")
  func rollback() async throws {
    let database = try await makeDatabase()
    try await database.modifyRecords(
      saving: [note("p"), note("c", below: "p"), note("d")], deleting: [])
    let before = try contents(of: database.container)
    var photo = note("photo")
    photo["file"] = Asset(data: Data("photo".utf8))
    let answer = try await database.modifyRecords(
      saving: [photo, note("e", below: "c"), note("p")], deleting: [id("d")])
    #expect(answer.saveResults.values.filter(\.isSuccess).isEmpty)
    #expect(answer.deleteResults.values.filter(\.isSuccess).isEmpty)
    #expect(try contents(of: database.container) == before)
  }

  @Test("without atomicity each record fails by itself, and children with their parent")
  func partial() async throws {
    let database = try await makeDatabase()
    try await database.save(note("old"))
    let answer = try await database.modifyRecords(
      saving: [
        note("c", below: "b"), note("b", below: "x"), note("new"), note("old"),
        note("d", below: "new"),
      ], deleting: [id("gone")], atomically: false)
    #expect(answer.saveResults[id("c")]?.cloudError?.code == .referenceViolation)
    #expect(answer.saveResults[id("b")]?.cloudError?.code == .referenceViolation)
    #expect(answer.saveResults[id("old")]?.cloudError?.code == .serverRecordChanged)
    #expect(answer.deleteResults[id("gone")]?.isSuccess == true)
    #expect(try database.names() == ["d", "new", "old"])
  }

  @Test("without atomicity a parent stays for the child that stays")
  func partialDeletion() async throws {
    let database = try await makeDatabase()
    try await database.modifyRecords(
      saving: [note("a"), note("b", below: "a"), note("c", below: "b"), note("d")], deleting: [])
    let answer = try await database.modifyRecords(
      saving: [], deleting: [id("a"), id("b"), id("d")], atomically: false)
    #expect(answer.deleteResults[id("a")]?.cloudError?.code == .referenceViolation)
    #expect(answer.deleteResults[id("b")]?.cloudError?.code == .referenceViolation)
    #expect(try database.names() == ["a", "b", "c"])
  }

  @Test("the default zone is never atomic; Web Services refuse to try")
  func defaultZone() async throws {
    let zone = ZoneID.default
    for rules in [ServerRules.native, .webServices] {
      let database = try await makeDatabase(rules: rules)
      try await database.save(note("old", in: zone), atomically: false)
      let request = [note("old", in: zone), note("new", in: zone)]
      if rules == .native {
        let answer = try await database.modifyRecords(saving: request, deleting: [])
        #expect(answer.saveResults[id("new", in: zone)]?.isSuccess == true)
        #expect(
          answer.saveResults[id("old", in: zone)]?.cloudError?.code == .serverRecordChanged)
      } else {
        let error = await cloudError {
          try await database.modifyRecords(saving: request, deleting: [])
        }
        #expect(error?.message == "atomic operations not supported in default zone")
        #expect(try database.names() == ["old"])
      }
    }
  }
}

extension MockDatabase {
  fileprivate func save(_ draft: DraftRecord, atomically: Bool) async throws {
    let answer = try await modifyRecords(saving: [draft], deleting: [], atomically: atomically)
    _ = try #require(answer.saveResults[draft.recordID]).get()
  }
}
