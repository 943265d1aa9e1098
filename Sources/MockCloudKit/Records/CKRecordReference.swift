import Foundation

extension CKRecord {
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/referenceaction
  public enum ReferenceAction: UInt, Sendable {
    /// The record stays when the target is deleted.
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/referenceaction/none
    case none = 0
    /// The record is deleted with the target.
    /// https://developer.apple.com/documentation/cloudkit/ckrecord/referenceaction/deleteself
    case deleteSelf = 1
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/reference
  public typealias Reference = CKReference
}

// swift-corelibs-foundation cannot archive a class within another.
/// https://developer.apple.com/documentation/cloudkit/ckrecord/reference
public class CKReference: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/reference/action-swift.typealias
  public typealias Action = CKRecord.ReferenceAction

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/reference/recordid
  public let recordID: CKRecord.ID
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/reference/action-swift.property
  public let action: CKRecord.ReferenceAction

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/reference/init(recordid:action:)
  public init(recordID: CKRecord.ID, action: CKRecord.ReferenceAction) {
    ArchiveNames.register()
    self.recordID = recordID
    self.action = action
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/reference/init(record:action:)
  public convenience init(record: CKRecord, action: CKRecord.ReferenceAction) {
    self.init(recordID: record.recordID, action: action)
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/isequal(_:)
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKRecord.Reference else { return false }
    return recordID.isEqual(other.recordID) && action == other.action
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/hash
  public override var hash: Int { recordID.hash }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKReference") }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(recordID, forKey: "recordID")
    coder.encode(Int64(action.rawValue), forKey: "referenceAction")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init?(coder: NSCoder) {
    guard let id = coder.optionalObject(of: CKRecord.ID.self, forKey: "recordID"),
      let action = CKRecord.ReferenceAction(
        rawValue: UInt(truncatingIfNeeded: coder.decodeInt64(forKey: "referenceAction")))
    else { return nil }
    recordID = id
    self.action = action
    super.init()
  }
}
