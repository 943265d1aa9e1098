import CloudInterface
import RecordModel

extension MockSyncEngine {
  /// Fetches the changes of the database and its zones.
  ///
  /// The events have the order of Apple's `CKSyncEngine.h`.
  ///
  /// - Throws: `CloudError`, also of a scheduled fetch.
  func fetch(_ context: FetchChangesContext) async throws {
    let running = RunningFetch(context.options.scope)
    setRunningFetch(running)
    schedule.enter(.fetching)
    let result: Result<Void, any Error>
    do {
      try await FetchOperation(self, context).run()
      result = .success(())
    } catch {
      result = .failure(error)
    }
    setRunningFetch(nil)
    schedule.leave()
    running.end(result)
    if case .failure(let error as CloudError) = result { repeatLater(after: error) }
    try result.get()
  }
}

/// One fetch.
private struct FetchOperation {
  private let engine: MockSyncEngine
  private let context: FetchChangesContext
  private let cancelCount: Int

  init(_ engine: MockSyncEngine, _ context: FetchChangesContext) {
    self.engine = engine
    self.context = context
    cancelCount = engine.cancelCount
  }

  func run() async throws {
    try await engine.deliver(.willFetchChanges(.init(context: context)))
    var failure: CloudError?
    do {
      try await subscribe()
      try await fetchDatabase()
      try await fetchZones()
    } catch let error as CloudError {
      failure = error
    }
    try await engine.deliver(.didFetchChanges(.init(context: context)))
    if let failure { throw failure }
  }

  /// Asks the delegate which zones the next request is for.
  private func nextOptions() async throws -> FetchChangesOptions {
    try await engine.callingDelegate { [context] delegate, engine in
      await delegate.nextFetchChangesOptions(context, syncEngine: engine)
    }
  }

  /// Makes the database notify the device, unless a subscription does already.
  ///
  /// Source: Apple's `CKSyncEngineConfiguration.h`.
  private func subscribe() async throws {
    guard engine.hasSignals, engine.engineState.with({ $0.subscriptionID }) == nil else { return }
    let existing = try await engine.request(cancelCount) { try await $0.allSubscriptions() }
    let known = existing.first { subscription in
      if let id = engine.subscriptionID { return subscription.subscriptionID == id }
      return subscription.kind == .database(recordType: nil)
    }
    var id = known?.subscriptionID
    if id == nil {
      let new = CloudSubscription(
        subscriptionID: engine.subscriptionID
          ?? "SyncEngine-\(engine.database.databaseScope.rawValue)",
        kind: .database(recordType: nil),
        notificationInfo: NotificationInfo(shouldSendContentAvailable: true))
      id = try await engine.request(cancelCount) { try await $0.save(new) }.subscriptionID
    }
    engine.engineState.with { $0.subscriptionID = id }
  }

  // MARK: The database

  private func fetchDatabase() async throws {
    var moreComing = true
    while moreComing {
      _ = try await nextOptions()
      let token = engine.engineState.with { $0.databaseToken }
      do {
        let page = try await engine.request(cancelCount) {
          try await $0.databaseChanges(since: token)
        }
        moreComing = page.moreComing
        try await report(
          modifications: page.modifications, deletions: page.deletions, page.changeToken)
      } catch CloudError.changeTokenExpired where token != nil {
        // Everything comes again.
        engine.engineState.with { $0.databaseToken = nil }
      }
    }
  }

  private func report(
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    _ token: ServerChangeToken
  ) async throws {
    // Records of the default zone are sent, never fetched (sample-cloudkit-sync-engine #14).
    let modifications = modifications.filter { !$0.zoneID.isDefault }
    if !modifications.isEmpty || !deletions.isEmpty {
      try await engine.deliver(
        .fetchedDatabaseChanges(.init(modifications: modifications, deletions: deletions)))
    }
    let rules = engine.rules
    let changed = engine.engineState.with { content in
      let isChanged = content.databaseToken != token
      content.databaseToken = token
      for zoneID in deletions.map(\.zoneID) {
        content.zoneTokens[zoneID] = nil
        content.unfetched.remove(zoneID)
        if rules.changesOfDeletedZones == .removed {
          content.records.removeAll { $0.zoneID == zoneID }
        }
      }
      for modification in modifications { content.unfetched.add(modification.zoneID) }
      return isChanged
    }
    if changed { try await engine.deliverState() }
  }

  // MARK: Zones

  private func fetchZones() async throws {
    var attempted: Set<ZoneID> = []
    while true {
      let options = try await nextOptions()
      let zoneIDs = engine.engineState.with { $0.unfetched.zoneIDs }
        .filter { options.scope.contains($0) && !attempted.contains($0) }
      let first = options.prioritizedZoneIDs.first { zoneIDs.contains($0) } ?? zoneIDs.first
      guard let zoneID = first else { return }
      attempted.insert(zoneID)
      try await fetch(zoneID)
    }
  }

  /// Fetches a zone. An error of the zone does not end the fetch of the others, unless the engine
  /// handles the error.
  private func fetch(_ zoneID: ZoneID) async throws {
    try await engine.deliver(.willFetchRecordZoneChanges(.init(zoneID: zoneID)))
    var failure: CloudError?
    do {
      try await fetchPages(of: zoneID)
    } catch let error as CloudError {
      failure = error
      if error.code == .zoneNotFound || error.code == .userDeletedZone {
        engine.engineState.with { content in
          content.zoneTokens[zoneID] = nil
          content.unfetched.remove(zoneID)
        }
      }
    }
    try await engine.deliver(.didFetchRecordZoneChanges(.init(zoneID: zoneID, error: failure)))
    guard let failure else { return }
    if engine.isToBeRepeated(failure) { throw failure }
  }

  private func fetchPages(of zoneID: ZoneID) async throws {
    var (isFirst, moreComing) = (true, true)
    var unreadable: CloudError?
    while moreComing {
      if !isFirst {
        guard try await nextOptions().scope.contains(zoneID) else { return }
      }
      isFirst = false
      let token = engine.engineState.with { $0.zoneTokens[zoneID] }
      do {
        let page = try await engine.request(cancelCount) {
          try await $0.recordZoneChanges(inZoneWith: zoneID, since: token)
        }
        let records = try readableRecords(of: page.modificationResultsByID, &unreadable)
        moreComing = page.moreComing
        for event in FetchedEvents(records, page.deletions, engine).events {
          try await engine.deliver(.fetchedRecordZoneChanges(event))
        }
        let isLast = !page.moreComing
        engine.engineState.with { content in
          content.zoneTokens[zoneID] = page.changeToken
          if isLast { content.unfetched.remove(zoneID) }
        }
        try await engine.deliverState()
      } catch CloudError.changeTokenExpired where token != nil {
        engine.engineState.with { $0.zoneTokens[zoneID] = nil }
      }
    }
    if let unreadable { throw unreadable }
  }

  /// Returns the readable records of a page, in no order. The engine skips the others, and reports
  /// the error of the first by name as the zone's error: a damaged record would otherwise stop the
  /// fetch forever.
  ///
  /// - Throws: an error that the engine handles: the page comes again.
  private func readableRecords(
    of results: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    _ unreadable: inout CloudError?
  ) throws -> [ResultRecord] {
    var records: [ResultRecord] = []
    var errors: [RecordID: CloudError] = [:]
    for (recordID, result) in results {
      do {
        records.append(try result.get().record)
      } catch let error as CloudError {
        errors[recordID] = error
      }
    }
    for (_, error) in errors.sorted(by: { $0.key < $1.key }) {
      if engine.isToBeRepeated(error) { throw error }
      unreadable = unreadable ?? error
    }
    return records
  }
}
