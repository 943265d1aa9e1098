import Foundation
import RecordModel
import RecordPlatform

/// Imports records into a container in one transaction: tags, stamps and tombstones are kept, and
/// no rules of the server are checked.
///
/// ``ContainerStore/importTransaction(onConflict:_:)`` and
/// ``ContainerStore/build(path:info:onConflict:_:)`` provide it; it is valid during the call, on its
/// thread.
///
/// In a container without records, names are not looked up one by one: their index is built at the
/// end, which finds duplicates. Records in canonical order (zone, type, name) are loaded and read
/// fastest.
public final class ImportTransaction: ContainerTransaction {
  /// The results so far; duplicates in an empty container are counted at the end.
  @exclusivity(unchecked) public package(set) var counts = ImportReport()
  private let resolve: (ImportConflict) throws -> ImportConflict.Resolution
  /// Whether records, assets and counts that are damaged are repaired.
  private var isRepairing = false

  /// Begins an import into a container.
  init(
    into db: SQLiteConnection, of path: String?, at date: Date,
    _ resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution
  ) throws {
    self.resolve = resolve
    let isEmpty = try db.integer("SELECT EXISTS (SELECT 1 FROM record)") == 0
    let isLoad = try isEmpty && DatabaseRow.areAllNew(in: db)
    try super.init(db, of: path, from: isLoad ? .load : .merge, date: date)
    try assets.beginCounting(isNew: false)
    try indexes.dropAll()
    if isEmpty {
      try db.execute(StoreSchema.dropIdentityIndex)
      try db.execute(StoreSchema.dropOrderIndex)
      try db.execute(StoreSchema.dropRecordChangeIndex)
      isIdentityDeferred = true
    }
  }

  /// Begins to fill a new container, whose index of names is missing.
  ///
  /// - Parameter info: the cache of its metadata.
  init(
    new db: SQLiteConnection, _ info: InfoCache,
    _ resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution
  ) throws {
    self.resolve = resolve
    try super.init(db, info, from: .load, isNew: true)
    try assets.beginCounting(isNew: true)
    isIdentityDeferred = true
  }

  /// Repairs what the import meets: damaged rows, content and references of assets, and all counts. At
  /// the end, damaged rows that the import does not replace are removed.
  package func repair() throws {
    guard !isNew else { return }
    try repairZones()
    try repairTypes()
    (isRepairing, mustRecount, assets.isRepairing) = (true, true, true)
    // Those of lost records may be damaged, too.
    assets.mayHaveUnused = true
    // Rows that are added may get the numbers of lost ones.
    try db.execute(
      """
      DELETE FROM assetUse WHERE record NOT IN (SELECT id FROM record);
      DELETE FROM assetChunk WHERE asset NOT IN (SELECT id FROM asset);
      DELETE FROM indexEntry;
      """)
  }

  /// Completes the import.
  override func finish() throws {
    try resolveDuplicates()
    try assets.finishIncoming()
    if isRepairing { try removeDamage() }
    try super.finish()
    counts.assets = try assets.added()
    counts.missingAssets = try assets.missing()
  }

  // MARK: Zones, subscriptions, tombstones and assets

  /// Adds a zone, or replaces an existing one; its records stay.
  public func add(_ zone: RecordZone, to scope: DatabaseScope) throws {
    try write(zone, in: scope)
  }

  /// Adds a subscription, or replaces the one with the same identifier.
  public func add(_ subscription: CloudSubscription, to scope: DatabaseScope) throws {
    try write(subscription, in: scope)
  }

  /// Adds the tombstone of a deleted record.
  ///
  /// - Parameters:
  ///   - tombstone: the tombstone to add.
  ///   - scope: the database of the record.
  ///   - replacing: whether to replace a different tombstone of the same record. One that is
  ///     identical is no change.
  /// - Returns: false if the record exists; the tombstone is not added then.
  @discardableResult
  public func add(
    _ tombstone: DeletedRecord, to scope: DatabaseScope, replacing: Bool = true
  ) throws -> Bool {
    let zone = try existingZone(tombstone.recordID.zoneID, in: scope)
    try resolveDuplicates()
    guard try find(tombstone.recordID, in: zone) == nil else { return false }
    let stored = try tombstoneJSON(tombstone.recordID.recordName, in: zone)
    if try stored == nil
      || replacing && (stored?.isIntact != true || stored?.json != StoreCoding.json(of: tombstone))
    {
      let tag = ChangeSequence.number(ofTag: tombstone.recordChangeTag)
      try addTombstone(tombstone, in: zone, change: changes.next(ofTag: tag, in: scope))
      counts.tombstones += 1
    }
    return true
  }

  /// Returns the record with a name, with what was imported so far; nil if there is none.
  package func imported(_ recordID: RecordID, in scope: DatabaseScope) throws -> ResultRecord? {
    try resolveDuplicates()
    return try record(for: recordID, in: scope)
  }

  /// Deletes a record without adding a tombstone.
  ///
  /// - Returns: whether it existed.
  @discardableResult
  public func remove(_ recordID: RecordID, from scope: DatabaseScope) throws -> Bool {
    guard let zone = try zoneState(recordID.zoneID, in: scope) else { return false }
    try resolveDuplicates()
    guard let stored = try find(recordID, in: zone) else { return false }
    try remove(stored, from: zone)
    return true
  }

  /// Deletes a zone with all its contents, without adding a tombstone.
  ///
  /// - Returns: the number of deleted records; nil if the zone does not exist.
  @discardableResult
  public func remove(_ zoneID: ZoneID, from scope: DatabaseScope) throws -> Int? {
    guard let zone = try zoneState(zoneID, in: scope) else { return nil }
    try resolveDuplicates()
    let count = try db.integer("SELECT count(*) FROM record WHERE zone = ?", [zone.id])
    try remove(zone)
    try changes.noteRemovedZone()
    return Int(count ?? 0)
  }

  /// Adds the tombstone of a deleted zone; an existing one is no change.
  ///
  /// - Returns: false if the zone exists; the tombstone is not added then.
  @discardableResult
  public func add(_ tombstone: DeletedZone, to scope: DatabaseScope) throws -> Bool {
    guard try zoneState(tombstone.zoneID, in: scope) == nil else { return false }
    if try !hasIntactZoneTombstone(tombstone.zoneID, in: scope) {
      try addZoneTombstone(tombstone, in: scope)
      counts.tombstones += 1
    }
    return true
  }

  /// Adds the next chunk of an asset. The chunks of one asset are added consecutively, from byte 0
  /// on; an empty asset is added as one empty chunk. Add the records first: an asset that no record
  /// refers to at the end is dropped.
  ///
  /// - Parameters:
  ///   - bytes: the chunk, of any size.
  ///   - offset: the offset of the chunk in the asset, in bytes.
  ///   - sha256: the digest of the whole content, which is checked.
  ///   - size: the size of the whole content in bytes.
  public func addAssetChunk(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64, ofAsset sha256: String, size: Int64
  ) throws {
    // A transaction that has escaped must not use a closed file.
    _ = try db
    try assets.add(bytes, at: offset, of: SHA256Digest(hex: sha256), size: size)
  }

  // MARK: Records

  /// Adds a record unchanged.
  ///
  /// - Throws: CloudKit's `zoneNotFound`, or the error of the conflict handler.
  public func add(_ record: ResultRecord, to scope: DatabaseScope) throws {
    try withRow(of: record, in: existingZone(record.recordID.zoneID, in: scope)) { row in
      try add(row, change: ChangeSequence.number(ofTag: record.systemFields.recordChangeTag))
    }
  }

  /// Returns the number of a change tag; 0 if it has none.
  package static func change(ofTag tag: String?) -> Int64 { ChangeSequence.number(ofTag: tag) }

  /// Adds a record by its keys and its canonical JSON.
  ///
  /// The payload is not checked. It must be canonical, and match zone, type, name and date.
  ///
  /// - Parameter tag: the number in the record's change tag; 0 if it has none.
  package func add(_ row: RecordRow, change tag: Int64) throws {
    if isIdentityDeferred {
      guard try section(row.zone, row.type).extent.order(of: row.name) != 0 else {
        return try addAfterResolving(row, tag)
      }
    } else if let stored = try find(row.name, in: row.zone) {
      return try merge(row, tag, into: stored)
    }
    try insert(row, change: changes.next(ofTag: tag, in: row.zone.scope))
    counts.added &+= 1
  }

  /// Adds a record with the greatest name so far, which was added before or has been removed.
  private func addAfterResolving(_ row: RecordRow, _ tag: Int64) throws {
    try resolveDuplicates()
    try add(row, change: tag)
  }

  private func merge(_ row: RecordRow, _ tag: Int64, into stored: StoredRow) throws {
    let isIntact = try isIntact(stored)
    if !isIntact { mustRecount = true }
    // The type of a damaged row may not exist.
    let existingType = isIntact ? try type(withID: stored.type) : row.type
    var decision = try withPayload(of: stored.id) { existing in
      try decide(
        row.zone, name: row.name, existingType.name, existing, row.type.name, row.payload)
    }
    if decision == .identical, !isIntact { decision = .replace }
    if decision == .replace {
      try replace(stored, with: row, change: changes.next(ofTag: tag, in: row.zone.scope))
    }
    if decision == .identical, isRepairing {
      try assets.removeReferences(record: stored.id)
      if row.mayContainAssets { try assets.addReferences(payload: row.payload, record: stored.id) }
    }
    count(decision)
  }

  enum Decision { case identical, keep, replace }

  func decide(
    _ zone: ZoneState, name: UnsafeRawBufferPointer, _ existingType: String,
    _ existing: UnsafeRawBufferPointer, _ incomingType: String, _ incoming: UnsafeRawBufferPointer
  ) throws -> Decision {
    if existing.count == incoming.count && compareBytes(existing, incoming) == 0 {
      return .identical
    }
    let recordID = RecordID(
      recordName: String(decoding: name, as: UTF8.self), zoneID: zone.zoneID)
    let conflict = ImportConflict(
      scope: zone.scope, recordID: recordID, existingType: existingType,
      incomingType: incomingType, existing: existing, incoming: incoming)
    return try resolve(conflict) == .replace ? .replace : .keep
  }

  /// - Parameter wasAdded: whether the record was counted as added.
  func count(_ decision: Decision, wasAdded: Bool = false) {
    if wasAdded { counts.added &-= 1 }
    switch decision {
    case .identical: counts.identical &+= 1
    case .keep: counts.kept &+= 1
    case .replace: counts.replaced &+= 1
    }
  }
}
