import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// Saves drafts with one stamp. Valid during the transaction that provides it.
package struct DraftSaver {
  let writer: StoreWriter
  let scope: DatabaseScope
  let stamp: RecordStamp
  let limits: RecordLimits
  private let json = RecordJSONWriter()
  private let buffer = ByteBuffer()

  init(writer: StoreWriter, scope: DatabaseScope, stamp: RecordStamp, limits: RecordLimits) {
    self.writer = writer
    self.scope = scope
    self.stamp = stamp
    self.limits = limits
  }

  /// Creates a record, or replaces it completely. Gives it the next change tag and the stamp.
  ///
  /// - Throws: CloudKit's `zoneNotFound`, `assetFileNotFound` or `limitExceeded` for an asset.
  package func save(_ draft: DraftRecord) throws -> ResultRecord {
    let record = ResultRecord(
      storage: ValueStorage(systemFields: draft.systemFields, sorted: draft.fields))
    let zone = try zone(draft.recordID.zoneID)
    return try save(record, over: writer.stored(draft.recordID, in: zone))
  }

  /// Creates a record, or replaces what is stored completely. Gives it the next change tag and the
  /// stamp.
  ///
  /// - Parameter stored: what is stored under the record's name.
  /// - Throws: CloudKit's `zoneNotFound`, `assetFileNotFound` or `limitExceeded` for an asset.
  package func save(_ record: ResultRecord, over stored: StoredRecord?) throws -> ResultRecord {
    let zone = try zone(record.recordID.zoneID)
    let change = try writer.nextChange(in: scope)
    let result = try result(of: record, over: stored?.record, change: change)
    try write(result, in: zone, over: stored, change: change)
    return result
  }

  private func zone(_ zoneID: ZoneID) throws -> ZoneState {
    guard let zone = try writer.zone(zoneID, in: scope) else {
      throw CloudError.zoneNotFound(zoneID, in: scope)
    }
    return zone
  }

  private func write(
    _ record: ResultRecord, in zone: ZoneState, over stored: StoredRecord?, change: Int64
  ) throws {
    buffer.reset()
    try json.write(record, to: buffer)
    let system = record.systemFields
    let type = try writer.type(system.recordType)
    try system.recordID.packedName.withUTF8 { name in
      let row = RecordRow(
        zone: zone, type: type, name: name,
        modified: system.modified?.date?.timeIntervalSinceReferenceDate, payload: buffer.bytes)
      try writer.save(row, over: stored?.row, previous: stored, change: change)
    }
  }

  /// Gives a record the next change tag and changes nothing else. Ignores one that does not exist.
  ///
  /// - Parameter isChange: whether the change feed has it as changed.
  package func touch(_ recordID: RecordID, isChange: Bool = true) throws {
    try rewrite(recordID, isChange: isChange) { _ in }
  }

  /// Removes the reference of a record to its share. Ignores a record that does not exist.
  package func removeShare(of recordID: RecordID) throws {
    try rewrite(recordID, isChange: true) { $0.share = nil }
  }

  /// Gives a record the next change tag and other system fields.
  private func rewrite(
    _ recordID: RecordID, isChange: Bool, _ body: (inout SystemFields) -> Void
  ) throws {
    guard let zone = try writer.zone(recordID.zoneID, in: scope),
      let stored = try writer.stored(recordID, in: zone)
    else { return }
    let change = try writer.nextChange(in: scope)
    var system = stored.record.systemFields
    system.recordChangeTag = ChangeTag.text(of: change)
    body(&system)
    let record = ResultRecord(
      storage: ValueStorage(systemFields: system, sorted: stored.record.allFields))
    try write(
      record, in: zone, over: stored,
      change: isChange ? change : writer.change(of: stored.row))
  }

  private func result(
    of record: ResultRecord, over previous: ResultRecord?, change: Int64
  ) throws -> ResultRecord {
    var system = record.systemFields
    system.recordChangeTag = ChangeTag.text(of: change)
    system.modified = stamp
    system.created = if let previous { previous.storage.created } else { stamp }
    system.archive = nil
    var fields = record.allFields
    for index in fields.indices where fields[index].value.isOfAssets {
      fields[index] = try storingAssets(of: fields[index], in: record, over: previous)
    }
    return ResultRecord(storage: ValueStorage(systemFields: system, sorted: fields))
  }

  // MARK: Assets

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
      if let content = asset.content { return try store(content, of: asset, field, record) }
      guard try isKnown(asset, previous) else { throw withoutContent(asset, field, record) }
      return asset
    }
  }

  private func store(
    _ content: Asset.Content, of asset: Asset, _ field: Field, _ record: ResultRecord
  ) throws -> Asset {
    let stored = try AssetFile.withChunks(of: content) { next in
      try writer.assets.store(next) { try checkSize($0, field, record) }
    }
    var result = asset
    result.content = nil
    result.sha256 = stored.digest.description
    result.size = stored.size
    return result
  }

  /// Whether an asset without content may be saved: its content is stored, or the record had it.
  private func isKnown(_ asset: Asset, _ previous: ResultRecord?) throws -> Bool {
    if let digest = asset.sha256.flatMap(SHA256Digest.init(anyCase:)),
      let row = try writer.assets.find(digest),
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
