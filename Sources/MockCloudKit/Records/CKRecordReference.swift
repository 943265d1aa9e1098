import Foundation

extension CKRecord {
  public enum ReferenceAction: UInt, Sendable {
    /// The record stays when the target is deleted.
    case none = 0
    /// The record is deleted with the target.
    case deleteSelf = 1
  }

  public typealias Reference = CKReference
}

// swift-corelibs-foundation cannot archive a class within another.
public class CKReference: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public typealias Action = CKRecord.ReferenceAction

  public let recordID: CKRecord.ID
  public let action: CKRecord.ReferenceAction

  public init(recordID: CKRecord.ID, action: CKRecord.ReferenceAction) {
    ArchiveNames.register()
    self.recordID = recordID
    self.action = action
    super.init()
  }

  public convenience init(record: CKRecord, action: CKRecord.ReferenceAction) {
    self.init(recordID: record.recordID, action: action)
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKRecord.Reference else { return false }
    return recordID.isEqual(other.recordID) && action == other.action
  }

  public override var hash: Int { recordID.hash }

  public override var description: String {
    described(["recordID": recordID])
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKReference") }

  public func encode(with coder: NSCoder) {
    coder.encode(recordID, forKey: "recordID")
    coder.encode(Int64(action.rawValue), forKey: "referenceAction")
  }

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
