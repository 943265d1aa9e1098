import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Synchronization
import Testing

/// The server sets dates and users. Source: Apple's documentation of `CKRecord`.
struct SystemFieldTests {
  @Test("a save is stamped by the container's clock and user; the creation stays")
  func stamps() async throws {
    let seconds = Mutex(0.0)
    let database = try await makeDatabase(user: "_mira") {
      testDate.addingTimeInterval(seconds.withLock { $0 })
    }
    let first = try await database.save(note("a"))
    #expect(first.creationDate == testDate)
    #expect(first.creatorUserRecordID?.recordName == "_mira")
    seconds.withLock { $0 = 60 }
    var draft = DraftRecord(first)
    draft["text"] = "later"
    let second = try await database.save(draft)
    #expect(second.creationDate == testDate)
    #expect(second.modificationDate == testDate.addingTimeInterval(60))
    #expect(second.lastModifiedUserRecordID?.recordName == "_mira")
  }

  @Test("what a client says about dates, users and the tag does not count")
  func clientStamps() async throws {
    let database = try await makeDatabase()
    let system = SystemFields(
      recordID: id("a"), recordType: "Note",
      created: RecordStamp(date: .distantPast, userRecordName: "_me"),
      modified: RecordStamp(date: .distantPast, userRecordName: "_me"))
    let saved = try await database.save(DraftRecord(systemFields: system))
    #expect(saved.creationDate == testDate)
    #expect(
      saved.creatorUserRecordID?.recordName
        == (try await database.container.userRecordID()).recordName)
    #expect(saved.modificationDate == testDate)
  }
}
