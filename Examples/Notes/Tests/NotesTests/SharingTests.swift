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
  private let folder = Folder(name: "Hiking club")

  init() async throws {
    container = try MockContainer.current
    let account = try container.account("_kenji", emailAddress: "kenji@example.com")
    mira = try .new(container.device("Mira's phone"))
    kenji = try .new(account.device("Kenji's phone"))
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
    let ana = try NoteLibrary.new(account.device("Ana's phone"))
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

  @Test("tells Kenji's phone what Mira writes")
  func notifications() async throws {
    let phone = try container.account("_kenji").device("Kenji's phone")
    try await kenji.subscribe()
    try await mira.add(Note(title: "Weather", in: folder))
    try await mira.sync()
    let notifications = phone.takeNotifications()
    #expect(!notifications.isEmpty)
    for notification in notifications { try await kenji.receive(notification) }
    #expect(try await kenji.titles == ["Route", "Weather"])
  }
}
