import Foundation
import Notes
import NotesModel
import RecordPackTesting
import Testing

/// Two users of the app.
@Suite(
  "A folder that Mira shares with Kenji", .emptyContainer(), .deviceFolders,
  .timeLimit(.minutes(1)))
struct SharingTests {
  private let mira: NoteLibrary
  private let kenji: NoteLibrary
  private let container: MockContainer
  private let testbed = SyncTestbed()
  private let folder = Folder(name: "Hiking club")

  init() async throws {
    container = try MockContainer.current
    let account = try container.account("_kenji", emailAddress: "kenji@example.com")
    mira = try await .new(container.device("Mira's phone"), testbed)
    kenji = try await .new(account.device("Kenji's phone"), testbed)
    try await mira.add(folder)
    try await mira.add(Note(title: "Route", in: folder))
    try await mira.add(Note(title: "Diary"))
    try await kenji.accept(mira.share(folder.recordID, with: "kenji@example.com"))
  }

  @Test("has its notes for Kenji, and no others")
  func reading() async throws {
    #expect(try await kenji.titles == ["Route"])
    #expect(try await kenji.folders.map(\.name) == ["Hiking club"])
  }

  @Test("takes what Kenji writes")
  func writing() async throws {
    let theirs = try #require(try await kenji.folders.first)
    try await kenji.add(Note(title: "Food", in: theirs))
    try await kenji.sync()
    try await mira.sync()
    #expect(try await mira.titles == ["Diary", "Food", "Route"])
  }

  @Test("is shared with another user, too")
  func secondUser() async throws {
    let account = try container.account("_ana", emailAddress: "ana@example.com")
    let ana = try await NoteLibrary.new(account.device("Ana's phone"), testbed)
    try await ana.accept(mira.share(folder.recordID, with: "ana@example.com"))
    #expect(try await ana.titles == ["Route"])
  }

  @Test("is gone for Kenji when Mira deletes it")
  func deleting() async throws {
    try await mira.delete(folder.recordID)
    try await mira.sync()
    try await kenji.sync()
    #expect(try await kenji.titles.isEmpty)
    #expect(try await mira.titles == ["Diary"])
  }

  @Test("shows Kenji what Mira writes, without a word")
  func pushes() async throws {
    try await testbed.run()
    try await mira.add(Note(title: "Weather", in: folder))
    try await testbed.run()
    #expect(try await kenji.titles == ["Route", "Weather"])
  }
}
