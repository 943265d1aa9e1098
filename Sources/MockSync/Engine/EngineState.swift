import CloudInterface
import Foundation
import RecordModel
import Synchronization

/// The state of a `MockSyncEngine`.
final class EngineState: SyncEngineState {
  /// A set of zones in the order in which they were added.
  struct ZoneList: Sendable {
    private(set) var zoneIDs: [ZoneID] = []

    mutating func add(_ zoneID: ZoneID) {
      if !zoneIDs.contains(zoneID) { zoneIDs.append(zoneID) }
    }

    mutating func remove(_ zoneID: ZoneID) { zoneIDs.removeAll { $0 == zoneID } }
  }

  struct Content: Sendable {
    var records: PendingList<RecordID, PendingRecordZoneChange>
    var zones: PendingList<ZoneID, PendingDatabaseChange>
    /// The user at the last check of the account; nil for none.
    var user: RecordID?
    var databaseToken: ServerChangeToken?
    var zoneTokens: [ZoneID: ServerChangeToken] = [:]
    var unfetched = ZoneList()
    var hasPendingUntrackedChanges = false
    var subscriptionID: String?
    /// The maximum number of pending changes of records so far.
    var maxRecordCount = 0

    init(_ rules: SyncRules) {
      let keeps = rules.duplicates == .kept
      records = PendingList(keepsDuplicates: keeps) { $0.recordID }
      zones = PendingList(keepsDuplicates: keeps) { $0.zoneID }
    }

    /// Whether there is something to send.
    var hasPending: Bool { !records.isEmpty || !zones.isEmpty || hasPendingUntrackedChanges }
  }

  private let content: Mutex<Content>
  private let database: DatabaseScope
  private let schedule: Schedule

  init(_ content: Content, of database: DatabaseScope, _ schedule: Schedule) {
    self.content = Mutex(content)
    self.database = database
    self.schedule = schedule
  }

  // MARK: The app

  var pendingRecordZoneChanges: [PendingRecordZoneChange] {
    content.withLock { $0.records.pending }
  }

  var pendingDatabaseChanges: [PendingDatabaseChange] { content.withLock { $0.zones.pending } }

  var zoneIDsWithUnfetchedServerChanges: [ZoneID] { content.withLock { $0.unfetched.zoneIDs } }

  var hasPendingUntrackedChanges: Bool {
    get { content.withLock { $0.hasPendingUntrackedChanges } }
    set {
      let isChanged = content.withLock { content in
        defer { content.hasPendingUntrackedChanges = newValue }
        return content.hasPendingUntrackedChanges != newValue
      }
      schedule.stateChanged(isChanged, addsChanges: newValue)
    }
  }

  func add(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
    let isChanged = content.withLock { content in
      defer { content.maxRecordCount = max(content.maxRecordCount, content.records.count) }
      return content.records.change { list in for change in changes { list.add(change) } }
    }
    schedule.stateChanged(isChanged, addsChanges: !changes.isEmpty)
  }

  func remove(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
    let isChanged = content.withLock { content in
      content.records.change { list in for change in changes { list.remove(change) } }
    }
    schedule.stateChanged(isChanged, addsChanges: false)
  }

  func add(pendingDatabaseChanges changes: [PendingDatabaseChange]) {
    let isChanged = content.withLock { content in
      content.zones.change { list in for change in changes { list.add(change) } }
    }
    schedule.stateChanged(isChanged, addsChanges: !changes.isEmpty)
  }

  func remove(pendingDatabaseChanges changes: [PendingDatabaseChange]) {
    let isChanged = content.withLock { content in
      content.zones.change { list in for change in changes { list.remove(change) } }
    }
    schedule.stateChanged(isChanged, addsChanges: false)
  }

  // MARK: The engine

  /// Reads or changes the content.
  func with<Value: Sendable>(_ body: (inout Content) -> Value) -> Value {
    content.withLock { body(&$0) }
  }

  /// Returns a serialization of the state as it is now.
  func serialization() -> SyncEngineStateSerialization {
    let content = content.withLock { content in
      var copy = content
      copy.records.forgetPlaces()
      return copy
    }
    return SyncEngineStateSerialization { [database] in try content.encoded(of: database) }
  }

  /// Forgets everything except the user.
  ///
  /// Source: Apple's documentation of `CKSyncEngine.Event.AccountChange`: an engine resets its state,
  /// pending changes too.
  func reset(_ rules: SyncRules, user: RecordID?, keepsChanges: Bool) {
    content.withLock { content in
      var new = Content(rules)
      // The numbers of pending changes go on.
      (new.records, new.maxRecordCount) = (content.records, content.maxRecordCount)
      if keepsChanges { new.zones = content.zones } else { new.records.removeAll() }
      new.user = user
      content = new
    }
  }
}

extension EngineState.Content {
  func encoded(of database: DatabaseScope) throws -> Data {
    var snapshot = EngineSnapshot()
    snapshot.database = database
    snapshot.user = user?.recordName
    // A new engine with this state has to send again the changes that were being sent.
    snapshot.records = EngineSnapshot.runs(of: records.inFlight + records.pending)
    snapshot.zones = (zones.inFlight + zones.pending).map { change in
      let isDeletion = if case .deleteZone = change { true } else { false }
      return .init(zone: .init(change.zoneID), isDeletion: isDeletion)
    }
    snapshot.databaseToken = databaseToken?.data
    snapshot.zoneTokens = zoneTokens.sorted { $0.key < $1.key }.map {
      .init(zone: .init($0.key), token: $0.value.data)
    }
    snapshot.unfetchedZones = unfetched.zoneIDs.map { .init($0) }
    snapshot.hasPendingUntrackedChanges = hasPendingUntrackedChanges
    snapshot.subscriptionID = subscriptionID
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(snapshot)
  }

  init(_ data: Data, of database: DatabaseScope, _ rules: SyncRules) throws {
    guard let snapshot = try? JSONDecoder().decode(EngineSnapshot.self, from: data) else {
      throw SyncEngineMisuse(.unreadableState)
    }
    if let other = snapshot.database, other != database {
      throw SyncEngineMisuse(.stateOfOtherDatabase(other))
    }
    self.init(rules)
    user = snapshot.user.map { RecordID(recordName: $0) }
    for change in EngineSnapshot.changes(of: snapshot.records) { records.add(change) }
    for change in snapshot.zones {
      let zoneID = change.zone.zoneID
      zones.add(change.isDeletion ? .deleteZone(zoneID) : .saveZone(RecordZone(zoneID: zoneID)))
    }
    databaseToken = snapshot.databaseToken.map { ServerChangeToken(data: $0) }
    for zone in snapshot.zoneTokens {
      zoneTokens[zone.zone.zoneID] = ServerChangeToken(data: zone.token)
    }
    for zone in snapshot.unfetchedZones { unfetched.add(zone.zoneID) }
    hasPendingUntrackedChanges = snapshot.hasPendingUntrackedChanges
    subscriptionID = snapshot.subscriptionID
  }
}
