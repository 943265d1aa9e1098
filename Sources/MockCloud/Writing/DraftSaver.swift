import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

struct DraftSaver {
  let writer: StoreWriter
  let scope: DatabaseScope
  let stamp: RecordStamp
  let limits: RecordLimits
  private let json = RecordJSONWriter()
  private let buffer = ByteBuffer()
  private let reader = RecordJSONReader()

  func save(_ draft: DraftRecord) throws -> ResultRecord {
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

  private func result(
    of draft: DraftRecord, over stored: StoredRow?, change: Int64
  ) throws -> ResultRecord {
    let previous = try stored.map { stored in
      try writer.withPayload(of: stored.id) { payload in
        try StoreCoding.record(payload, by: reader, name: "record '\(draft.recordID)'")
      }
    }
    var system = draft.systemFields
    system.recordChangeTag = String(change, radix: 36)
    system.modified = stamp
    system.created = if let previous { previous.systemFields.created } else { stamp }
    let fields = try draft.fields.map { try storingAssets(of: $0, in: draft, over: previous) }
    return ResultRecord(systemFields: system, fields: fields)
  }

  // MARK: Assets

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
      try writer.assets.store(next) { size in
        guard let limit = limits.assetSize, size > limit else { return }
        throw CloudError(
          LimitViolation(
            .assetSize, .record(draft.recordID, key: field.name),
            found: "an asset of more than \(limit) bytes", allowed: "\(limit) bytes"))
      }
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
    return previous?.fields.contains { field in
      switch field.value {
      case .asset(let known): known == asset
      case .assetList(let known): known.contains(asset)
      default: false
      }
    } ?? false
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
