import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// What a recording has, and what is read of a damaged one.
@Suite(.timeLimit(.minutes(20)))
struct RecordingTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func record(
    _ body: (RecordingDatabase<FeedContainer>) async throws -> Void
  ) async throws -> String {
    let container = RecordingContainer(FeedContainer())
    try await body(container.privateCloudDatabase)
    return String(decoding: try #require(container.data), as: UTF8.self)
  }

  @Test("a recording is a header, and a line for each call")
  func lines() async throws {
    let text = try await record { database in
      _ = try await database.allRecordZones()
      _ = try? await database.allSubscriptions()
    }
    #expect(
      text == """
        {"kind":"recording","version":1,"container":"iCloud.test","includesAssets":true}
        {"kind":"call","number":1,"begin":1,"database":"private","operation":"allRecordZones",\
        "request":{},"response":{"results":[{"id":{"zoneName":"Notes","ownerRecordName":\
        "__defaultOwner__"},"zone":{"zoneID":{"zoneName":"Notes","ownerRecordName":\
        "__defaultOwner__"},"capabilities":["ATOMIC","FETCH_CHANGES","SHARING",\
        "ZONE_WIDE_SHARING"]}}]}}
        {"kind":"call","number":2,"begin":2,"database":"private","operation":"allSubscriptions",\
        "request":{},"error":{"serverErrorCode":"INTERNAL_ERROR","reason":"not part of the test"}}

        """)
  }

  @Test("a file is readable by its owner only, and has each call as soon as it ends")
  func file() async throws {
    let path = folder.path("calls.jsonl")
    let container = try RecordingContainer(FeedContainer(), path: path)
    #expect(try Recording(path: path).calls.isEmpty)
    _ = try await container.privateCloudDatabase.save(note("a"))
    #expect(try Recording(path: path).calls.count == 1)
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
    #expect(throws: (any Error).self) { try RecordingContainer(FeedContainer(), path: path) }
    try container.finish()
    _ = try await container.accountStatus()
    #expect(try Recording(path: path).calls.count == 1)

    let again = try RecordingContainer(FeedContainer(), path: path, overwrite: true)
    _ = try await again.accountStatus()
    _ = try await again.userRecordID()
    #expect(try Recording(path: path).calls.map(\.operation) == [.accountStatus, .userRecordID])
    #expect(throws: RecordingError.self) { try again.recording() }
    #expect(throws: (any Error).self) {
      try RecordingContainer(FeedContainer(), path: folder.path("no/such/folder"))
    }
  }

  @Test("calls pass unchanged, with values that cannot be recorded, and errors of other types")
  func notRecordable() async throws {
    struct OtherError: Error, CustomStringConvertible { let description = "other" }
    let faulty = FaultInjectingContainer(FeedContainer())
    faulty.faults.run(.allRecordZones) { _ in throw OtherError() }
    let container = RecordingContainer(faulty)
    let database = container.privateCloudDatabase
    await #expect(throws: OtherError.self) { try await database.allRecordZones() }
    var draft = note("a")
    draft["number"] = Double.nan
    faulty.faults.fail(.modifyRecords, with: .quotaExceeded)
    let error = await cloudError { try await database.save(draft) }
    #expect(error?.code == .quotaExceeded)

    let recording = try container.recording()
    let first = try #require(recording.calls.first?.result)
    #expect(
      throws: RecordedError(type: "OtherError", message: "other")
    ) { try first.get() }
    let second = try #require(recording.calls.last)
    #expect(second.call == nil)
    #expect(second.problem?.contains("not finite") == true)
    let replaying = ReplayingContainer(recording)
    await #expect(throws: RecordedError.self) {
      try await replaying.privateCloudDatabase.allRecordZones()
    }
    let again = await cloudError { try await replaying.privateCloudDatabase.save(draft) }
    #expect(again == error)
    try replaying.finish()
  }

  @Test("asset contents are lines of their own, once, or left out")
  func assets() async throws {
    for includesAssets in [true, false] {
      let mock = try MockContainer.inMemory()
      let container = RecordingContainer(mock, includesAssets: includesAssets)
      let url = URL(fileURLWithPath: folder.path("photo"))
      try Data("a photo".utf8).write(to: url)
      for (name, asset) in [
        ("a", Asset(fileURL: url)), ("b", Asset(data: Data("a photo".utf8))),
      ] {
        var draft = note(name, in: .default)
        draft["photo"] = asset
        _ = try await container.privateCloudDatabase.save(draft)
      }
      let text = String(decoding: try #require(container.data), as: UTF8.self)
      #expect(text.components(separatedBy: "\"kind\":\"asset\"").count == (includesAssets ? 2 : 1))
      #expect(text.contains(Data("a photo".utf8).base64EncodedString()) == includesAssets)
      #expect(!text.contains(url.path))
      // The same request, from the file or from memory, is the same call.
      let replaying = ReplayingContainer(try container.recording(), order: .matching)
      var draft = note("b", in: .default)
      draft["photo"] = Asset(fileURL: url)
      _ = try await replaying.privateCloudDatabase.save(draft)
      draft["photo"] = Asset(data: Data("another".utf8))
      await #expect(throws: RecordingError.self) {
        try await replaying.privateCloudDatabase.save(draft)
      }
    }
  }

  @Test("contents that the server sends come back as data")
  func fetchedAssets() async throws {
    let content = Data("sent by the server".utf8)
    let record = ResultRecord(
      systemFields: note("a").systemFields,
      fields: [Field(name: "photo", value: .asset(Asset(data: content)))])
    let container = RecordingContainer(ReplayingContainer(results: [.records([record])]))
    _ = try await container.privateCloudDatabase.record(for: id("a"))
    let replaying = ReplayingContainer(try container.recording())
    let replayed = try await replaying.privateCloudDatabase.record(for: id("a"))
    let value = try #require(replayed.fields.first?.value)
    guard case .asset(let asset) = value else { return #expect(Bool(false), "not an asset") }
    #expect(asset.content == .data(content))
    #expect(asset.size == Int64(content.count))
    // A draft of what was fetched can be recorded.
    var draft = DraftRecord(replayed)
    draft["text"] = "changed"
    let next = RecordingContainer(FeedContainer())
    _ = try await next.privateCloudDatabase.save(draft)
    guard case .modifyRecords(let drafts, _, _, _) = try next.recording().calls[0].call?.request
    else { return #expect(Bool(false), "not a save") }
    #expect(drafts[0].changedKeys() == ["text"])
    #expect(drafts[0].base?.fields.count == 1)
  }

  @Test("concurrent calls are numbered by their ends, with the number of their begin")
  func concurrent() async throws {
    let path = folder.path("many.jsonl")
    let container = try RecordingContainer(FeedContainer(), path: path)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask { _ = try? await container.privateCloudDatabase.save(note("\(index)")) }
      }
    }
    let calls = try Recording(path: path).calls
    #expect(calls.map(\.number) == Array(1...100))
    #expect(calls.map(\.begin).sorted() == Array(1...100))
    let replaying = ReplayingContainer(try Recording(path: path), order: .matching)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask { _ = try? await replaying.privateCloudDatabase.save(note("\(index)")) }
      }
    }
    try replaying.finish()
  }

  @Test("calls that end in another order are replayed in that of their begins")
  func order() async throws {
    let faulty = FaultInjectingContainer(FeedContainer())
    let gate = faulty.faults.hold(.modifyRecords)
    let container = RecordingContainer(faulty)
    async let saved = container.privateCloudDatabase.save(note("a"))
    try await gate.waitForCall()
    _ = try await container.accountStatus()
    gate.release()
    _ = try await saved
    let recording = try container.recording()
    #expect(recording.calls.map(\.begin) == [2, 1])
    let replaying = ReplayingContainer(recording)
    _ = try await replaying.privateCloudDatabase.save(note("a"))
    _ = try await replaying.accountStatus()
    try replaying.finish()
  }

  // MARK: Damage

  private func sample() async throws -> Data {
    let text = try await record { database in
      var draft = note("a")
      draft["photo"] = Asset(data: Data("a photo".utf8))
      _ = try await database.save(draft)
      _ = try await database.recordZoneChanges(inZoneWith: notes, since: nil)
      _ = try await database.records(for: [id("a"), id("\u{1F600}")])
    }
    return Data(text.utf8)
  }

  @Test("a recording that ends in the middle of its last line is read up to there")
  func truncated() async throws {
    let data = try await sample()
    let start = try #require(data.dropLast().lastIndex(of: 0x0A)) + 1
    #expect(try Recording(data).calls.count == 3)
    for end in start..<data.endIndex {
      let recording = try Recording(data[..<end])
      let isWhole = end == start || end == data.endIndex - 1
      #expect(recording.calls.count == (end == data.endIndex - 1 ? 3 : 2))
      #expect((recording.damage == nil) == isWhole, "\(end - start)")
      if let damage = recording.damage {
        #expect(damage.line == 5)
        #expect(damage.message.contains("ends in the middle of this line"))
      }
    }
    // The header, too, at every byte.
    let header = try #require(data.firstIndex(of: 0x0A))
    for end in 0..<header {
      #expect(throws: RecordingError.self) { try Recording(data[..<end]) }
    }
  }

  @Test("what replays a damaged recording says so where it ends")
  func replayingDamaged() async throws {
    let data = try await sample()
    let replaying = ReplayingContainer(try Recording(data.dropLast(10)), order: .recorded)
    for _ in 0..<3 { _ = try? await replaying.accountStatus() }
    #expect(replaying.errors.map(\.code) == [.differs, .differs, .differs])
    let empty = ReplayingContainer(
      try Recording(data[...(data.firstIndex(of: 0x0A)! + 20)]), order: .recorded)
    let error = await #expect(throws: RecordingError.self) { try await empty.accountStatus() }
    #expect(error?.description.contains("the recording is damaged after this: line 2") == true)
  }

  @Test("a damaged recording is an error or damage, never a crash", arguments: 0..<20)
  func damaged(seed: UInt64) async throws {
    let data = try await sample()
    var random = SeededGenerator(seed)
    for _ in 0..<100 {
      var bytes = [UInt8](data)
      for _ in 0...random.below(3) {
        let place = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(random.pick([0x0A, 0x22, 0x7B, 0x5D, 0x30, 0x2C, 0xFF]), at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + random.below(40)))
        }
      }
      do {
        let recording = try Recording(Data(bytes))
        #expect(recording.calls.count <= 3)
        if recording.calls.count < 3, recording.damage == nil {
          // A whole line went with its line feed.
          #expect(bytes.count < data.count - 30 || bytes.count(where: { $0 == 0x0A }) < 6)
        }
      } catch {
        #expect(error is RecordingError)
      }
    }
  }

  @Test(
    "a wrong recording says what is wrong with it",
    arguments: [
      ("", "the recording is empty"),
      ("{}", "line 1: byte 0: found the header of a recording without 'kind'"),
      (#"{"kind":"header","version":1}"#, "the kind \"header\""),
      (#"{"kind":"recording","version":2}"#, "version 2 of the format"),
    ])
  func wrong(text: String, message: String) {
    let error = #expect(throws: RecordingError.self) { try Recording(Data(text.utf8)) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("a content that does not have its SHA-256 is damage")
  func wrongContent() async throws {
    let text = String(decoding: try await sample(), as: UTF8.self)
    let base64 = Data("a photo".utf8).base64EncodedString()
    let other = Data("a phot0".utf8).base64EncodedString()
    let recording = try Recording(
      Data(text.replacingOccurrences(of: base64, with: other).utf8))
    #expect(recording.damage?.line == 2)
    #expect(recording.damage?.message.contains("SHA-256") == true)
    #expect(recording.calls.isEmpty)
  }
}
