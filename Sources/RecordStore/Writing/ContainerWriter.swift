import Foundation
import RecordCoding
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
public final class ContainerWriter {
  /// The results so far; duplicates in an empty container are counted at the end.
  @exclusivity(unchecked) public package(set) var counts = ImportReport()
  /// Nil after the transaction has ended: a writer that escaped must not use a closed file.
  @exclusivity(unchecked) private var open: StoreWriter?
  private let resolve: (ImportConflict) throws -> ImportConflict.Resolution
  private let json = RecordJSONWriter()
  private let buffer = ByteBuffer()

  /// Begins an import into a container.
  init(
    _ db: SQLiteConnection,
    _ resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution
  ) throws {
    let store = try StoreWriter(db)
    open = store
    self.resolve = resolve
    try store.assets.beginCounting(isNew: false)
    try store.indexes.dropAll()
    let isEmpty = try db.integer("SELECT EXISTS (SELECT 1 FROM record)") == 0
    store.changes.source = try isEmpty && ChangeNumbers.areNone(in: db) ? .load : .merge
    if isEmpty {
      try db.execute(StoreSchema.dropIdentityIndex)
      try db.execute(StoreSchema.dropOrderIndex)
      try db.execute(StoreSchema.dropRecordChangeIndex)
      store.isIdentityDeferred = true
    }
  }

  /// Begins to fill a new container, whose index of names is missing.
  ///
  /// - Parameter info: the cache of its metadata.
  init(
    new db: SQLiteConnection, _ info: InfoCache,
    _ resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution
  ) throws {
    let store = try StoreWriter(db, info, isNew: true)
    open = store
    self.resolve = resolve
    try store.assets.beginCounting(isNew: true)
    store.changes.source = .load
    store.isIdentityDeferred = true
  }

  /// The writer of the container.
  /// - Throws: ``ContainerStoreError/closed`` after the transaction has ended.
  var store: StoreWriter {
    get throws(ContainerStoreError) {
      guard let open else { throw .closed }
      return open
    }
  }

  /// Completes the import, and ends the writer.
  func finish() throws {
    guard let open else { return }
    try resolveDuplicates()
    try open.assets.finishIncoming()
    try open.finish()
    counts.assets = try open.assets.added()
    counts.missingAssets = try open.assets.missing()
    end()
  }

  func end() { open = nil }

  // MARK: Zones and the rest

  /// Replaces the metadata of the container.
  public func setInfo(_ info: ContainerInfo) throws { try store.setInfo(info) }

  /// Returns the metadata of the container.
  public func info() throws -> ContainerInfo { try store.info() }

  /// Goes on with the history of the only source of the import, before anything of it is added. A
  /// container that has changes already numbers those of the source anew.
  package func follow(_ history: ContainerHistory) throws { try store.changes.follow(history) }

  /// Adds a zone, or replaces an existing one; its records stay.
  public func add(_ zone: RecordZone, to scope: DatabaseScope) throws {
    try store.save(zone, in: scope)
  }

  /// Returns a zone; nil if it does not exist.
  public func existingZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> RecordZone? {
    guard try store.zone(zoneID, in: scope) != nil else { return nil }
    return try ContainerSnapshot(store.db).zone(zoneID, in: scope)
  }

  /// Adds a subscription, or replaces the one with the same identifier.
  public func add(_ subscription: CloudSubscription, to scope: DatabaseScope) throws {
    try store.save(subscription, in: scope)
  }

  /// Returns the subscription with an identifier; nil if there is none.
  public func existingSubscription(
    _ id: String, in scope: DatabaseScope
  ) throws -> CloudSubscription? {
    try ContainerSnapshot(store.db).subscription(id, in: scope)
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
    let zone = try zone(tombstone.recordID.zoneID, in: scope)
    try resolveDuplicates()
    guard try store.find(tombstone.recordID, in: zone) == nil else { return false }
    let isSame = try store.hasSame(tombstone, in: zone)
    if isSame == nil || isSame == false && replacing {
      let tag = Self.change(ofTag: tombstone.recordChangeTag)
      let change = try store.changes.next(ofTag: tag, in: zone)
      try store.addTombstone(tombstone, in: zone, change: change)
      counts.tombstones += 1
    }
    return true
  }

  /// Deletes a record without adding a tombstone.
  ///
  /// - Returns: whether it existed.
  @discardableResult
  public func remove(_ recordID: RecordID, from scope: DatabaseScope) throws -> Bool {
    guard let zone = try store.zone(recordID.zoneID, in: scope) else { return false }
    try resolveDuplicates()
    guard let stored = try store.find(recordID, in: zone) else { return false }
    try store.remove(stored, from: zone)
    return true
  }

  /// Deletes a zone with all its contents, without adding a tombstone.
  ///
  /// - Returns: the number of deleted records; nil if the zone does not exist.
  @discardableResult
  public func remove(_ zoneID: ZoneID, from scope: DatabaseScope) throws -> Int? {
    guard let zone = try store.zone(zoneID, in: scope) else { return nil }
    try resolveDuplicates()
    let count = try store.db.integer("SELECT count(*) FROM record WHERE zone = ?", [zone.id])
    try store.delete(zone)
    try store.changes.noteRemovedZone()
    return Int(count ?? 0)
  }

  /// Adds the tombstone of a deleted zone; an existing one is no change.
  ///
  /// - Returns: false if the zone exists; the tombstone is not added then.
  @discardableResult
  public func add(_ tombstone: DeletedZone, to scope: DatabaseScope) throws -> Bool {
    guard try store.zone(tombstone.zoneID, in: scope) == nil else { return false }
    if try !store.hasZoneTombstone(tombstone.zoneID, in: scope) {
      try store.addZoneTombstone(tombstone, in: scope)
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
    try store.assets.add(bytes, at: offset, of: SHA256Digest(hex: sha256), size: size)
  }

  // MARK: Records

  /// Adds a record unchanged.
  ///
  /// - Throws: ``ContainerStoreError/zoneMissing(_:_:)``, or the error of the conflict handler.
  public func add(_ record: ResultRecord, to scope: DatabaseScope) throws {
    buffer.reset()
    try json.write(record, to: buffer)
    let system = record.systemFields
    var name = system.recordID.recordName
    let zone = try zone(system.recordID.zoneID, in: scope)
    let type = try store.type(system.recordType)
    try name.withUTF8 { utf8 in
      try add(
        RecordRow(
          zone: zone, type: type, name: UnsafeRawBufferPointer(utf8),
          modified: system.modified?.date?.timeIntervalSinceReferenceDate, payload: buffer.bytes),
        change: Self.change(ofTag: system.recordChangeTag))
    }
  }

  /// Returns the zone that records are added to.
  package func zone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> ZoneState {
    guard let zone = try store.zone(zoneID, in: scope) else {
      throw ContainerStoreError.zoneMissing(zoneID, scope)
    }
    return zone
  }

  /// Returns the type that records are added with.
  package func type(_ name: String) throws -> TypeState { try store.type(name) }

  /// Returns the number of a change tag; 0 if it has none.
  package static func change(ofTag tag: String?) -> Int64 {
    // Greater ones are not counters, and could overflow.
    guard let tag, let number = ChangeTag.change(of: tag), 0...(Int64.max / 2) ~= number else {
      return 0
    }
    return number
  }

  /// Adds a record by its keys and its canonical JSON.
  ///
  /// The payload is not checked. It must be canonical, and match zone, type, name and date.
  ///
  /// - Parameter tag: the number in the record's change tag; 0 if it has none.
  package func add(_ row: RecordRow, change tag: Int64) throws {
    let store = try store
    if store.isIdentityDeferred {
      guard try store.section(row.zone, row.type).order(of: row.name) != 0 else {
        return try addAfterResolving(row, tag)
      }
      try store.insert(row, change: store.changes.next(ofTag: tag, in: row.zone))
      counts.added &+= 1
      return
    }
    guard let stored = try store.find(row.name, in: row.zone) else {
      try store.insert(row, change: store.changes.next(ofTag: tag, in: row.zone))
      counts.added &+= 1
      return
    }
    try merge(row, tag, into: stored)
  }

  /// Adds a record with the greatest name so far, which was added before or has been removed.
  private func addAfterResolving(_ row: RecordRow, _ tag: Int64) throws {
    try resolveDuplicates()
    try add(row, change: tag)
  }

  private func merge(_ row: RecordRow, _ tag: Int64, into stored: StoredRow) throws {
    let store = try store
    let existingType = try store.type(withID: stored.type)
    let decision = try store.withPayload(of: stored.id) { existing in
      try decide(
        row.zone, name: row.name, existingType.name, existing, row.type.name, row.payload)
    }
    if decision == .replace {
      let change = try store.changes.next(ofTag: tag, in: row.zone)
      try store.replace(stored, with: row, change: change)
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
