import RecordModel
import RecordSchema
import RecordStore

/// A request to save and delete records, in its transaction.
///
/// It checks all records before it writes any, so a rejected record leaves no trace: no record,
/// asset, tombstone or change tag.
final class ModifyRequest {
  let rules: ServerRules
  let transaction: AccountTransaction
  /// The user's access to the zones of others, before the request.
  let access: ShareAccess

  private(set) var saves: [SaveCandidate] = []
  private var savesByID: [RecordID: SaveCandidate] = [:]
  /// The deletions of the request, each once.
  private(set) var deletions: [RecordID] = []
  /// The zones in which one error fails everything.
  private(set) var atomicZones: Set<ZoneID> = []
  /// The user's access once the shares that the request leaves are left.
  private(set) var accessAfterLeaving: ShareAccess
  /// The errors of records to save and to delete; a request names each record once.
  private(set) var errors: [RecordID: CloudError] = [:]

  private let schemas: ContainerSchemas?
  /// The container's schema with what the request adds to it; nil if the mock checks no schema.
  var pendingSchema: PendingSchema?
  /// The grants that the mock checks the request against; nil for none.
  private(set) var grants: GrantRule?

  /// The zones that were found, and can be read.
  var checkedZones: Set<ZoneID> = []
  /// Whether records are stored: many of a request have the same parent. It is asked before the
  /// request writes anything.
  private var existing: [RecordID: Bool] = [:]
  private var storedReferrers: [ReferrerKey: [RecordID]] = [:]
  private var newReferrers: [ReferrerKey: [SaveCandidate]] = [:]

  private struct ReferrerKey: Hashable {
    var target: RecordID
    var kind: RecordIndex.Kind
  }

  /// - Parameter schemas: the schemas of the container; nil to check no schema.
  init(
    _ transaction: AccountTransaction, rules: ServerRules,
    schemas: ContainerSchemas? = nil
  ) {
    self.schemas = schemas
    self.rules = rules
    self.transaction = transaction
    access = transaction.access()
    accessAfterLeaving = access
  }

  /// The scope of the database, as the user sees it.
  var scope: DatabaseScope { transaction.scope }

  // MARK: Judging

  /// Checks all records of the request.
  func judge(
    saving requested: [SaveRequest], deleting deletions: [RecordDeletion], atomically: Bool
  ) throws {
    let drafts = requested.map(\.draft)
    let recordIDs = deletions.map(\.recordID)
    if atomically {
      atomicZones = Set(drafts.map(\.recordID.zoneID) + recordIDs.map(\.zoneID))
        .filter { !$0.isDefault }
    }
    if let schemas {
      if !requested.isEmpty { try transaction.base.checkRules() }
      let schema = try schemas.schema(of: transaction.base.info(), rules)
      pendingSchema = schema.map(PendingSchema.init)
      grants = GrantRule(schema, for: transaction.view)
    }
    let roots = Dictionary(
      drafts.compactMap { draft in draft.share.map { ($0.recordID, draft.recordID) } },
      uniquingKeysWith: { first, _ in first })
    savesByID.reserveCapacity(drafts.count)
    for request in requested {
      let save = SaveCandidate(
        request, over: try transaction.readableRecord(request.draft.recordID),
        in: transaction.view, about: roots[request.draft.recordID], at: saves.count)
      saves.append(save)
      savesByID[save.recordID] = save
      try check(save.recordID) {
        for rule in SaveRule.own { try rule.check(save, self) }
      }
    }
    addReferrers()
    // Where records fail one by one, the failure of one can be that of others.
    try untilStable {
      try untilStable {
        for save in saves where errors[save.recordID] == nil {
          try check(save.recordID) {
            for rule in SaveRule.related { try rule.check(save, self) }
          }
        }
      }
      // A deletion that fails its zone keeps the zone from adding to the schema.
      try judge(deleting: deletions)
      try judgeBySchema()
      failAtomically()
    }
  }

  private func judge(deleting requested: [RecordDeletion]) throws {
    var known: Set<RecordID> = []
    let requested = requested.filter { known.insert($0.recordID).inserted }
    deletions = requested.map(\.recordID)
    let left = try deletions.filter(endsParticipation)
    if !left.isEmpty {
      accessAfterLeaving = transaction.access(leaving: left)
    }
    for deletion in requested {
      let recordID = deletion.recordID
      try check(recordID) {
        try checkZone(recordID.zoneID)
        try checkAccess(deleting: recordID)
        try checkGrant(deleting: recordID)
        try DeletionTagRule.check(deletion, self)
        try MissingRecordRule.check(recordID, self)
      }
    }
    try untilStable {
      let removed = try deletions.map { isRefused($0) ? [] : try removals(with: $0) }
      let all = Set(removed.joined())
      for (recordID, removed) in zip(deletions, removed) where errors[recordID] == nil {
        try check(recordID) { try ChildrenRule.check(removed, among: all, self) }
      }
    }
  }

  /// An error of one record in a zone that is saved atomically fails the others.
  ///
  /// Source: Apple's documentation of `CKError.Code.batchRequestFailed`; its message on the web.
  private func failAtomically() {
    let failed = Set(errors.keys.map(\.zoneID)).intersection(atomicZones)
    guard !failed.isEmpty else { return }
    for recordID in saves.map(\.recordID) + deletions
    where errors[recordID] == nil && failed.contains(recordID.zoneID) {
      errors[recordID] = CloudError(.batchRequestFailed).withServerMessage
    }
  }

  func check(_ recordID: RecordID, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as CloudError {
      errors[recordID] = error
    } catch let error as ContainerStoreError where error.isOfItem {
      // The record, its zone, or a record that it refers to is damaged.
      errors[recordID] = error.cloudError
    }
  }

  private func untilStable(_ body: () throws -> Void) throws {
    var count: Int
    repeat {
      count = errors.count
      try body()
    } while errors.count > count
  }

  // MARK: The state after the saves

  /// Whether the mock rejected a record. In an atomic zone it counts as accepted while the mock
  /// checks the others: they fail because of it anyway, but not by their own fault.
  func isRefused(_ recordID: RecordID) -> Bool {
    errors[recordID] != nil && !atomicZones.contains(recordID.zoneID)
  }

  /// Whether a record is stored once the saves of the request are done.
  func willExist(_ recordID: RecordID) throws -> Bool {
    if savesByID[recordID] != nil, !isRefused(recordID) { return true }
    return try isStored(recordID)
  }

  /// Whether a record is stored before the request.
  private func isStored(_ recordID: RecordID) throws -> Bool {
    if let known = existing[recordID] { return known }
    let isStored = try transaction.contains(recordID)
    existing[recordID] = isStored
    return isStored
  }

  /// Whether a record is stored once the saves of the request are done, and the user sees it.
  func willBeSeen(_ recordID: RecordID) throws -> Bool {
    if savesByID[recordID] != nil, !isRefused(recordID) { return true }
    guard scope == .shared else { return try isStored(recordID) }
    guard let stored = try transaction.record(recordID) else { return false }
    return try transaction.level(of: stored, access) > .none
  }

  private func addReferrers() {
    for save in saves {
      if let parent = save.merged.parent, parent.recordID.zoneID == save.recordID.zoneID {
        newReferrers[ReferrerKey(target: parent.recordID, kind: .parent), default: []].append(save)
      }
      if let share = save.merged.share, share.recordID.zoneID == save.recordID.zoneID {
        newReferrers[ReferrerKey(target: share.recordID, kind: .share), default: []].append(save)
      }
      for owner in save.owners {
        newReferrers[ReferrerKey(target: owner, kind: .owner), default: []].append(save)
      }
    }
  }

  /// Returns the records that refer to a record once the saves of the request are done.
  ///
  /// - Parameter last: Counts saves only up to this one; nil for all.
  func referrers(
    to target: RecordID, as kind: RecordIndex.Kind, upTo last: SaveCandidate? = nil
  ) throws -> [RecordID] {
    let key = ReferrerKey(target: target, kind: kind)
    let stored =
      try storedReferrers[key] ?? transaction.records(referringTo: target, as: kind)
    storedReferrers[key] = stored
    let end = last?.position ?? saves.count
    return stored.filter { savesByID[$0] == nil || isRefused($0) }
      + (newReferrers[key] ?? []).filter { $0.position <= end && !isRefused($0.recordID) }
      .map(\.recordID)
  }

  /// Returns a record as it will be once the saves of the request are done; nil if it will not exist.
  func record(_ recordID: RecordID) throws -> ResultRecord? {
    if let save = savesByID[recordID], !isRefused(recordID) { return save.merged }
    return try transaction.record(recordID)
  }

  /// Returns a record as it will be once the saves of the request are done; nil if it will not
  /// exist, or if it is damaged.
  private func intactRecord(_ recordID: RecordID) throws -> ResultRecord? {
    if let save = savesByID[recordID], !isRefused(recordID) { return save.merged }
    return try transaction.intactRecord(recordID)
  }

  /// Returns the shares of a zone, stored ones and new ones, by name.
  func shares(in zoneID: ZoneID) throws -> [RecordID] {
    let stored = try transaction.recordIDs(ofType: Share.recordType, in: zoneID)
    let saved = saves.filter { $0.draft.recordType == Share.recordType && !isRefused($0.recordID) }
      .map(\.recordID).filter { $0.zoneID == zoneID }
    return Set(stored + saved).sorted()
  }

  /// Whether the deletion of a record only ends the user's part in it: that of a share in the shared
  /// database. Source: Apple's documentation of `CKShare`.
  func endsParticipation(_ recordID: RecordID) throws -> Bool {
    guard scope == .shared, let zone = transaction.view.location(of: recordID.zoneID),
      transaction.view.isOfOthers(zone)
    else { return false }
    return try intactRecord(recordID)?.isShare ?? false
  }

  /// Returns what a deletion removes: the record, and those that are deleted with it.
  func removals(with recordID: RecordID) throws -> [RecordID] {
    guard try willExist(recordID), try !endsParticipation(recordID) else { return [] }
    let isAlone = recordID.zoneID.isDefault && rules.defaultZoneCascade == .later
    return isAlone ? [recordID] : try owned(by: recordID)
  }

  /// Returns a record, and all that the server deletes with it: records that refer to it with
  /// `deleteSelf`, directly or not, and the shares of root records.
  ///
  /// Source: Apple's *Shared Records*: an owner ends the share of a hierarchy by deleting the share or
  /// the root record.
  func owned(by recordID: RecordID) throws -> [RecordID] {
    var found = [recordID]
    var known: Set = [recordID]
    var next = 0
    while next < found.count {
      // A participant who deletes a record does not end the share for everyone.
      found += try referrers(to: found[next], as: .owner)
        .filter { try known.insert($0).inserted && !endsParticipation($0) }
      if scope != .shared, let share = try intactRecord(found[next])?.share?.recordID,
        try intactRecord(share)?.isShare ?? false, known.insert(share).inserted
      {
        found.append(share)
      }
      next += 1
    }
    return found
  }

  /// Checks the records that were not rejected against the container's schema, and collects what
  /// they add to it. A record of the request sees the types and fields of those before it.
  ///
  /// The records of a zone that fails as a whole add nothing.
  func judgeBySchema() throws {
    guard let base = pendingSchema?.base else { return }
    var schema = PendingSchema(base)
    for group in savesByFailure {
      var all = schema
      for save in group where errors[save.recordID] == nil {
        try check(save.recordID) {
          var own = all
          try own.judge(save, in: scope, rules)
          all = own
        }
      }
      if !group.contains(where: { errors[$0.recordID] != nil || failsZone(of: $0.recordID) }) {
        schema = all
      }
    }
    pendingSchema = schema
  }

  /// Whether the mock rejected a deletion in the zone of a record, and fails the zone.
  private func failsZone(of recordID: RecordID) -> Bool {
    atomicZones.contains(recordID.zoneID)
      && deletions.contains { $0.zoneID == recordID.zoneID && errors[$0] != nil }
  }

  /// The saves of the request, those together that fail together, in the order of the first ones.
  private var savesByFailure: [[SaveCandidate]] {
    var groups: [[SaveCandidate]] = []
    var places: [ZoneID: Int] = [:]
    for save in saves {
      let zoneID = save.recordID.zoneID
      if let place = places[zoneID] {
        groups[place].append(save)
      } else {
        if atomicZones.contains(zoneID) { places[zoneID] = groups.count }
        groups.append([save])
      }
    }
    return groups
  }

  /// Writes the schema if the saved records added something to it.
  func writeSchema() throws {
    guard let pendingSchema, !pendingSchema.isEmpty else { return }
    var info = try transaction.base.info()
    info.schema = pendingSchema.text
    do {
      _ = try schemas?.schema(of: info, rules)
    } catch let error as SchemaError {
      throw CloudError(.invalidArguments, "the schema cannot be stored: \(error)")
    }
    try transaction.container.setInfo(info)
  }

  /// Checks that the user may delete a record. A deletion removes damage.
  ///
  /// - Throws: `permissionFailure`.
  func checkGrant(deleting recordID: RecordID) throws {
    guard scope == .public, let stored = try transaction.intactRecord(recordID) else { return }
    try grants?.check(deleting: stored)
    try checkUserRecord(recordID, stored.recordType)
  }
}
