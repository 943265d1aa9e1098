#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("Errors of CloudKit")
  struct ErrorOfItemTests {
    @Test("tell errors of items that are of another domain")
    func otherDomain() throws {
      let id = RecordID(recordName: "n")
      let other = NSError(
        domain: NSCocoaErrorDomain, code: 640, userInfo: [NSLocalizedDescriptionKey: "disk full"])
      let error = CKError(
        .partialFailure,
        userInfo: [
          CKPartialErrorsByItemIDKey: [CKRecord.ID(id) as AnyHashable: other as any Error]
        ])
      let found = CloudError(error)
      #expect(found.partialErrorsByItemID[id]?.message.contains("disk full") == true)
    }

    /// CloudKit raises an exception for the name, which ends the process.
    @Test("leave out items whose names CloudKit does not take")
    func invalidName() throws {
      var error = CloudError(.partialFailure, "")
      error.partialErrorsByItemID[RecordID(recordName: "ä")] = CloudError(.invalidArguments, "no")
      error.partialErrorsByItemID[RecordID(recordName: "n")] = CloudError(.unknownItem, "no")
      let items = try #require(CKError(error).partialErrorsByItemID)
      #expect(items.count == 1)
    }

    /// CloudKit raises an exception for the name, which ends the process.
    @Test("say that there is no user with a name that CloudKit does not take")
    func invalidUser() async throws {
      let bridged = try TwinContainers().bridged
      let info = UserIdentity.LookupInfo(userRecordName: "ä")
      #expect(LookupCriterion(info) == nil)
      let found = try await bridged.shareParticipants(for: [info])
      let error = #expect(throws: CloudError.self) { try found[info]?.get() }
      #expect(error?.code == .unknownItem)
    }
  }
#endif
