import RecordPackTesting
import Testing

@Suite("A send")
struct SendTests {
  /// A world in which another device has changed a note that the client edits.
  private func conflict(_ rules: SyncRules = SyncRules()) async throws -> (World, Client) {
    let world = try World(rules)
    let client = try await world.ready()
    try await world.save("n1", "theirs")
    client.edit("n1", "mine")
    return (world, client)
  }

  @Test("saves only over what the server has not changed, and forgets the change after a conflict")
  func conflictForgets() async throws {
    let (world, client) = try await conflict()
    await client.sendFailing()
    client.expect(
      """
      willSendChanges: manual, all zones
      sentRecordZoneChanges: failed Notes:n1 (serverRecordChanged)
      didSendChanges: manual, all zones
      """)
    #expect(client.engine.state.pendingRecordZoneChanges == [])
    #expect(try await world.database.record(for: note("n1"))["text"] == "theirs")
  }

  @Test("does not throw the errors of its records if the rules follow the documentation")
  func reportedErrors() async throws {
    var rules = SyncRules()
    rules.errorsOfRecords = .reported
    let (_, client) = try await conflict(rules)
    await #expect(throws: Never.self) { try await client.engine.sendChanges() }
  }

  @Test("a change added in sentRecordZoneChanges after a failed batch starts no other send")
  func addedInside() async throws {
    let (world, client) = try await conflict()
    client.delegate.onEvent { event, engine in
      guard case .sentRecordZoneChanges(let sent) = event else { return }
      for failure in sent.failedRecordSaves {
        if let server = failure.error.serverRecord { client.delegate.put(DraftRecord(server)) }
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(failure.record.recordID)])
      }
    }
    let error = await #expect(throws: SyncTestbedError.self) { try await client.settle() }
    #expect(error?.pending == ["Phone: save Notes:n1"])
    // Until the app sends by hand …
    client.delegate.set("n1", "both")
    try await client.engine.sendChanges()
    #expect(try await world.database.record(for: note("n1"))["text"] == "both")
  }

  @Test("… or starts again")
  func restartSends() async throws {
    let (world, client) = try await conflict()
    client.delegate.onEvent { event, engine in
      guard case .sentRecordZoneChanges(let sent) = event, !sent.failedRecordSaves.isEmpty else {
        return
      }
      engine.state.add(pendingRecordZoneChanges: [.saveRecord(note("n1"))])
    }
    await client.sendFailing()
    world.testbed.stop(client.engine)
    let again = Client(world, "Phone", state: client.delegate.serialization)
    again.delegate.put(DraftRecord(try await world.database.record(for: note("n1"))))
    again.delegate.set("n1", "both")
    try await again.settle()
    #expect(try await world.database.record(for: note("n1"))["text"] == "both")
  }

  @Test("a change added in didSendChanges is sent a second later, after a fetch")
  func addedAfterwards() async throws {
    let (_, client) = try await conflict()
    client.delegate.onEvent { event, engine in
      switch event {
      case .sentRecordZoneChanges(let sent):
        for failure in sent.failedRecordSaves {
          guard let server = failure.error.serverRecord else { continue }
          client.delegate.put(DraftRecord(server))
          client.delegate.set("n1", "both")
          client.delegate.isUnsent = true
        }
      case .didSendChanges where client.delegate.isUnsent:
        client.delegate.isUnsent = false
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(note("n1"))])
      default: break
      }
    }
    try await client.settle()
    client.expect(
      """
      willFetchChanges: scheduled, all zones
      fetchedDatabaseChanges: modified Notes
      willFetchRecordZoneChanges: Notes
      fetchedRecordZoneChanges: modified Notes:n1
      didFetchRecordZoneChanges: Notes
      didFetchChanges: scheduled, all zones
      willSendChanges: scheduled, all zones
      sentRecordZoneChanges: failed Notes:n1 (serverRecordChanged)
      didSendChanges: scheduled, all zones
      willFetchChanges: scheduled, all zones
      didFetchChanges: scheduled, all zones
      willSendChanges: scheduled, all zones
      sentRecordZoneChanges: saved Notes:n1
      didSendChanges: scheduled, all zones
      """)
  }

  @Test("a failed batch does not end the send if the rules follow the documentation")
  func continues() async throws {
    var rules = SyncRules()
    rules.failedBatch = .continues
    let (world, client) = try await conflict(rules)
    client.delegate.onEvent { event, engine in
      guard case .sentRecordZoneChanges(let sent) = event else { return }
      for failure in sent.failedRecordSaves {
        guard let server = failure.error.serverRecord else { continue }
        client.delegate.put(DraftRecord(server))
        client.delegate.set("n1", "both")
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(note("n1"))])
      }
    }
    await client.sendFailing()
    client.expect(
      """
      willSendChanges: manual, all zones
      sentRecordZoneChanges: failed Notes:n1 (serverRecordChanged)
      sentRecordZoneChanges: saved Notes:n1
      didSendChanges: manual, all zones
      """)
    #expect(try await world.database.record(for: note("n1"))["text"] == "both")
  }

  @Test("after a failed batch, changes that were pending before are sent after a fetch")
  func leftover() async throws {
    let (_, client) = try await conflict()
    for index in 0..<300 { client.edit("m\(index)") }
    client.engine.state.remove(pendingRecordZoneChanges: [.saveRecord(note("m299"))])
    try await client.settle()
    let events = client.events()
    let sends = events.filter { $0.hasPrefix("willSendChanges") }.count
    #expect(sends == 2)
    #expect(client.engine.state.pendingRecordZoneChanges == [])
    let failed = events.firstIndex { $0.contains("n1 (serverRecordChanged)") } ?? 0
    #expect(events[failed...].contains { $0.hasPrefix("willFetchChanges") })
  }

  @Test("the records of a zone that did not fail themselves fail with batchRequestFailed")
  func atomic() async throws {
    let (_, client) = try await conflict()
    client.edit("n2")
    await client.sendFailing()
    client.expect(
      """
      willSendChanges: manual, all zones
      sentRecordZoneChanges: failed Notes:n1 (serverRecordChanged), Notes:n2 (batchRequestFailed)
      didSendChanges: manual, all zones
      """)
    #expect(client.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("records fail by themselves if the rules follow atomicByZone, which is false by default")
  func notAtomic() async throws {
    var rules = SyncRules()
    rules.atomicity = .asRequested
    let (_, client) = try await conflict(rules)
    client.edit("n2")
    await client.sendFailing()
    client.expect(
      """
      willSendChanges: manual, all zones
      sentRecordZoneChanges: saved Notes:n2; failed Notes:n1 (serverRecordChanged)
      didSendChanges: manual, all zones
      """)
  }

  @Test("atomicByZone is kept under both rules")
  func atomicAsRequested() async throws {
    var rules = SyncRules()
    rules.atomicity = .asRequested
    let (_, client) = try await conflict(rules)
    client.edit("n2")
    client.delegate.onBatch { _, engine in
      guard !engine.state.pendingRecordZoneChanges.isEmpty else { return nil }
      return RecordZoneChangeBatch(
        recordsToSave: ["n1", "n2"].map { DraftRecord(recordType: "Note", recordID: note($0)) },
        atomicByZone: true)
    }
    await client.sendFailing()
    #expect(client.events().contains { $0.contains("Notes:n2 (batchRequestFailed)") })
  }

  @Test("a failed change is in no state from the event on, so that a crash there loses it")
  func removalBeforeEvent() async throws {
    let (world, client) = try await conflict()
    client.delegate.onEvent { event, engine in
      if case .sentRecordZoneChanges = event { world.testbed.stop(engine) }
    }
    _ = try? await client.engine.sendChanges()
    let again = Client(world, "Phone", state: client.delegate.serialization)
    #expect(again.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("a failed change is in the state until the event is handled, if the rules say so")
  func removalAfterEvent() async throws {
    var rules = SyncRules()
    rules.removal = .afterEvent
    let (world, client) = try await conflict(rules)
    client.delegate.onEvent { event, engine in
      if case .sentRecordZoneChanges = event { world.testbed.stop(engine) }
    }
    _ = try? await client.engine.sendChanges()
    let again = Client(world, "Phone", state: client.delegate.serialization)
    #expect(again.engine.state.pendingRecordZoneChanges == [.saveRecord(note("n1"))])
  }

  @Test("a batch of pending changes has at most 250, and a send as many batches as it takes")
  func batches() async throws {
    let world = try World()
    let client = try await world.ready()
    for index in 0..<600 { client.edit("n\(index)") }
    try await client.settle()
    let batches = client.events("sentRecordZoneChanges")
    #expect(batches.count == 3)
    #expect(batches.first?.hasSuffix("and 230 more") == true)
  }

  @Test("a hand-made batch of more than 400 records fails as a whole, and nothing divides it")
  func tooMany() async throws {
    let world = try World()
    let client = try await world.ready()
    for index in 0..<401 { client.edit("n\(index)") }
    client.delegate.onBatch { _, engine in
      RecordZoneChangeBatch(
        recordsToSave: engine.state.pendingRecordZoneChanges.map {
          DraftRecord(recordType: "Note", recordID: $0.recordID)
        })
    }
    await expectError(.limitExceeded) { try await client.engine.sendChanges() }
    let sent = client.events("sentRecordZoneChanges")
    #expect(sent.count == 1)
    #expect(sent.first?.contains("failed Notes:n0 (limitExceeded)") == true)
    #expect(sent.first?.hasSuffix("and 381 more") == true)
    #expect(client.engine.state.pendingRecordZoneChanges == [])
  }

  @Test("a hand-made batch of more than 2 MB fails as a whole")
  func tooLarge() async throws {
    let world = try World()
    let client = try await world.ready()
    client.edit("n1")
    client.delegate.onBatch { _, engine in
      guard !engine.state.pendingRecordZoneChanges.isEmpty else { return nil }
      let records = (0..<250).map { index in
        var draft = DraftRecord(recordType: "Note", recordID: note("n\(index)"))
        draft["text"] = String(repeating: "a", count: 20_000)
        return draft
      }
      return RecordZoneChangeBatch(recordsToSave: records)
    }
    await expectError(.limitExceeded) { try await client.engine.sendChanges() }
  }

  @Test("a change that another task adds while the delegate has no batch is sent by the next sync")
  func addedWithoutBatch() async throws {
    let world = try World()
    let client = try await world.ready()
    client.delegate.onBatch { _, engine in
      guard client.delegate.isUnsent else {
        client.delegate.isUnsent = true
        client.edit("n2")
        return nil
      }
      let changes = engine.state.pendingRecordZoneChanges
      return await RecordZoneChangeBatch(pendingChanges: changes) { recordID in
        DraftRecord(recordType: "Note", recordID: recordID)
      }
    }
    client.edit("n1")
    try await client.settle()
    #expect(
      client.events("sentRecordZoneChanges") == ["sentRecordZoneChanges: saved Notes:n1, Notes:n2"])
  }

  @Test("keeps to its scope")
  func scope() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    client.edit("n1")
    client.edit("n2")
    try await client.engine.sendChanges(.init(scope: .recordIDs([note("n2")])))
    #expect(client.engine.state.pendingRecordZoneChanges == [.saveRecord(note("n1"))])
  }

  @Test("keeps to its scope with zones, too")
  func scopeOfZones() async throws {
    let world = try World()
    let client = try await world.ready(automaticallySync: false)
    let change = PendingDatabaseChange.saveZone(RecordZone(zoneName: "Other"))
    client.engine.state.add(pendingDatabaseChanges: [change])
    try await client.engine.sendChanges(.init(scope: .zoneIDs([notes])))
    #expect(client.engine.state.pendingDatabaseChanges == [change])
  }

  @Test("zones that are added during a send go before the next batch")
  func zonesAddedMeanwhile() async throws {
    let world = try World()
    let client = try await world.ready()
    for index in 0..<251 { client.edit("n\(index)") }
    client.delegate.onEvent { event, engine in
      guard case .sentRecordZoneChanges(let sent) = event, sent.savedRecords.count == 250 else {
        return
      }
      let zone = RecordZone(zoneName: "New")
      engine.state.add(pendingDatabaseChanges: [.saveZone(zone)])
    }
    try await client.settle()
    let events = client.events().suffix(4).map { $0.prefix(20) }
    #expect(
      events == [
        "sentRecordZoneChange", "sentDatabaseChanges:", "sentRecordZoneChange",
        "didSendChanges: sche",
      ])
  }

  @Test("a request has at most 400 zones, and a send as many requests as it takes")
  func manyZones() async throws {
    let world = try World()
    let client = try await world.ready()
    client.engine.state.add(
      pendingDatabaseChanges: (0..<401).map { .saveZone(RecordZone(zoneName: "z\($0)")) })
    try await client.settle()
    let sent = client.events("sentDatabaseChanges")
    #expect(sent.count == 2)
    #expect(sent.last == "sentDatabaseChanges: saved z400")
  }

  @Test("a record of a zone that does not exist fails with zoneNotFound")
  func missingZone() async throws {
    let world = try World()
    let client = Client(world)
    try await client.settle()
    client.edit("n1")
    try await client.settle()
    #expect(client.events().contains("sentRecordZoneChanges: failed Notes:n1 (zoneNotFound)"))
  }
}

extension Client {
  /// Sends, and expects the error of a record.
  fileprivate func sendFailing() async {
    let error = await #expect(throws: CloudError.self) { try await engine.sendChanges() }
    #expect(error?.code == .partialFailure)
  }
}
