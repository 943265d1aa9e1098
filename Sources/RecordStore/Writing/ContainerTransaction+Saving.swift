import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

// MARK: Zones and subscriptions

extension ContainerTransaction {
  /// Saves a zone. An existing zone keeps its records.
  ///
  /// - Throws: CloudKit's `invalidArguments` for an invalid name.
  public func save(_ zone: RecordZone, in scope: DatabaseScope) throws {
    try limits.check(zoneID: zone.zoneID)
    try write(zone, in: scope)
  }

  /// Deletes a zone with all its records and the subscriptions to it, and leaves a tombstone of the
  /// zone.
  ///
  /// - Throws: CloudKit's `zoneNotFound`; `invalidArguments` for the default zone.
  public func deleteZone(
    _ zoneID: ZoneID, in scope: DatabaseScope, for reason: DeletedZone.Reason = .deleted
  ) throws {
    guard !zoneID.isDefault else {
      throw CloudError(.invalidArguments, "the default zone cannot be deleted")
    }
    try remove(existingZone(zoneID, in: scope))
    try addZoneTombstone(DeletedZone(zoneID: zoneID, reason: reason), in: scope)
  }

  /// Returns the number of records in a zone.
  ///
  /// - Throws: CloudKit's `zoneNotFound`.
  package func recordCount(in zoneID: ZoneID, of scope: DatabaseScope) throws -> Int {
    try recordCount(of: existingZone(zoneID, in: scope))
  }

  /// Saves a subscription, and replaces the one with the same identifier.
  ///
  /// - Throws: CloudKit's `invalidArguments` for an invalid name.
  public func save(_ subscription: CloudSubscription, in scope: DatabaseScope) throws {
    try limits.check(subscriptionID: subscription.subscriptionID)
    if let zoneID = subscription.zoneID { try limits.check(zoneID: zoneID) }
    try write(subscription, in: scope)
  }

  /// Deletes a subscription if it exists.
  public func deleteSubscription(_ id: String, in scope: DatabaseScope) throws {
    let db = try db
    try db.run("DELETE FROM subscription WHERE scope = ? AND id = ?", [scope.rank, id])
    guard db.changesCount > 0 else { return }
    countRows(.subscriptions, -db.changesCount, in: scope)
    // Copies and results that were made before are out of date.
    _ = try changes.next(in: scope)
  }
}

// MARK: Records

extension ContainerTransaction {
  /// Saves drafts: creates the records, or replaces them completely.
  ///
  /// Each record gets the next change tag and the time of the transaction. The content of assets is
  /// read and stored; an asset without content must be one that the container stores, or that the
  /// record had before. A damaged record is replaced, too, and its date of creation is lost.
  ///
  /// - Parameters:
  ///   - drafts: the records to save; of two with the same ID, the later one counts.
  ///   - scope: their database.
  ///   - user: the record name of the saving user; nil for the container's signed-in user.
  ///   - deviceID: the identifier of the saving device.
  /// - Returns: the saved records, in the order of the drafts.
  /// - Throws: CloudKit's `zoneNotFound` or `assetFileNotFound`; `invalidArguments` or
  ///   `limitExceeded` for a draft that exceeds a limit.
  @discardableResult
  public func save(
    _ drafts: [DraftRecord], in scope: DatabaseScope, savingAs user: String? = nil,
    deviceID: String? = nil
  ) throws -> [ResultRecord] {
    for draft in drafts {
      try limits.check(draft, isStored: contains(draft.recordID, in: scope))
    }
    let stamp = try stamp(user: user, deviceID: deviceID)
    return try drafts.map { draft in
      let record = ResultRecord(
        storage: ValueStorage(systemFields: draft.systemFields, sorted: draft.fields))
      switch try readableRecord(draft.recordID, in: scope) {
      case .success(let stored):
        return try save(record, over: stored, in: scope, stampedBy: stamp)
      case .failure:
        return try save(record, over: nil, replacingDamage: true, in: scope, stampedBy: stamp)
      }
    }
  }

  /// Returns the stamp of a save now.
  ///
  /// - Parameter user: the record name of the saving user; nil for the signed-in user.
  package func stamp(user: String? = nil, deviceID: String? = nil) throws -> RecordStamp {
    let user = try user ?? info().currentUserRecordName
    return RecordStamp(
      date: date, userRecordName: user ?? ZoneID.currentUserOwnerName, deviceID: deviceID)
  }

  /// Creates a record, or replaces the stored one completely. Gives it the next change tag and a
  /// stamp.
  ///
  /// - Parameters:
  ///   - stored: the record that is stored under the record's name; nil for none, or a damaged one.
  ///   - isDamaged: whether a damaged record is stored under the name.
  ///   - created: the stamp of the creation of a record that is restored; nil for that of the save.
  /// - Throws: CloudKit's `zoneNotFound`, `assetFileNotFound` or `limitExceeded` for an asset.
  package func save(
    _ record: ResultRecord, over stored: StoredRecord?, replacingDamage isDamaged: Bool = false,
    in scope: DatabaseScope, stampedBy stamp: RecordStamp, created: RecordStamp? = nil
  ) throws -> ResultRecord {
    let zone = try existingZone(record.recordID.zoneID, in: scope)
    if isDamaged, let row = try find(record.recordID, in: zone) { try remove(row, from: zone) }
    let change = try changes.next(in: scope)
    var system = record.systemFields
    system.recordChangeTag = ChangeTag.text(of: change)
    system.modified = stamp
    system.created = if let stored { stored.record.storage.created } else { created ?? stamp }
    system.archive = nil
    var fields = record.allFields
    for index in fields.indices where fields[index].value.isOfAssets {
      fields[index] = try storingAssets(of: fields[index], in: record, over: stored?.record)
    }
    let result = ResultRecord(storage: ValueStorage(systemFields: system, sorted: fields))
    try withRow(of: result, in: zone) {
      try write($0, over: stored?.row, previous: stored, change: change)
    }
    return result
  }

  /// Deletes a record, which may be damaged, and leaves its tombstone.
  ///
  /// - Returns: whether it existed.
  /// - Throws: CloudKit's `zoneNotFound`.
  @discardableResult
  public func delete(_ recordID: RecordID, in scope: DatabaseScope) throws -> Bool {
    guard let tombstone = try takeRecord(recordID, in: existingZone(recordID.zoneID, in: scope))
    else { return false }
    try save(tombstone, in: scope)
    return true
  }

  /// Removes a record.
  ///
  /// - Returns: its tombstone, which is not yet saved; nil if it did not exist.
  package func takeRecord(_ recordID: RecordID, in zone: ZoneState) throws -> DeletedRecord? {
    guard let stored = try find(recordID, in: zone) else { return nil }
    // The type of a damaged record may not exist.
    let type = try? type(withID: stored.type)
    try remove(stored, from: zone)
    return DeletedRecord(recordID: recordID, recordType: type?.name, deletionDate: date)
  }

  /// Saves the tombstone of a record that is deleted now, with the next change tag.
  package func save(_ tombstone: DeletedRecord, in scope: DatabaseScope) throws {
    let zone = try existingZone(tombstone.recordID.zoneID, in: scope)
    let change = try changes.next(in: scope)
    var tombstone = tombstone
    tombstone.recordChangeTag = ChangeTag.text(of: change)
    try addTombstone(tombstone, in: zone, change: change)
  }

  /// Whether a record exists.
  package func contains(_ recordID: RecordID, in scope: DatabaseScope) throws -> Bool {
    guard let zone = try zoneState(recordID.zoneID, in: scope) else { return false }
    return try find(recordID, in: zone) != nil
  }

  /// Gives a record the next change tag and changes nothing else. Ignores a record that does not
  /// exist.
  ///
  /// - Parameter isChange: whether the change feed has it as changed.
  package func advanceChangeTag(
    of recordID: RecordID, in scope: DatabaseScope, isChange: Bool = true
  ) throws {
    try rewrite(recordID, in: scope, isChange: isChange) { _ in }
  }

  /// Removes the reference of a record to its share. Ignores a record that does not exist.
  package func removeShare(of recordID: RecordID, in scope: DatabaseScope) throws {
    try rewrite(recordID, in: scope, isChange: true) { $0.share = nil }
  }

  /// Gives a record the next change tag and other system fields.
  private func rewrite(
    _ recordID: RecordID, in scope: DatabaseScope, isChange: Bool,
    _ body: (inout SystemFields) -> Void
  ) throws {
    guard let zone = try zoneState(recordID.zoneID, in: scope),
      let stored = try storedRecord(recordID, in: scope)
    else { return }
    let next = try changes.next(in: scope)
    var system = stored.record.systemFields
    system.recordChangeTag = ChangeTag.text(of: next)
    body(&system)
    let record = ResultRecord(
      storage: ValueStorage(systemFields: system, sorted: stored.record.allFields))
    try withRow(of: record, in: zone) {
      let change = isChange ? next : stored.change
      try write($0, over: stored.row, previous: stored, change: change)
    }
  }
}

// MARK: Assets

extension ContainerTransaction {
  /// Checks that the content of a record's assets can be stored, and stores nothing.
  ///
  /// - Parameter previous: the stored record.
  /// - Throws: CloudKit's `assetFileNotFound` or `limitExceeded`.
  package func checkAssets(of record: ResultRecord, over previous: ResultRecord?) throws {
    for field in record.allFields where field.value.isOfAssets {
      for asset in field.value.assets {
        if let content = asset.content {
          var size: Int64 = 0
          try AssetFile.withChunks(of: content) { next in
            while let chunk = try next() {
              size += Int64(chunk.count)
              try checkSize(size, field, record)
            }
          }
        } else if try !isKnown(asset, previous) {
          throw withoutContent(asset, field, record)
        }
      }
    }
  }

  private func checkSize(_ size: Int64, _ field: Field, _ record: ResultRecord) throws {
    guard let limit = limits.assetSize, size > limit else { return }
    throw CloudError(
      LimitViolation(
        .assetSize, .record(record.recordID, key: field.name),
        found: "an asset of more than \(limit) bytes", allowed: "\(limit) bytes"))
  }

  private func storingAssets(
    of field: Field, in record: ResultRecord, over previous: ResultRecord?
  ) throws -> Field {
    try field.replacingAssets { asset in
      guard let content = asset.content else {
        guard try isKnown(asset, previous) else { throw withoutContent(asset, field, record) }
        return asset
      }
      let stored = try AssetFile.withChunks(of: content) { next in
        try assets.store(next) { try checkSize($0, field, record) }
      }
      var result = asset
      result.content = nil
      result.sha256 = stored.digest.description
      result.size = stored.size
      return result
    }
  }

  /// Whether an asset without content may be saved: its content is stored, or the record had it.
  private func isKnown(_ asset: Asset, _ previous: ResultRecord?) throws -> Bool {
    if let digest = asset.sha256.flatMap(SHA256Digest.init(anyCase:)),
      let row = try assets.find(digest),
      asset.size == nil || row.size == nil || asset.size == row.size
    {
      return true
    }
    return previous?.fields.contains { $0.value.assets.contains(asset) } ?? false
  }

  private func withoutContent(
    _ asset: Asset, _ field: Field, _ record: ResultRecord
  ) -> CloudError {
    let digest = asset.sha256.map { "no content with the SHA-256 '\($0.prefix(80))' is stored" }
    return CloudError(
      .assetFileNotFound,
      "field '\(field.name)' of record '\(record.recordID)' has an asset without content"
        + "\(digest.map { ", and \($0)" } ?? ""); give it a file or bytes")
  }
}

// MARK: Saves of a migration in place

extension ContainerTransaction {
  /// Whether the transaction begins with the state of a snapshot that is older than it. Takes the
  /// write lock, so that no other connection can change the container after that.
  package func begins(with snapshot: ContainerSnapshot) throws -> Bool {
    // Writing takes the lock.
    try db.execute("UPDATE database SET lastChange = lastChange")
    return try info() == snapshot.info()
      && DatabaseScope.allCases.allSatisfy {
        try lastChange(in: $0) == snapshot.lastChange(in: $0)
      }
  }

  /// Removes all indexes of records: keeping them up to date costs more than making them again.
  package func dropIndexes() throws { try indexes.dropAll() }

  /// Creates a zone if it does not exist. Its name is not checked.
  package func makeZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws {
    guard try zoneState(zoneID, in: scope) == nil else { return }
    try write(RecordZone(zoneID: zoneID), in: scope)
  }

  /// Saves a record in an existing zone with the next change tag.
  ///
  /// - Parameters:
  ///   - body: the canonical dictionary without the first brace.
  ///   - places: the positions of the stamps in it.
  ///   - created: the member `created` of the replaced record; a new record is created now.
  ///   - name: the record name in UTF-8.
  ///   - stamp: the stamp of the save.
  package func save(
    _ body: UnsafeRawBufferPointer, stampedAt places: StampRanges,
    created: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, in section: RecordSection,
    stampedBy stamp: EncodedStamp
  ) throws {
    let zone = try existingZone(section.zoneID, in: section.database)
    let stored = try find(name, in: zone)
    let change = try changes.next(in: section.database)
    buffer.reset()
    stamp.created.withUnsafeBytes { now in
      buffer.append(
        body, stampedAt: places, changeTag: ChangeTag.text(of: change),
        created: stored == nil ? now : created, modified: stamp.modified)
    }
    let row = RecordRow(
      zone: zone, type: try type(section.recordType), name: name,
      modified: date.timeIntervalSinceReferenceDate, payload: buffer.bytes)
    try write(row, over: stored, change: change)
  }

  /// Adds the bytes of an asset that a saved record refers to.
  package func add(asset sha256: String, _ data: Data) throws {
    try data.withUnsafeBytes {
      try assets.add($0, at: 0, of: SHA256Digest(hex: sha256), size: Int64(data.count))
    }
    try assets.finishIncoming()
  }
}

/// The stamp of saves, and the member `created` with it, as canonical JSON.
package struct EncodedStamp {
  let modified: [UInt8]
  let created: [UInt8]

  package init(_ stamp: RecordStamp) throws {
    modified = Array(try stamp.jsonValue().compactData)
    created = Array(",\"created\":".utf8) + modified
  }
}

extension Date {
  /// The date rounded to milliseconds, the precision of a server's stamps.
  var wholeMilliseconds: Date {
    Date(
      timeIntervalSinceReferenceDate: (timeIntervalSinceReferenceDate * 1000).rounded() / 1000)
  }
}
