import NoteSync
import RecordPack
import Testing

struct SyncExampleTests {
  // This test is in the README.
  @Test("two devices keep both changes, though the network fails after a save")
  func twoDevices() async throws {
    let notes = ZoneID(zoneName: "Notes")
    let mock = try MockContainer.inMemory()
    let phone = FaultInjectingContainer(mock.device("Phone"))
    let tablet = mock.device("Tablet")
    let a = SyncEngine(database: phone.privateCloudDatabase, zone: notes)
    let b = SyncEngine(database: tablet.privateCloudDatabase, zone: notes)

    try await a.edit("n1") { $0["title"] = "Shopping" }
    try await a.sync()
    try await b.sync()
    try await a.edit("n1") { $0["title"] = "Groceries" }
    try await b.edit("n1") { $0["text"] = "Milk" }
    try await b.sync()

    phone.faults.fail(.modifyRecords, with: .networkFailure(.afterServer))
    await #expect(throws: CloudError.self) { try await a.sync() }
    try await a.sync()
    try await b.sync()
    #expect(await a.state.records == b.state.records)
    #expect(await b.state["n1"]?["title"] == "Groceries")
    #expect(await b.state["n1"]?["text"] == "Milk")
  }
}
