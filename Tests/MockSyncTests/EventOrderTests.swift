import RecordPackTesting
import Testing

@Suite("The order of events")
struct EventOrderTests {
  @Test("of a new device: signIn, then a fetch")
  func newDevice() async throws {
    let world = try World()
    try await world.createZone()
    try await world.save("n1", "Milk")
    let client = Client(world)
    try await client.settle()
    client.expect(
      """
      accountChange: signIn of _1wqddmw5dcy4
      stateUpdate
      willFetchChanges: scheduled, all zones
      fetchedDatabaseChanges: modified Notes
      stateUpdate
      willFetchRecordZoneChanges: Notes
      fetchedRecordZoneChanges: modified Notes:n1
      stateUpdate
      didFetchRecordZoneChanges: Notes
      didFetchChanges: scheduled, all zones
      """, stateUpdates: true)
  }

  @Test("of a send: zones before records, two state updates before the results of a batch")
  func send() async throws {
    let world = try World()
    let client = Client(world)
    try await client.settle()
    _ = world.testbed.takeAllEvents(of: client.engine)
    client.edit("n1")
    client.engine.state.add(pendingDatabaseChanges: [.saveZone(RecordZone(zoneID: notes))])
    try await client.settle()
    client.expect(
      """
      stateUpdate
      willSendChanges: scheduled, all zones
      sentDatabaseChanges: saved Notes
      stateUpdate
      stateUpdate
      sentRecordZoneChanges: saved Notes:n1
      stateUpdate
      didSendChanges: scheduled, all zones
      stateUpdate
      """, stateUpdates: true)
    #expect(try await world.database.record(for: note("n1"))["text"] == "text")
  }
}
