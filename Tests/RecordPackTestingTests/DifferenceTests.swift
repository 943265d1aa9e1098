import Foundation
import TestSupport
import Testing

@testable import RecordPackTesting

@Suite("Differences that a test is told")
struct DifferenceTests {
  private func record(
    _ name: String, tag: String = "1", encrypted: Set<String> = [], _ fields: [String: RecordValue]
  ) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: ZoneID(zoneName: "Chats")),
        recordType: "Chat", recordChangeTag: tag),
      fields: fields.sorted { $0.key < $1.key }.map {
        Field(name: $0.key, value: $0.value, isEncrypted: encrypted.contains($0.key))
      })
  }

  private func text(
    _ first: [ResultRecord], _ second: [ResultRecord],
    ignoring ignored: Set<RecordDifference.SystemField> = [], showEncrypted: Bool = false
  ) -> String {
    do {
      try requireNoDifference(
        first, second, ignoring: ignored, showEncrypted: showEncrypted)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("name the values that changed, records that came and went, and what is there twice")
  func words() {
    let before = record("c1", ["messageCount": .int64(12), "title": .string("Hikers")])
    let after = record("c1", tag: "2", ["messageCount": .int64(13), "title": .string("Hikers")])
    #expect(
      text([before], [after]) == """
        the second differs from the first:
        ~ Chat 'c1' of 'Chats'
            recordChangeTag  1 → 2
            messageCount     12 → 13
        """)
    #expect(
      text([before], [after], ignoring: [.recordChangeTag]).contains("recordChangeTag") == false)
    let others = text(
      [before, record("c2", [:])], [record("c3", ["n": .int64(1)]), before, before])
    #expect(
      others == """
        the second differs from the first:
        ! Chat 'c1' of 'Chats' is there more than once
        - Chat 'c2' of 'Chats' [1]
        + Chat 'c3' of 'Chats' [1] n: 1
        """)
    #expect(text([before, record("c2", [:])], [record("c2", [:]), before]) == "")
    #expect(text([before], [after], ignoring: [.recordChangeTag]).isEmpty == false)
  }

  @Test("cover encrypted values unless they are asked for")
  func encrypted() {
    let before = record("c1", encrypted: ["key"], ["key": .string("s3cret")])
    let after = record("c1", encrypted: ["key"], ["key": .string("0ther")])
    let covered = text([before], [after]) + text([before], [])
    #expect(!covered.contains("s3cret") && !covered.contains("0ther"))
    #expect(covered.contains("<encrypted>, changed"))
    #expect(text([before], [after], showEncrypted: true).contains("\"s3cret\" → \"0ther\""))
    #expect(!"\(before.testDescription)".contains("s3cret"))
  }

  @Test("are cut after forty")
  func many() {
    let records = (0..<100).map { record("c\($0)", [:]) }
    let lines = text([], records).split(separator: "\n")
    #expect(lines.count == 42)
    #expect(lines.last == "… 60 more differences")
  }

  @Test("are an issue of the test")
  func issue() {
    withKnownIssue {
      expectNoDifference(record("a", [:]), record("a", ["x": .int64(1)]))
    } matching: {
      $0.comments.first?.rawValue.contains("+ 1") == true
    }
    expectNoDifference([record("a", [:])], [record("a", [:])])
  }
}

@Suite("A snapshot")
struct SnapshotTests {
  private let folder: TestFolder
  private let container: MockContainer
  private let finder = DifferenceFinder(ignored: [], showEncrypted: false)

  init() throws {
    folder = try TestFolder()
    container = try MockContainer.fixture(
      "Fixtures/Chats.recordpack", now: { Date(timeIntervalSinceReferenceDate: 800_000_000) })
  }

  private func snapshot(isRecording: Bool) -> Snapshot {
    Snapshot(
      file: FixtureFile(path: "new/a.recordpack", bundle: nil, source: folder.path("Test.swift")),
      isRecording: isRecording)
  }

  private func message(_ isRecording: Bool) -> String {
    do {
      try snapshot(isRecording: isRecording).check(container.store, .all, finder)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("is missing, is recorded, is equal, differs, and is recorded again")
  func life() async throws {
    #expect(message(false).contains("run the test with RECORD_SNAPSHOTS=1"))
    #expect(message(true) == "")
    let written = FileManager.default.contents(atPath: folder.path("new/a.recordpack"))
    #expect(message(false) == "")
    let chat = RecordID(recordName: "chat-000000", zoneID: ZoneID(zoneName: "Chats"))
    var draft = DraftRecord(try await container.privateCloudDatabase.record(for: chat))
    draft["memberNames"] = ["nobody"]
    try await container.privateCloudDatabase.save(draft)
    let difference = message(false)
    #expect(difference.contains("the container differs from the snapshot:"), "\(difference)")
    #expect(difference.contains("~ private Chats Chat chat-000000"))
    #expect(difference.contains("commit 'new/a.recordpack'"))
    #expect(FileManager.default.contents(atPath: folder.path("new/a.recordpack")) == written)
    #expect(message(true) == "")
    #expect(FileManager.default.contents(atPath: folder.path("new/a.recordpack")) != written)
    #expect(message(false) == "")
  }

  @Test("is compared by what a test calls")
  func expectation() async throws {
    expectSnapshot(container, matches: "Fixtures/Chats.recordpack")
    expectSnapshot(container, matches: "Fixtures/Chats.recordpack", in: .module)
    expectNoDifference(container, try container.fork())
    try await container.privateCloudDatabase.save(RecordZone(zoneName: "New"))
    withKnownIssue {
      expectSnapshot(container, matches: "Fixtures/Chats.recordpack")
    } matching: {
      $0.comments.first?.rawValue.contains("+ zone private New") == true
    }
    expectSnapshot(
      container, matches: "Fixtures/Chats.recordpack",
      filter: RecordFilter(zoneIDs: [ZoneID(zoneName: "Chats")]))
  }
}
