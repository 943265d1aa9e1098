import Foundation
import GRDB
import RecordCoding
import RecordModel
import RecordPlatform

/// Fills a container with records as they are, in one transaction: tags, stamps and tombstones are
/// kept, and nothing is judged by a server's rules.
///
/// ``MockContainer/importTransaction(onConflict:_:)`` and
/// ``MockContainer/build(path:info:onConflict:_:)`` hand one out; it is valid within that call, on
/// its thread.
///
/// Into a container without records, names are not looked up one by one: their index is built at
/// the end, and records that came twice are found then. Records that come in canonical order
/// (zone, type, name) are loaded and read back fastest.
public final class ContainerWriter {
  /// What was done so far; records that came twice into an empty container are counted at the end.
  @exclusivity(unchecked) public private(set) var counts = ImportCounts()
  /// Nil once the transaction has ended: a writer that was kept must not reach into a closed file.
  @exclusivity(unchecked) private var open: StoreWriter?
  private let resolve: (ImportConflict) throws -> ImportConflict.Resolution
  private let json = RecordJSONWriter()
  private let buffer = ByteBuffer()

  init(
    _ db: Database, isEmpty: Bool,
    _ resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution
  ) throws {
    let store = try StoreWriter(db)
    open = store
    self.resolve = resolve
    try store.assets.beginCounting()
    if isEmpty {
      try db.execute(sql: StoreSchema.dropIdentityIndex)
      try db.execute(sql: StoreSchema.dropOrderIndex)
      store.isIdentityDeferred = true
    }
  }

  /// What writes to the container; the transaction must not have ended.
  var store: StoreWriter {
    get throws(MockContainerError) {
      guard let open else { throw .closed }
      return open
    }
  }

  /// Completes what was written, and ends the writer.
  func finish() throws {
    guard let open else { return }
    try settle()
    try open.assets.finishIncoming()
    try open.finish()
    counts.assets = try open.assets.added()
    counts.missingAssets = try open.assets.missing()
    end()
  }

  /// Ends the writer.
  func end() { open = nil }

  // MARK: Zones and the rest

  /// Replaces what the container says about itself.
  public func setInfo(_ info: ContainerInfo) throws { try info.write(to: store.db) }

  /// What the container says about itself.
  public func info() throws -> ContainerInfo { try ContainerInfo.read(from: store.db) }

  /// Adds a zone, or replaces what is known of it.
  public func add(_ zone: RecordZone, to scope: DatabaseScope) throws {
    try store.save(zone, in: scope)
  }

  /// The zone of that identity; nil where it is not there.
  public func existingZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> RecordZone? {
    try ContainerSnapshot(store.db).zone(zoneID, in: scope)
  }

  /// Adds a subscription, or replaces the one of that identity.
  public func add(_ subscription: Subscription, to scope: DatabaseScope) throws {
    try store.save(subscription, in: scope)
  }

  /// The subscription of that identity; nil where there is none.
  public func existingSubscription(
    _ id: String, in scope: DatabaseScope
  ) throws -> Subscription? {
    try ContainerSnapshot(store.db).subscription(id, in: scope)
  }

  /// Adds what is left of a deleted record.
  ///
  /// - Parameter replacing: whether it takes the place of a tombstone of that identity that says
  ///   something else. One that is the same to the last byte is no change.
  /// - Returns: false where a record of that identity is there; the tombstone is not added then.
  @discardableResult
  public func add(
    _ tombstone: Tombstone, to scope: DatabaseScope, replacing: Bool = true
  ) throws -> Bool {
    let zone = try zone(tombstone.recordID.zoneID, in: scope)
    try settle()
    var name = tombstone.recordID.recordName
    let stored = try name.withUTF8 { try store.find(UnsafeRawBufferPointer($0), in: zone) }
    guard stored == nil else { return false }
    let isSame = try store.hasSame(tombstone, in: zone)
    if isSame == nil || isSame == false && replacing {
      try store.addTombstone(tombstone, in: zone)
      counts.tombstones += 1
    }
    return true
  }

  /// Deletes a record; its tombstone, if there is to be one, is added apart.
  ///
  /// - Returns: whether it was there.
  @discardableResult
  public func remove(_ recordID: RecordID, from scope: DatabaseScope) throws -> Bool {
    guard let zone = try store.zone(recordID.zoneID, in: scope) else { return false }
    try settle()
    var name = recordID.recordName
    return try name.withUTF8 { utf8 in
      guard let stored = try store.find(UnsafeRawBufferPointer(utf8), in: zone) else {
        return false
      }
      try store.remove(stored, from: zone)
      return true
    }
  }

  /// Deletes a zone with all that is in it; its trace, if there is to be one, is added apart.
  ///
  /// - Returns: the number of records that went; nil where the zone is not there.
  @discardableResult
  public func remove(_ zoneID: ZoneID, from scope: DatabaseScope) throws -> Int? {
    guard let zone = try store.zone(zoneID, in: scope) else { return nil }
    try settle()
    let count = try store.db.integer("SELECT count(*) FROM record WHERE zone = ?", [zone.id])
    try store.delete(zone)
    return Int(count ?? 0)
  }

  /// Adds the trace of a deleted zone; one that is there already is no change.
  ///
  /// - Returns: false where a zone of that identity is there; the trace is not added then.
  @discardableResult
  public func addZoneTombstone(_ zoneID: ZoneID, to scope: DatabaseScope) throws -> Bool {
    guard try store.zone(zoneID, in: scope) == nil else { return false }
    if try !store.hasZoneTombstone(zoneID, in: scope) {
      try store.addZoneTombstone(zoneID, in: scope)
      counts.tombstones += 1
    }
    return true
  }

  /// Adds the next piece of an asset. The pieces of one asset come one after the other, from byte 0
  /// on; an empty asset comes as one empty piece. Add the records first: an asset that no record
  /// refers to at the end is dropped.
  ///
  /// - Parameters:
  ///   - bytes: the piece, of any size.
  ///   - offset: where in the asset it begins.
  ///   - sha256: the digest of the whole content, which is checked.
  ///   - size: the size of the whole content in bytes.
  public func addAssetChunk(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64, ofAsset sha256: String, size: Int64
  ) throws {
    try store.assets.add(bytes, at: offset, of: SHA256Digest(hex: sha256), size: size)
  }

  // MARK: Records

  /// Adds a record as it is.
  ///
  /// - Throws: ``MockContainerError/zoneMissing(_:_:)``, or what the handler of conflicts throws.
  public func add(_ record: ResultRecord, to scope: DatabaseScope) throws {
    buffer.reset()
    try json.write(record, to: buffer)
    let system = record.systemFields
    var name = system.recordID.recordName
    let zone = try zone(system.recordID.zoneID, in: scope)
    let type = try store.type(system.recordType)
    note(change: Self.change(ofTag: system.recordChangeTag), in: scope)
    try name.withUTF8 { utf8 in
      try add(
        RecordRow(
          zone: zone, type: type, name: UnsafeRawBufferPointer(utf8),
          modified: system.modified?.date?.timeIntervalSinceReferenceDate, payload: buffer.bytes))
    }
  }

  /// The zone that records are added to.
  package func zone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> ZoneState {
    guard let zone = try store.zone(zoneID, in: scope) else {
      throw MockContainerError.zoneMissing(zoneID, scope)
    }
    return zone
  }

  /// The type that records are added with.
  package func type(_ name: String) throws -> TypeState { try store.type(name) }

  /// The number that a change tag stands for; 0 where it stands for none.
  package static func change(ofTag tag: String?) -> Int64 {
    // Longer ones are no counters, and those up to 11 digits cannot overflow.
    guard let tag, tag.utf8.count <= 11 else { return 0 }
    return Int64(tag, radix: 36) ?? 0
  }

  /// Takes in the number of a record's change tag, so that no later save gives it out again.
  @inline(__always)
  package func note(change: Int64, in scope: DatabaseScope) { open?.note(change, in: scope) }

  /// Adds a record by its keys and its canonical JSON.
  ///
  /// Nothing in the payload is checked. Zone, type, name and modification date must be those in it,
  /// and it must be canonical to the last byte.
  package func add(_ row: RecordRow) throws {
    let store = try store
    if store.isIdentityDeferred {
      guard try store.section(row.zone, row.type).order(of: row.name) != 0 else {
        return try addAgain(row)
      }
      try store.insert(row)
      counts.added &+= 1
      return
    }
    guard let stored = try store.find(row.name, in: row.zone) else {
      try store.insert(row)
      counts.added &+= 1
      return
    }
    try merge(row, into: stored)
  }

  /// A record of the greatest name so far, which has come before or has been removed.
  private func addAgain(_ row: RecordRow) throws {
    try settle()
    try add(row)
  }

  private func merge(_ row: RecordRow, into stored: StoredRow) throws {
    let existingType = try store.type(withID: stored.type)
    let resolution = try store.withPayload(of: stored.id) { existing in
      try decide(
        row.zone, name: row.name, existingType.name, existing, row.type.name, row.payload)
    }
    switch resolution {
    case .identical: counts.identical &+= 1
    case .keep: counts.kept &+= 1
    case .replace:
      try store.replace(stored, with: row)
      counts.replaced &+= 1
    }
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

  /// Calls `body` with the canonical JSON of a record that is there; nil where there is none.
  ///
  /// In a container that was empty at the start this builds the index of names first, and all later
  /// records are looked up one by one.
  package func withExistingPayload<R>(
    named name: String, in zone: ZoneState, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R? {
    try settle()
    var name = name
    let stored = try name.withUTF8 { try store.find(UnsafeRawBufferPointer($0), in: zone) }
    guard let stored else { return nil }
    return try store.withPayload(of: stored.id, body)
  }

  func count(_ decision: Decision) {
    counts.added -= 1
    switch decision {
    case .identical: counts.identical += 1
    case .keep: counts.kept += 1
    case .replace: counts.replaced += 1
    }
  }
}
