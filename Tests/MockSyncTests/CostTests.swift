import Foundation
import RecordPackTesting
import Testing

/// `RECORDPACK_SYNC_COST=1 swift test -c release --filter CostTests` prints the times.
@Suite("The cost of an engine", .enabled(if: measuresCost))
struct CostTests {
  private static let count = 10_000

  @Test("10,000 records sent and fetched, beside direct calls")
  func tenThousand() async throws {
    var (direct, engines): ([Double], [Double]) = ([], [])
    for _ in 0..<5 {
      direct.append(try await time { try await self.sendDirectly() })
      engines.append(try await time { try await self.sendByEngines() })
    }
    let (fastest, synced) = (direct.min() ?? 0, engines.min() ?? 0)
    print("direct \(fastest) s, engines \(synced) s, \(synced / fastest) times")
    #expect(synced <= 1.5 * fastest)
  }

  private func time(_ body: () async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    let duration = try await clock.measure { try await body() }
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  private static func draft(_ index: Int) -> DraftRecord {
    var draft = DraftRecord(recordType: "Note", recordID: note("n\(index)"))
    draft["text"] = "The text of note \(index)"
    return draft
  }

  private func sendDirectly() async throws {
    // The engines' devices have injected faults, too.
    let device = FaultInjectingContainer(try MockContainer.inMemory().device("Phone"))
    let database = device.privateCloudDatabase
    try await database.save(RecordZone(zoneID: notes))
    for start in stride(from: 0, to: Self.count, by: 250) {
      let drafts = (start..<start + 250).map { Self.draft($0) }
      let results = try await database.modifyRecords(saving: drafts, deleting: [])
      for result in results.saveResults.values { _ = try result.get() }
    }
    var token: ServerChangeToken?
    var (fetched, moreComing) = (0, true)
    while moreComing {
      let page = try await database.recordZoneChanges(inZoneWith: notes, since: token)
      fetched += page.modificationResultsByID.count
      (token, moreComing) = (page.changeToken, page.moreComing)
    }
    #expect(fetched == Self.count)
  }

  private func sendByEngines() async throws {
    let world = try World()
    let (sender, receiver) = (try await world.ready(), Client(world, "Tablet"))
    sender.delegate.onBatch { context, engine in
      await RecordZoneChangeBatch(pendingChanges: engine.state.pendingRecordZoneChanges) { id in
        Int(id.recordName.dropFirst()).map { Self.draft($0) }
      }
    }
    sender.engine.state.add(
      pendingRecordZoneChanges: (0..<Self.count).map { .saveRecord(note("n\($0)")) })
    try await world.testbed.run()
    #expect(receiver.delegate.fetched.count == Self.count)
  }
}

private let measuresCost = ProcessInfo.processInfo.environment["RECORDPACK_SYNC_COST"] != nil
