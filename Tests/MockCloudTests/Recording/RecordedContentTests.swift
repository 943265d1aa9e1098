import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Which assets of a recorded response have contents, and what damage shows.
struct RecordedContentTests {
  private func draft(_ name: String) -> DraftRecord {
    var draft = DraftRecord(recordType: "Note", recordID: id(name, in: .default))
    draft["file"] = Asset(data: Data("same".utf8))
    return draft
  }

  @Test("the same asset is with its content in a conflict only", arguments: [true, false])
  func conflict(isStored: Bool) async throws {
    let mock = try MockContainer.inMemory(now: { testDate })
    // The server's record has the asset, too, or not.
    try await mock.privateCloudDatabase.save(isStored ? draft("b") : note("b", in: .default))
    let container = RecordingContainer(mock)
    let call = CloudCall(
      .modifyRecords(
        saving: [draft("a"), draft("b")], deleting: [], savePolicy: .ifServerRecordUnchanged,
        atomically: false), in: .private)
    let outcome = await container.outcome(call)
    let replayed = await ReplayingContainer(try container.recording()).outcome(call)
    let isRight = isSame(outcome, replayed)
    #expect(isRight, "\(outcome)\n\(replayed)")
  }

  @Test("damage of a list of secrets does not show them")
  func damagedLists() async throws {
    let container = RecordingContainer(try MockContainer.inMemory(now: { testDate }))
    var draft = note("a", in: .default)
    draft.encryptedValues["list"] = ["secret", "secret"]
    _ = try await container.privateCloudDatabase.save(draft)
    let link = try #require(URL(string: "https://www.icloud.com/share/0secret"))
    _ = try await container.shareMetadatas(for: [link])
    let text = String(decoding: try #require(container.data), as: UTF8.self)
    for place in text.indices where text[place] == "[" {
      var damaged = text
      damaged.replaceSubrange(place...place, with: "{")
      let recording = try Recording(Data(damaged.utf8))
      let message = recording.damage.map { "\($0)" } ?? ""
      #expect(message.hasPrefix("line "))
      #expect(!message.contains("secret"), "\(message)")
    }
  }
}
