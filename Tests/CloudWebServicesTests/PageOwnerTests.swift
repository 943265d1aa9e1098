import Foundation
import MockCloud
import RecordArchive
import RecordModel
import RecordPlatform
import Synchronization
import TestSupport
import Testing

@testable import CloudWebServices
@testable import RecordStore

/// The console of a container file with the data of one user, whose shares name others.
@Suite struct PageOwnerTests {
  private let folder: TemporaryFolder
  private let client: WebClient
  private let container: MockContainer

  init() async throws {
    folder = try TemporaryFolder()
    var info = ContainerInfo(
      identifier: WebClient.identifier, environment: .development, currentUserRecordName: "_anna")
    info.accounts = [ContainerAccount(userRecordName: "_kenji")]
    container = try MockContainer.open(
      path: folder.file("notes.sqlite"), mode: .create, info: info)
    var client = try WebClient()
    client.handler = WebServicesHandler(
      [try WebContainer(container)], admin: WebAdmin(), page: .withServices)
    self.client = client
    try await container.privateCloudDatabase.save(RecordZone(zoneName: "Notes"))
    try await client.create("top")
    try await client.create(
      "m1", #"{"to":{"type":"REFERENCE","value":{"recordName":"top","action":"NONE"}}}"#)
  }

  @Test func `shows its records, and nothing of the others`() async throws {
    let overview = try await client.page("overview")
    #expect(overview.has("seeing what the server returns") && !overview.has("_kenji"))
    #expect(try await client.page("overview", cookie: "console-actor=*_anna").has("_kenji"))
    let file = try await client.page(
      "export?database=private&zone=Notes&type=Note&format=recordpack")
    let path = folder.file("a.recordpack")
    try file.response.body.write(to: URL(fileURLWithPath: path))
    let bundle = try ArchiveSource.open([path])
    #expect(try bundle.info().accounts == [])
    #expect(try bundle.summary().records == 2)
  }

  /// Has a thread write until the result is called.
  private func write(to other: ContainerStore? = nil) -> () -> Void {
    let (begun, end, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let store = other ?? container.store
    Thread.detachNewThread {
      try? store.transaction { _ in
        begun.signal()
        end.wait()
      }
      done.signal()
    }
    begun.wait()
    return {
      end.signal()
      done.wait()
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `is shown before it has the index of participants`() async throws {
    let end = write()
    let page = try await client.page("overview")
    end()
    #expect(page.status == 200, "\(page.problem)")
    try await waitUntil { try container.store.missingParticipants() == nil }
  }

  @Test(.timeLimit(.minutes(5)))
  func `asks for a deletion without waiting for the index of what it takes`() async throws {
    let target = "delete?database=private&zone=Notes&name=top"
    let end = write()
    let page = try await client.page(target)
    end()
    #expect(page.has("id=\"waiting\""), "\(page.problem)")
    let later = try await client.page(target) { !$0.has("id=\"waiting\"") }
    #expect(later.has("This deletes <strong>1 <bdi>Note"), "\(later.problem)")
  }

  @Test(.timeLimit(.minutes(5))) func `is shown while it is reset`() async throws {
    var served = try WebContainer(container)
    (served.isInPlace, served.seed) = (true, try container.fork())
    var client = client
    let handler = WebServicesHandler([served], admin: WebAdmin(), page: .withServices)
    client.handler = handler
    _ = try await client.page("overview")
    let end = write()
    let isReset = Mutex(false)
    Thread.detachNewThread {
      try? handler.reset(at: 0)
      isReset.withLock { $0 = true }
    }
    try await waitUntil { container.store.connections.waitingWriters > 0 }
    #expect(try await client.page("overview").status == 200)
    end()
    try await waitUntil { isReset.withLock(\.self) }
  }

  @Test(.timeLimit(.minutes(5))) func `does not wait for the pages of other containers`()
    async throws
  {
    let other = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.other", environment: .development))
    var client = client
    client.handler = WebServicesHandler(
      [try WebContainer(container), try WebContainer(other)], admin: WebAdmin(),
      page: .withServices)
    let end = write(to: other.store)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask { [client] in
          await client.handler.respond(
            to: WebRequest("GET", "/page/iCloud.other/development/overview")
          ).status
        }
      }
      #expect(try await client.page("overview").status == 200)
      end()
      for try await status in group { #expect(status == 200) }
    }
  }

  @Test func `is closed after what goes on behind its pages has ended`() async throws {
    _ = try await client.page("overview")
    let end = write()
    let page = try await client.page("record?database=private&zone=Notes&name=top")
    #expect(page.has("An index of all relations is being made."), "\(page.problem)")
    #expect(throws: ContainerStoreError.self) { try container.store.close() }
    end()
    client.handler.background.end()
    try container.store.close()
  }

  @Test func `is shown while an index of relations is made`() async throws {
    _ = try await client.page("overview")
    let end = write()
    let target = "record?database=private&zone=Notes&name=top"
    let first = try await client.page(target)
    #expect(first.has("An index of all relations is being made."), "\(first.problem)")
    end()
    let page = try await client.page(target) { $0.has("Note.to") }
    #expect(page.has("<bdi>Note.to</bdi> <span class=\"quiet\">(1)</span>"), "\(page.problem)")
  }

  @Test(
    arguments: [
      (
        "records?database=private&zone=Notes&type=Note", "the index of names in &#39;Note&#39;",
        "m1"
      ),
      (
        "records?database=private&zone=Notes&type=Note&sort=-___modTime",
        "the index of &#39;___modTime&#39; in &#39;Note&#39;", "m1"
      ),
      ("shares", "the index of shared records", "has no shares."),
      ("changes", "the index of changes", "m1"),
      ("search?text=z", "the index of words in &#39;Note&#39;", "No name, and no word"),
    ])
  func `shows that an index is made, and then the view`(
    target: String, index: String, words: String
  ) async throws {
    _ = try await client.page("overview")
    // An import leaves this index out.
    try container.store.transaction { try $0.db.execute(StoreSchema.dropRecordChangeIndex) }
    let end = write()
    let first = try await client.page(target)
    #expect(first.has("id=\"waiting\"") && first.has(index), "\(first.text)")
    #expect(!first.has(words))
    end()
    let page = try await client.page(target) { $0.has(words) }
    #expect(page.has(words) && !page.has("id=\"waiting\""), "\(page.problem)")
  }

  @Test func `says that what a user sees is copied, and then shows it`() async throws {
    try await manyRecords()
    let end = DispatchSemaphore(value: 0)
    try client.handler.background.make(container, on: container.store) { end.wait() }
    for target in [
      "overview", "record?database=private&zone=Notes&name=top&notice=save&number=1",
    ] {
      let page = try await client.page(target)
      #expect(
        page.has("id=\"waiting\"") && page.has("a copy of what this user sees"), "\(page.text)")
      #expect(!page.has("Notes") && !page.has("m1"))
    }
    end.signal()
    let page = try await client.page("overview") { !$0.has("id=\"waiting\"") }
    #expect(page.has("Notes"), "\(page.problem)")
    // The view is copied again with another schema, and not with another user.
    try client.handler.background.make(container, on: container.store) { end.wait() }
    var info = try container.store.info()
    info.accounts.append(ContainerAccount(userRecordName: "_lena"))
    try container.store.setInfo(info)
    #expect(!(try await client.page("overview").has("id=\"waiting\"")))
    info.schema = "DEFINE SCHEMA RECORD TYPE Note (title STRING);"
    try container.store.setInfo(info)
    #expect(try await client.page("overview").has("id=\"waiting\""))
    // A file is no page to wait in.
    let file = try await client.page(
      "export?database=private&zone=Notes&type=Note&format=json")
    #expect(file.text.hasPrefix("[{"), "\(file.problem)")
    end.signal()
  }

  @Test func `says nothing of others while what a user sees is copied`() async throws {
    try await manyRecords()
    let (handler, end) = (client.handler, DispatchSemaphore(value: 0))
    let place = ZoneLocation(.private, ZoneID(zoneName: "Notes"))
    let removal = try container.removal(of: place, keepsContent: false)
    let id = handler.removals.add(
      removal, by: "_anna", of: PageContainerName(handler.containers[0]))
    try handler.background.make(container, on: container.store) { end.wait() }
    defer { end.signal() }
    for target in [
      "changes?notice=delete-zone&removal=\(id)",
      "record?database=private&zone=Notes&name=top&notice=save&number=1",
    ] {
      let page = try await client.page(target, cookie: "console-actor=_kenji")
      #expect(page.has("id=\"waiting\""), "\(page.problem)")
      #expect(!page.has("class=\"notice") && !page.has("Notes"))
    }
  }

  @Test func `the views of more users than are kept all come`() async throws {
    try await manyRecords()
    let users = (0..<7).map { "_user\($0)" }
    var info = try container.store.info()
    info.accounts = (["_kenji"] + users).map { ContainerAccount(userRecordName: $0) }
    try container.store.setInfo(info)
    // One blocks the copies, and so all views wait at the same time.
    let end = DispatchSemaphore(value: 0)
    try client.handler.background.make(container, on: container.store) { end.wait() }
    func waiting() async throws -> Int {
      var count = 0
      for user in users {
        let page = try await client.page("overview", cookie: "console-actor=\(user)")
        #expect(page.status == 200, "\(page.problem)")
        count += page.has("id=\"waiting\"") ? 1 : 0
      }
      return count
    }
    #expect(try await waiting() == users.count)
    end.signal()
    try await waitUntil { try await waiting() == 0 }
    #expect(try await waiting() == 0)
  }

  /// Adds so many records that a page does not wait for a copy.
  private func manyRecords() async throws {
    try container.store.importTransaction { writer in
      for number in 0..<2_000 {
        let recordID = RecordID(recordName: "x\(number)", zoneID: ZoneID(zoneName: "Notes"))
        let fields = SystemFields(recordID: recordID, recordType: "Other")
        try writer.add(ResultRecord(systemFields: fields, fields: []), to: .private)
      }
    }
  }

  @Test func `finds names for a reference while an index of words is made`() async throws {
    try await client.create("x", #"{"title":{"value":"more"}}"#)
    _ = try await client.page("overview")
    let target = "find?in=private/Notes/__defaultOwner__&text=m"
    let end = write()
    let first = try await client.page(target)
    #expect(first.json["records"].elements.map { $0["name"].string } == ["m1"])
    #expect(first.json["isWhole"].bool == false)
    end()
    let page = try await client.page(target) { $0.has("\"isWhole\":true") }
    #expect(page.json["records"].elements.map { $0["name"].string } == ["m1", "x"])
  }
}
