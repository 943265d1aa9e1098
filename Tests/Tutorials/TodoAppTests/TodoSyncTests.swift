import RecordPackTesting
import Testing

@testable import TodoApp

struct TodoSyncTests {
  @Test("A to-do of the phone is on the tablet, and a conflict ends in one title on both")
  func conflict() async throws {
    let (container, testbed) = (try MockContainer.inMemory(), SyncTestbed())
    let (phone, tablet) = (TodoStore(), TodoStore())
    for (name, store) in [("Phone", phone), ("Tablet", tablet)] {
      let device = container.device(name)
      await store.start(device) { testbed.engine($0, on: device) }
    }
    try await testbed.run()

    await phone.setTitle("Buy milk", of: "milk")
    try await testbed.run()
    #expect(await tablet.titles == ["milk": "Buy milk"])

    await phone.setTitle("Buy oat milk", of: "milk")
    await tablet.setTitle("Buy milk and bread", of: "milk")
    try await testbed.run()
    #expect(await phone.titles == tablet.titles)
  }
}
