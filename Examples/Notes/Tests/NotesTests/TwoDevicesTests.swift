import Foundation
import Notes
import NotesModel
import RecordPackTesting
import Testing

@Suite("Two devices", .deviceFolders)
struct TwoDevicesTests {
  // This test is in the README.
  @Test("keep both changes, though the network fails after a save")
  func conflict() async throws {
    let testbed = SyncTestbed()
    let container = try MockContainer.inMemory()
    let device = FaultInjectingContainer(container.device("Phone"), clock: testbed.clock)
    let phone = try await NoteLibrary.new(device, testbed)
    let tablet = try await NoteLibrary.new(container.device("Tablet"), testbed)
    let note = Note(title: "Shopping")
    try await phone.add(note)
    try await testbed.run()

    device.faults.fail(.modifyRecords, with: .networkFailure(.afterServer))
    try await phone.edit(Note.self, note.recordID) { $0.title = "Groceries" }
    try await tablet.edit(Note.self, note.recordID) { $0.body = "Milk" }
    try await testbed.run()
    let notes = try await phone.notes
    #expect(try await tablet.notes == notes)
    #expect(notes.first?.title == "Groceries" && notes.first?.body == "Milk")
  }
}
