import Foundation
import RecordModel
import Testing

@Suite("CloudKit's errors")
struct CloudErrorTests {
  private func thrown(_ error: any Error) -> String {
    do {
      throw error
    } catch CloudError.zoneNotFound {
      return "zoneNotFound"
    } catch CloudError.limitExceeded {
      return "limitExceeded"
    } catch {
      return "other"
    }
  }

  @Test("are matched by their code in a catch")
  func matching() {
    #expect(thrown(CloudError(.zoneNotFound, "no zone")) == "zoneNotFound")
    #expect(thrown(CloudError(.limitExceeded)) == "limitExceeded")
    #expect(thrown(CloudError(.zoneBusy)) == "other")
    #expect(thrown(CocoaError(.fileNoSuchFile)) == "other")
  }

  @Test("tell a person their name and message")
  func message() {
    let error: any Error = CloudError(.zoneNotFound, "zone 'Notes' is not there")
    #expect(error.localizedDescription == "zoneNotFound (26): zone 'Notes' is not there")
  }

  @Test("can be expected as values")
  func equality() {
    let id = RecordID(recordName: "x")
    let error = CloudError(.partialFailure, partialErrors: [id: CloudError(.unknownItem, "gone")])
    #expect(throws: error) { throw error }
    #expect(error != CloudError(.partialFailure, partialErrors: [id: CloudError(.unknownItem)]))
    #expect(error != CloudError(.partialFailure))
    #expect(Set([error, error]).count == 1)
  }

  @Test("of a limit come with the limit")
  func limits() throws {
    var draft = DraftRecord(recordType: "T")
    draft["text"] = String(repeating: "x", count: 1_000_001)
    let error = #expect(throws: CloudError.self) { try draft.resultRecord() }
    #expect(error?.code == .limitExceeded)
    #expect(error?.violation?.limit == .recordSize)
    #expect(error?.violation?.subject == .record(draft.recordID))
    #expect(error?.message == error?.violation?.description)
  }
}
