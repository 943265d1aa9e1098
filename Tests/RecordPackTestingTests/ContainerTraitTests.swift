import Foundation
import RecordPackTesting
import Testing

private let chats = ZoneID(zoneName: "Chats")

@Suite("The container of a test", .container("Fixtures/Chats.recordpack"))
struct ContainerTraitTests {
  @Test("has the contents of the file, and is the test's own", arguments: 0..<8)
  func own(number: Int) async throws {
    let database = try MockContainer.current.privateCloudDatabase
    let before = try await database.records(ofType: "Reaction", inZoneWith: chats)
    #expect(before.count == 2)
    try await database.deleteRecord(withID: before[number % 2].recordID)
    try await database.save(
      DraftRecord(recordType: "Chat", recordID: RecordID(recordName: "\(number)", zoneID: chats)))
    #expect(try await database.records(ofType: "Reaction", inZoneWith: chats).count == 1)
    let after = try await database.records(ofType: "Chat", inZoneWith: chats)
    #expect(after.count == 7 && after.map(\.recordID.recordName).contains("\(number)"))
  }

  @Test(
    "comes from the resources of the tests, too",
    .container("Fixtures/Chats.recordpack", in: .module))
  func resources() async throws {
    let database = try MockContainer.current.privateCloudDatabase
    #expect(try await database.records(ofType: "Message", inZoneWith: chats).count == 72)
  }

  @Test(
    "is empty where that is asked for, and has the given time",
    .emptyContainer(now: { Date(timeIntervalSinceReferenceDate: 1000) }))
  func empty() async throws {
    let database = try MockContainer.current.privateCloudDatabase
    #expect(try await database.allRecordZones().map(\.zoneID) == [.default])
    let saved = try await database.save(DraftRecord(recordType: "Note"))
    #expect(saved.modificationDate == Date(timeIntervalSinceReferenceDate: 1000))
  }

  @Test(
    "is found by code that knows only its identifier, and takes its failures", .emptyContainer())
  func scope() throws {
    let scope = try #require(TestScope.current)
    #expect(try scope.container as? MockContainer === MockContainer.current)
    withKnownIssue { scope.recordFailure("an exception") }
  }

  @Test("is unknown to a task that does not inherit")
  func detached() async throws {
    let error = await Task.detached { () -> (any Error)? in
      do { _ = try MockContainer.current } catch { return error }
      return nil
    }.value
    #expect("\(error as Any)".contains("give it or its suite the trait"))
  }

  @Test("names the place where a file was looked for")
  func missing() throws {
    let error = #expect(throws: TestContainerError.self) {
      try MockContainer.fixture("Fixtures/Nothing.recordpack")
    }
    #expect("\(error as Any)".contains("RecordPackTestingTests/Fixtures/Nothing.recordpack"))
    #expect(throws: TestContainerError.self) {
      try MockContainer.fixture("Nothing.recordpack", in: .module)
    }
  }
}
