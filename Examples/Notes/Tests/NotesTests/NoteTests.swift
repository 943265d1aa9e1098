import Foundation
import Notes
import NotesModel
import RecordPackTesting
import Testing

/// Two devices of one user, with the notes of a bundle: container, schema and all. It is a production
/// container, which refuses what its schema does not have.
@Suite(
  "Notes", .container("Fixtures/Notes.recordpack"), .deviceFolders,
  .timeLimit(.minutes(1)))
struct NoteTests {
  private let phone: NoteLibrary
  private let tablet: NoteLibrary
  private let server: MockDatabase
  private let testbed = SyncTestbed()

  init() async throws {
    let container = try MockContainer.current
    phone = try await .new(container.device("Phone"), testbed)
    tablet = try await .new(container.device("Tablet"), testbed)
    server = container.privateCloudDatabase
  }

  @Test("are fetched to a new device")
  func fetching() async throws {
    try await phone.sync()
    let (notes, folders) = try await (phone.notes, phone.folders)
    #expect(notes.count == 40 && folders.count == 4)
  }

  @Test("are saved with an encrypted body, and fetched by another device")
  func saving() async throws {
    let note = Note(title: "Shopping", body: "Milk")
    try await phone.add(note)
    try await phone.sync()
    let record = try await server.record(for: note.recordID)
    #expect(record.encryptedValues[Note.Field.body] == "Milk" && record[Note.Field.body] == nil)
    try await tablet.sync()
    let fetched = try await tablet.notes.contains(note)
    #expect(fetched)
  }

  @Test("keep both changes where two devices edit one, and both texts where they edit the same")
  func merging() async throws {
    let id = try await syncedNote().recordID
    try await phone.edit(Note.self, id) {
      $0.title = "Groceries"
      $0.body = "Milk"
    }
    try await tablet.edit(Note.self, id) {
      $0.tags = ["home"]
      $0.body = "Bread"
    }
    for library in [phone, tablet, phone] { try await library.sync() }
    let (onPhone, onTablet) = try await (phone.note(id), tablet.note(id))
    #expect(onPhone == onTablet)
    #expect(onPhone?.title == "Groceries" && onPhone?.tags == ["home"])
    #expect(onPhone?.body == "Milk\n\nBread")
  }

  @Test("that are too long are refused when they are written")
  func limits() async throws {
    let note = try await syncedNote()
    let text = String(repeating: "long ", count: 1 << 18)
    await #expect(throws: CloudError.self) { try await phone.add(Note(title: "Novel", body: text)) }
    await #expect(throws: CloudError.self) {
      try await phone.edit(Note.self, note.recordID) { $0.body = text }
    }
    let kept = try await phone.note(note.recordID)
    #expect(kept == note)
  }

  @Test("are deleted with their folder")
  func deleting() async throws {
    try await phone.sync()
    let folder = try #require(try await phone.folders.first)
    try await phone.delete(folder.recordID)
    try await phone.sync()
    try await tablet.sync()
    let (notes, folders) = try await (tablet.notes, tablet.folders)
    #expect(notes.count == 30 && folders.count == 3)
  }

  @Test("stay without a folder if another device deletes it while they are written")
  func detaching() async throws {
    let folder = Folder(name: "Plans")
    try await phone.add(folder)
    for library in [phone, tablet] { try await library.sync() }
    let note = Note(title: "Hike", in: folder)
    try await tablet.add(note)
    try await phone.delete(folder.recordID)
    try await phone.sync()
    // The server rejects a note whose folder is gone. The library then sends it without a folder.
    await #expect(throws: CloudError.self) { try await tablet.sync() }
    try await testbed.run()
    let kept = try await server.record(for: note.recordID)
    #expect(kept[Note.Field.title] == "Hike" && kept.parent == nil)
    #expect(try Note(kept).folder == nil)
  }

  @Test("have attachments, which survive a restart before they are sent")
  func attachments() async throws {
    let file = try DeviceFoldersTrait.newPath()
    try Data("picture".utf8).write(to: file)
    let (device, folder) = (
      try MockContainer.current.device("Phone"), try DeviceFoldersTrait.newPath()
    )
    var note = Note(title: "Hike")
    note.attachment = Asset(fileURL: file)
    try await NoteLibrary.launch(device, testbed, folder: folder).add(note)
    try await NoteLibrary.launch(device, testbed, folder: folder).sync()
    let saved = try Note(await server.record(for: note.recordID))
    let data = try await server.data(for: #require(saved.attachment))
    #expect(data == Data("picture".utf8))
  }

  /// A note that both devices have.
  private func syncedNote() async throws -> Note {
    let note = Note(title: "Shopping", body: "Eggs")
    try await phone.add(note)
    try await phone.sync()
    try await tablet.sync()
    return note
  }
}

extension NoteLibrary {
  fileprivate func note(_ id: RecordID) async throws -> Note? {
    try await notes.first { $0.recordID == id }
  }
}
