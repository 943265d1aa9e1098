import Foundation
import RecordModel
import RecordPlatform

/// What CloudKit's framework tells of a record: no devices, no members that only JSON has.
extension ResultRecord {
  var asCloudKitTells: ResultRecord {
    var system = systemFields
    system.created = system.created.map {
      RecordStamp(date: $0.date, userRecordName: $0.userRecordName)
    }
    system.modified = system.modified.map {
      RecordStamp(date: $0.date, userRecordName: $0.userRecordName)
    }
    if var share = shareInfo {
      share.shortGUID = nil
      var draft = DraftRecord(systemFields: system)
      draft.shareInfo = share
      system = draft.systemFields
    }
    return ResultRecord(systemFields: system, fields: allFields.map(\.asCloudKitTells))
  }
}

extension Field {
  /// The field with assets by what they contain; an empty list has no type.
  var asCloudKitTells: Field {
    let value: RecordValue =
      switch value {
      case .asset(let asset): .asset(asset.asDigest)
      case .assetList(let list) where list.isEmpty: .emptyList
      case .assetList(let list): .assetList(list.map(\.asDigest))
      case let value where value.elements?.isEmpty == true: .emptyList
      default: value
      }
    return Field(name: name, value: value, isEncrypted: isEncrypted)
  }
}

extension Asset {
  /// The asset by the digest of its content, which one that is not saved does not have yet.
  fileprivate var asDigest: Asset {
    guard case .data(let data) = content else { return Asset(sha256: sha256, size: size) }
    let digest = data.withUnsafeBytes { SHA256Digest(of: $0) }
    return Asset(sha256: digest.description, size: Int64(data.count))
  }
}
