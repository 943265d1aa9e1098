import Foundation

extension CKRecord {
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/id
  public typealias ID = CKRecordID
}

// swift-corelibs-foundation cannot archive a class within another.
/// https://developer.apple.com/documentation/cloudkit/ckrecord/id
public class CKRecordID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/id/recordname
  public let recordName: String
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/id/zoneid
  public let zoneID: CKRecordZone.ID

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/id/init(recordname:zoneid:)
  public init(
    recordName: String = UUID().uuidString, zoneID: CKRecordZone.ID = CKRecordZone.ID.default
  ) {
    ArchiveNames.register()
    self.recordName = recordName
    self.zoneID = zoneID
    super.init()
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/isequal(_:)
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKRecord.ID else { return false }
    return recordName == other.recordName && zoneID.isEqual(other.zoneID)
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/hash
  public override var hash: Int { recordName.hashValue ^ zoneID.hash }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKRecordID") }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(recordName as NSString, forKey: "RecordName")
    coder.encode(zoneID, forKey: "ZoneID")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init?(coder: NSCoder) {
    guard let name = coder.optionalObject(of: NSString.self, forKey: "RecordName") else {
      return nil
    }
    recordName = String(name)
    zoneID = coder.optionalObject(of: CKRecordZone.ID.self, forKey: "ZoneID") ?? .default
    super.init()
  }
}
