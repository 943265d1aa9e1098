import RecordModel
import RecordSchema
import RecordStore
import Synchronization

/// The contents of a container as one user sees them, as a container of its own in memory.
///
/// Code that reads a container thus reads what the server returns to the user: the own zones have
/// `__defaultOwner__`, the zones of others are in the shared database, and public records are those
/// that grants let the user read. An update copies the changes since the last one.
///
/// The copy refers to assets and does not have their bytes.
package final class AccountCopy: Sendable {
  /// The things that, when they change, change what the user sees of records that did not change.
  private struct Basis: Equatable {
    var signedInUser: String
    var accounts: [String]
    var schema: String?
    var environment: ContainerInfo.Environment?

    init(_ info: ContainerInfo) {
      signedInUser = info.signedInUserRecordName
      accounts = info.otherAccounts.map(\.userRecordName)
      (schema, environment) = (info.schema, info.environment)
    }
  }

  /// The results of an update.
  private struct Contents {
    var basis: Basis?
    /// The state of the container that was copied.
    var version: ContentVersion?
    /// Whether there was an update after this one, which failed.
    var hasFailed = false
    /// Whether other users have something that the user does not see.
    var isPart = false
    /// The copy; nil where the user sees all records that the container has.
    var store: ContainerStore?
    var view: [DatabaseScope: AccountView] = [:]
    /// The damaged records and zones that the copy does not have.
    var damaged: Set<String> = []

    /// Whether what has changed since then leads to the contents with a basis and a version.
    func isContinued(by next: Basis, _ nextVersion: ContentVersion) -> Bool {
      guard var basis, version.map(nextVersion.continues) == true else { return false }
      // An update moves the zones of a user who is added.
      guard Set(basis.accounts).isSubset(of: next.accounts) else { return false }
      basis.accounts = next.accounts
      return basis == next
    }
  }

  private struct State {
    var contents = Contents()
    /// The state of the zones that were copied.
    var zones: [ZoneLocation: ZoneHistory] = [:]
  }

  /// The record name of the user; nil for nobody, who is signed out.
  private let user: String?
  private let state = Mutex(State())
  /// The contents after the last update. Code that reads the copy needs them and cannot wait for an
  /// update, which waits for the end of all reading.
  private let updated = Mutex(Contents())
  private var contents: Contents { updated.withLock { $0 } }

  package init(of user: String?) { self.user = user }

  /// Whether there was an update.
  package var isMade: Bool { contents.basis != nil }

  /// Whether the last update failed.
  package var hasFailed: Bool { contents.hasFailed }

  /// Whether the next update reads all that the user sees, and not only what has changed.
  package func readsAll(of container: MockContainer) throws -> Bool {
    let contents = contents
    return try container.store.snapshot { base in
      try !contents.isContinued(by: Basis(base.info()), base.version())
    }
  }

  /// Whether the user is not the only one, or may not read all types.
  package var isPart: Bool { contents.isPart }

  /// The copy as of the last update; nil where the user sees all records that the container has.
  package var store: ContainerStore? { contents.store }

  /// The number of damaged records and deletions that the copy does not have.
  package var damaged: Int { contents.damaged.count }

  /// Copies what has changed.
  ///
  /// - Parameter isEnding: whether the update is to end before its next record, with an error.
  /// - Throws: `ContainerStoreError` if the update ends early, or the container cannot be read. Nothing
  ///   was copied then.
  package func update(
    from container: MockContainer, isEnding: () -> Bool = { false }
  ) throws {
    try state.withLock { state in
      // An update that fails has copied nothing: its transaction is rolled back.
      var next = state
      do {
        try container.store.snapshot { try update(&next, $0, container, isEnding) }
      } catch {
        updated.withLock { $0.hasFailed = true }
        throw error
      }
      state = next
      updated.withLock { $0 = state.contents }
    }
  }

  /// Returns the place in the container of a record of the copy.
  ///
  /// - Parameter isOwn: whether it is nil for a record that another user shares.
  package func location(of record: RecordLocation, isOwn: Bool = false) -> RecordLocation? {
    let contents = contents
    guard contents.store != nil else { return record }
    guard let view = contents.view[record.database],
      let location = view.location(of: record.recordID),
      !isOwn || !view.isOfOthers(location.zone)
    else { return nil }
    return location
  }

  /// Whether the copy has a record of the container.
  package func sees(_ record: RecordLocation) throws -> Bool {
    let contents = contents
    guard let store = contents.store else { return true }
    return try store.snapshot { snapshot in
      try contents.view.contains { scope, view in
        guard let zoneID = view.visible(record.zone) else { return false }
        let seen = RecordID(recordName: record.recordID.recordName, zoneID: zoneID)
        return try snapshot.readableRecord(seen, in: scope).get() != nil
      }
    }
  }

  /// Returns a record of the user's own zones, or of the public database, as the user sees it.
  package func seen(_ record: ResultRecord, in database: DatabaseScope) -> ResultRecord {
    let contents = contents
    return contents.store == nil ? record : contents.view[database]?.visible(record) ?? record
  }

  // MARK: Updating

  /// Returns the indexes that a container does not have, and by which the next update finds what has
  /// changed. Without them, an update reads all records.
  package func missingIndexes(in container: ContainerStore) throws -> [MissingIndex] {
    let state = state.withLock(\.self)
    guard state.contents.store != nil, !container.isReadOnly else { return [] }
    let isShared = state.zones.keys.contains { $0.database == .shared }
    return [
      try container.has(.changes) ? nil : .changes,
      try isShared ? container.missing(SharedZoneCopy.indexes) : nil,
    ].compactMap(\.self)
  }

  private func update(
    _ state: inout State, _ base: ContainerSnapshot, _ container: MockContainer,
    _ isEnding: () -> Bool
  ) throws {
    let info = try base.info()
    let version = try base.version()
    let schema = try container.schemas.schema(of: info, container.rules)
    let basis = Basis(info)
    let isContinued = state.contents.isContinued(by: basis, version)
    guard !isContinued || state.contents.version != version || state.contents.basis != basis
    else { return }
    let hiddenTypes = hiddenTypes(schema)
    let isOther = user == nil || account(in: info) != nil
    if try isOther || !isAllSeen(base, info, hiddenTypes) {
      if !isContinued { state = State() }
      if state.contents.store == nil {
        state.contents.store = try ContainerStore.inMemory(info: copied(info))
      }
    } else {
      state = State()
    }
    (state.contents.basis, state.contents.version) = (basis, version)
    state.contents.isPart = isOther || !info.otherAccounts.isEmpty || !hiddenTypes.isEmpty
    guard let store = state.contents.store else { return }
    try store.mirrorTransaction { copy in
      for scope in user == nil ? [.public] : DatabaseScope.allCases {
        let snapshot = try AccountSnapshot(
          base, of: DatabaseKey(scope: scope, account: account(in: info)))
        state.contents.view[scope] = snapshot.view
        let grants = GrantRule(schema, for: snapshot.view, hasAccount: user != nil)
        try update(&state, copy, snapshot, grants, isEnding)
      }
    }
  }

  private func account(in info: ContainerInfo) -> String? {
    guard let user, user != ZoneID.currentUserOwnerName,
      !user.sameScalars(as: info.signedInUserRecordName)
    else { return nil }
    return user
  }

  /// The types whose public records only their creators may read.
  private func hiddenTypes(_ schema: ContainerSchema?) -> [CloudSchema.RecordType] {
    (schema?.schema.recordTypes ?? []).filter { type in
      type.name != UserRecord.recordType
        && !["_world", "_icloud"].contains { type.permissions(of: $0).contains(.read) }
    }
  }

  /// Whether the signed-in user sees all records: no zone is that of another user, and no public record
  /// can be of a type that others may not read. A container with the data of one user, whatever users
  /// its shares name, is thus not copied.
  private func isAllSeen(
    _ base: ContainerSnapshot, _ info: ContainerInfo, _ hiddenTypes: [CloudSchema.RecordType]
  ) throws -> Bool {
    for scope in DatabaseScope.allCases {
      let view = AccountView(scope, of: nil, in: info)
      let zones =
        try base.changedZones(in: scope, after: .min).map(\.zoneID)
        + base.deletedZones(in: scope, after: .min).map(\.tombstone.zoneID)
      guard zones.allSatisfy({ view.visible(ZoneLocation(scope, $0)) != nil }) else { return false }
    }
    return try hiddenTypes.isEmpty
      || base.recordTypes(in: .public).isEmpty && base.storedCounts(in: .public).tombstones == 0
  }

  private func copied(_ info: ContainerInfo) -> ContainerInfo {
    var copied = info
    copied.accounts = []
    copied.currentUserRecordName = account(in: info) ?? info.currentUserRecordName
    copied.otherMembers = []
    return copied
  }

  private func update(
    _ state: inout State, _ copy: MirrorTransaction, _ snapshot: AccountSnapshot,
    _ grants: GrantRule?, _ isEnding: () -> Bool
  ) throws {
    let (view, base) = (snapshot.view, snapshot.base)
    var seen: Set<ZoneID> = []
    for scope in view.storedScopes {
      let histories = Dictionary(
        try base.histories(in: scope, after: .min).map { ($0.zoneID, $0) },
        uniquingKeysWith: { first, _ in first })
      for stored in try base.zones(in: scope, damaged: { _ in }) {
        let place = ZoneLocation(scope, stored.zoneID)
        guard view.visible(place) != nil, try snapshot.includes(place) else { continue }
        let zone = view.visible(stored)
        seen.insert(zone.zoneID)
        let key = ZoneLocation(view.scope, zone.zoneID)
        let history = histories[stored.zoneID]
        if let history, let known = state.zones[key], known.firstChange != history.firstChange {
          // The zone was deleted and created again: its changes do not tell of earlier records.
          try copy.removeZone(zone.zoneID, from: view.scope)
          state.zones[key] = nil
        }
        try copy.put(zone, in: view.scope)
        if let history, state.zones[key] != history {
          try update(&state, copy, snapshot, grants, history, scope, zone.zoneID, isEnding)
        }
      }
    }
    for zone in try copy.zones(in: view.scope, damaged: { _ in })
    where !seen.contains(zone.zoneID) && !zone.zoneID.isDefault {
      try copy.removeZone(zone.zoneID, from: view.scope)
      state.zones[ZoneLocation(view.scope, zone.zoneID)] = nil
    }
    try copy.setSubscriptions(user == nil ? [] : try snapshot.subscriptions(), of: view.scope)
  }

  /// Copies the changes of a zone that the user sees.
  private func update(
    _ state: inout State, _ copy: MirrorTransaction, _ snapshot: AccountSnapshot,
    _ grants: GrantRule?, _ history: ZoneHistory, _ scope: DatabaseScope, _ zoneID: ZoneID,
    _ isEnding: () -> Bool
  ) throws {
    let (view, base) = (snapshot.view, snapshot.base)
    let (key, place) = (ZoneLocation(view.scope, zoneID), ZoneLocation(scope, history.zoneID))
    let earlier = state.zones[key]
    guard !view.isOfOthers(place) else {
      let zone = SharedZoneCopy(zoneID, at: place, of: snapshot, in: copy)
      let isFollowed = try zone.update(to: history, from: earlier, isEnding)
      return state.zones[key] = isFollowed ? history : nil
    }
    try base.forEachChange(
      of: history, in: place.database, after: ChangePosition(change: earlier?.lastChange ?? .min)
    ) { change, _ in
      guard !isEnding() else { throw ContainerStoreError.closed }
      switch change {
      case .saved(let record):
        let shown = view.shown(record, in: place)
        if grants?.allows(reading: record) ?? true {
          try copy.put(shown, in: view.scope)
          state.contents.damaged.remove("\(view.scope)\(shown.recordID)")
        } else {
          try copy.remove(shown.recordID, from: view.scope)
        }
      case .deleted(let tombstone):
        var seen = tombstone
        seen.recordID = RecordID(recordName: tombstone.recordID.recordName, zoneID: zoneID)
        if grants != nil {
          try copy.remove(seen.recordID, from: view.scope)
        } else {
          try copy.putDeletion(seen, in: view.scope)
        }
      case .unreadable(let recordID, _):
        let seen = RecordID(recordName: recordID.recordName, zoneID: zoneID)
        try copy.remove(seen, from: view.scope)
        state.contents.damaged.insert("\(view.scope)\(seen)")
      }
      return true
    }
    state.zones[key] = history
  }
}
