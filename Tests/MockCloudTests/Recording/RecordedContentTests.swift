import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Damaged recordings do not show secrets.
struct RecordingDamageTests {
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
