import Foundation
import RecordCoding
import RecordModel

/// Saves drafts within a transaction.
struct DraftSaver {
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

  /// Stores a draft as the record of its identity.
  func save(_ draft: DraftRecord) throws -> ResultRecord {
    let recordID = draft.recordID
    guard let zone = try writer.zone(recordID.zoneID, in: scope) else {
      throw CloudError(
        .zoneNotFound, "zone '\(recordID.zoneID)' is not in the \(scope.rawValue) database")
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
      if let stored {
        try writer.replace(stored, with: row, change: change)
      } else {
        try writer.insert(row, change: change)
      }
      return record
    }
  }

  private func result(
    of draft: DraftRecord, over stored: StoredRow?, change: Int64
  ) throws -> ResultRecord {
    var system = draft.systemFields
    system.recordChangeTag = String(change, radix: 36)
    system.modified = stamp
    system.created =
      try stored.map { stored in
        try writer.withPayload(of: stored.id) { payload in
          try StoreCoding.record(payload, by: reader, name: draft.recordID.recordName)
            .systemFields.created
        }
      } ?? stamp
    let fields = try draft.fields.map { try storingAssets(of: $0, in: draft) }
    return ResultRecord(systemFields: system, fields: fields)
  }

  // MARK: Assets

  private func storingAssets(of field: Field, in draft: DraftRecord) throws -> Field {
    let value: RecordValue
    switch field.value {
    case .asset(let asset): value = .asset(try store(asset, field, draft))
    case .assetList(let assets):
      value = .assetList(try assets.map { try store($0, field, draft) })
    default: return field
    }
    return Field(
      name: field.name, value: value, isEncrypted: field.isEncrypted,
      otherMembers: field.otherMembers)
  }

  private func store(_ asset: Asset, _ field: Field, _ draft: DraftRecord) throws -> Asset {
    guard let content = asset.content else { return asset }
    let stored = try AssetFile.withPieces(of: content) { next in
      try writer.assets.store(next) { size in
        guard let most = limits.assetSize, size > most else { return }
        throw CloudError(
          LimitViolation(
            .assetSize, .record(draft.recordID, key: field.name),
            found: "an asset of more than \(most) bytes", allowed: "\(most) bytes"))
      }
    }
    var result = asset
    result.content = nil
    result.sha256 = stored.digest.description
    result.size = stored.size
    return result
  }
}
