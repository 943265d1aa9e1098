import CloudKit
import Foundation
import RecordModel
import Testing

@testable import RecordPackCloudKit

@Suite("An error of CloudKit")
struct ErrorConversionTests {
  @Test("has the same code in both directions", arguments: CloudError.Code.allCases)
  func codes(code: CloudError.Code) throws {
    let error = CKError(CloudError(code, "a message", retryAfter: 2.5))
    #expect(error.errorCode == code.rawValue)
    #expect(error.retryAfterSeconds == 2.5)
    let back = CloudError(error)
    #expect(back.code == code && back.message == "a message" && back.retryAfterSeconds == 2.5)
  }

  @Test("keeps the errors of items")
  func partial() throws {
    let zoneID = ZoneID(zoneName: "Notes")
    let ids = ["a", "b"].map { RecordID(recordName: $0, zoneID: zoneID) }
    let error = CloudError(
      .partialFailure, "some failed",
      partialErrors: [ids[0]: CloudError(.zoneBusy), ids[1]: CloudError(.unknownItem, "gone")])
    let back = CloudError(CKError(error))
    #expect(
      back.partialErrorsByItemID.mapValues(\.code) == [ids[0]: .zoneBusy, ids[1]: .unknownItem])
    #expect(back.partialErrorsByItemID[ids[1]]?.message == "gone")
  }

  @Test("tells the zones that failed")
  func zones() throws {
    let error = CKError(
      .partialFailure,
      userInfo: [
        CKPartialErrorsByItemIDKey: [
          AnyHashable(CKRecordZone.ID(zoneName: "Notes", ownerName: "_mira")):
            CKError(CloudError(.zoneNotFound, "no zone")) as any Error
        ]
      ])
    let message = CloudError(error).message
    #expect(message.contains("zone Notes/_mira: zoneNotFound (26): no zone"))
  }

  @Test("keeps the records of a conflict")
  func conflict() throws {
    let id = RecordID(recordName: "n")
    func record(_ text: String) -> ResultRecord {
      ResultRecord(
        systemFields: SystemFields(recordID: id, recordType: "Note", recordChangeTag: text),
        fields: [Field(name: "title", value: .string(text))])
    }
    var client = DraftRecord(record("b"))
    client["title"] = "mine"
    let error = CloudError(
      .serverRecordChanged, "client oplock error updating record",
      conflict: .init(
        serverRecord: record("c"), clientRecord: client, ancestorRecord: record("a")))
    let back = try #require(CloudError(CKError(error)).conflict)
    #expect(back.serverRecord == record("c"))
    #expect(back.ancestorRecord == record("a"))
    #expect(back.clientRecord?.recordChangeTag == "b")
    #expect(back.clientRecord?["title"] == "mine")
  }

  @Test("of a code that nobody knows keeps its number")
  func unknownCode() throws {
    let error = CKError(
      _nsError: NSError(
        domain: CKErrorDomain, code: 999, userInfo: [NSLocalizedDescriptionKey: "new"]))
    let converted = CloudError(error)
    #expect(converted.code == .internalError && converted.message == "CKError 999: new")
  }

  @Test("is the only kind that is converted")
  func others() throws {
    let error = CloudError.converting(CocoaError(.fileNoSuchFile))
    #expect(error is CocoaError)
    let cancelled = CloudError.converting(CancellationError())
    #expect(cancelled is CancellationError)
  }
}
