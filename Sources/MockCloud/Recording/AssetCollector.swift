import Foundation
import RecordModel
import RecordPlatform

/// Moves the contents of assets out of records, which then refer to the contents by SHA-256.
struct AssetCollector {
  /// The contents by SHA-256; empty if they are not kept.
  private(set) var contents: [String: Data] = [:]
  /// The SHA-256 of all contents that were moved out, each once, in order.
  private(set) var digests: [String] = []
  private let keepsContents: Bool

  init(keepsContents: Bool) { self.keepsContents = keepsContents }

  /// Returns a record without the contents of its assets.
  mutating func strip(_ record: ResultRecord) -> ResultRecord {
    guard record.fields.contains(where: \.hasContents) else { return record }
    return ResultRecord(
      systemFields: record.systemFields, fields: record.fields.map { strip($0) })
  }

  /// Returns a draft without the contents of its assets.
  mutating func strip(_ draft: DraftRecord) -> DraftRecord {
    let hasContents =
      draft.fields.contains(where: \.hasContents)
      || draft.base?.fields.contains(where: \.hasContents) == true
    guard hasContents else { return draft }
    var stripped: DraftRecord
    if let base = draft.base {
      stripped = DraftRecord(strip(base))
      stripped.parent = draft.parent
      stripped.share = draft.share
      stripped.otherMembers = draft.otherMembers
    } else {
      stripped = DraftRecord(systemFields: draft.systemFields)
    }
    for name in draft.changedKeys() {
      if let field = draft.field(named: name) {
        stripped.setField(strip(field))
      } else {
        stripped.markRemoved(name)
      }
    }
    return stripped
  }

  private mutating func strip(_ field: Field) -> Field {
    guard field.hasContents else { return field }
    let assets = field.value.assets.map { strip($0) }
    if case .asset = field.value { return field.replacing(.asset(assets[0])) }
    return field.replacing(.assetList(assets))
  }

  /// An asset whose file cannot be read stays without a digest, as the server will not find it.
  private mutating func strip(_ asset: Asset) -> Asset {
    guard let content = asset.content else { return asset }
    var stripped = asset
    stripped.content = nil
    guard let data = content.bytes else { return stripped }
    let digest = "\(data.withUnsafeBytes { SHA256Digest(of: $0) })"
    stripped.sha256 = digest
    stripped.size = Int64(data.count)
    if !digests.contains(digest) { digests.append(digest) }
    if keepsContents { contents[digest] = data }
    return stripped
  }
}

extension Asset.Content {
  /// The bytes; nil for a file that cannot be read.
  fileprivate var bytes: Data? {
    switch self {
    case .data(let data): data
    case .file(let url): try? Data(contentsOf: url)
    }
  }
}

extension Field {
  fileprivate var hasContents: Bool { value.assets.contains { $0.content != nil } }

  fileprivate func adding(_ contents: [String: Data]) -> Field {
    let assets = value.assets.map { asset in
      var asset = asset
      asset.content = asset.sha256.flatMap { contents[$0] }.map { .data($0) }
      return asset
    }
    switch value {
    case .asset: return replacing(.asset(assets[0]))
    case .assetList: return replacing(.assetList(assets))
    default: return self
    }
  }
}

extension ResultRecord {
  /// Returns a record whose assets with these digests have contents.
  func adding(_ contents: [String: Data]) -> ResultRecord {
    guard !contents.isEmpty, fields.contains(where: { !$0.value.assets.isEmpty }) else {
      return self
    }
    return ResultRecord(
      systemFields: systemFields, fields: fields.map { $0.adding(contents) })
  }
}

extension DraftRecord {
  /// Returns a draft whose changed assets with these digests have contents.
  func adding(_ contents: [String: Data]) -> DraftRecord {
    var draft = self
    for name in changedKeys() {
      if let field = field(named: name), !field.value.assets.isEmpty {
        draft.setField(field.adding(contents))
      }
    }
    return draft
  }
}
