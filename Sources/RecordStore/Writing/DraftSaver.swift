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
  private let reader = RecordJSONReader()

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
    let recordID = draft.recordID
    guard let zone = try writer.zone(recordID.zoneID, in: scope) else {
      throw CloudError.zoneNotFound(recordID.zoneID, in: scope)
    }
    var name = recordID.recordName
    return try name.withUTF8 { utf8 in
      let name = UnsafeRawBufferPointer(utf8)
      let stored = try writer.find(name, in: zone)
      let change = try writer.nextChange(in: scope)
      let record = try result(of: draft, over: stored, change: change)
      buffer.reset()
      try json.write(record, to: buffer)
      let row = RecordRow(
        zone: zone, type: try writer.type(draft.recordType), name: name,
        modified: stamp.date?.timeIntervalSinceReferenceDate, payload: buffer.bytes)
      try writer.save(row, over: stored, change: change)
      return record
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
      let stored = try writer.find(recordID.recordName, in: zone)
    else { return }
    let record = try writer.record(stored, recordID, by: reader)
    let change = try writer.nextChange(in: scope)
    var system = record.systemFields
    system.recordChangeTag = String(change, radix: 36)
    body(&system)
    buffer.reset()
    try json.write(
      ResultRecord(systemFields: system, fields: Array(record.fields)), to: buffer)
    var name = recordID.recordName
    try name.withUTF8 { utf8 in
      let row = RecordRow(
        zone: zone, type: try writer.type(record.recordType), name: UnsafeRawBufferPointer(utf8),
        modified: system.modified?.date?.timeIntervalSinceReferenceDate, payload: buffer.bytes)
      try writer.save(
        row, over: stored, change: isChange ? change : writer.change(of: stored))
    }
  }

  private func result(
    of draft: DraftRecord, over stored: StoredRow?, change: Int64
  ) throws -> ResultRecord {
    let previous = try stored.map { try writer.record($0, draft.recordID, by: reader) }
    var system = draft.systemFields
    system.recordChangeTag = String(change, radix: 36)
    system.modified = stamp
    system.created = if let previous { previous.systemFields.created } else { stamp }
    let fields = try draft.fields.map { try storingAssets(of: $0, in: draft, over: previous) }
    return ResultRecord(systemFields: system, fields: fields)
  }

  // MARK: Assets

  /// Checks that the content of a draft's assets can be stored, and stores nothing.
  ///
  /// - Parameter previous: the stored record.
  /// - Throws: CloudKit's `assetFileNotFound` or `limitExceeded`.
  package func checkAssets(of draft: DraftRecord, over previous: ResultRecord?) throws {
    for field in draft.fields {
      for asset in field.value.assets {
        if let content = asset.content {
          var size: Int64 = 0
          try AssetFile.withChunks(of: content) { next in
            while let chunk = try next() {
              size += Int64(chunk.count)
              try checkSize(size, field, draft)
            }
          }
        } else if try !isKnown(asset, previous) {
          throw withoutContent(asset, field, draft)
        }
      }
    }
  }

  private func checkSize(_ size: Int64, _ field: Field, _ draft: DraftRecord) throws {
    guard let limit = limits.assetSize, size > limit else { return }
    throw CloudError(
      LimitViolation(
        .assetSize, .record(draft.recordID, key: field.name),
        found: "an asset of more than \(limit) bytes", allowed: "\(limit) bytes"))
  }

  private func storingAssets(
    of field: Field, in draft: DraftRecord, over previous: ResultRecord?
  ) throws -> Field {
    func stored(_ asset: Asset) throws -> Asset {
      if let content = asset.content { return try store(content, of: asset, field, draft) }
      guard try isKnown(asset, previous) else { throw withoutContent(asset, field, draft) }
      return asset
    }
    let value: RecordValue
    switch field.value {
    case .asset(let asset): value = .asset(try stored(asset))
    case .assetList(let assets): value = .assetList(try assets.map(stored))
    default: return field
    }
    return Field(
      name: field.name, value: value, isEncrypted: field.isEncrypted,
      otherMembers: field.otherMembers)
  }

  private func store(
    _ content: Asset.Content, of asset: Asset, _ field: Field, _ draft: DraftRecord
  ) throws -> Asset {
    let stored = try AssetFile.withChunks(of: content) { next in
      try writer.assets.store(next) { try checkSize($0, field, draft) }
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
    _ asset: Asset, _ field: Field, _ draft: DraftRecord
  ) -> CloudError {
    let digest = asset.sha256.map { "no content with the SHA-256 '\($0.prefix(80))' is stored" }
    return CloudError(
      .assetFileNotFound,
      "field '\(field.name)' of record '\(draft.recordID)' has an asset without content"
        + "\(digest.map { ", and \($0)" } ?? ""); give it a file or bytes")
  }
}
