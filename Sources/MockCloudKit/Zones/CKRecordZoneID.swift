import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckcurrentuserdefaultname
public let CKCurrentUserDefaultName: String = "__defaultOwner__"

/// https://developer.apple.com/documentation/cloudkit/ckownerdefaultname
@available(*, deprecated, renamed: "CKCurrentUserDefaultName")
public let CKOwnerDefaultName: String = "__defaultOwner__"

extension CKRecordZone {
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/id
  public typealias ID = CKRecordZoneID
}

// swift-corelibs-foundation cannot archive a class within another.
/// https://developer.apple.com/documentation/cloudkit/ckrecordzone/id
public class CKRecordZoneID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/id/default
  public static let `default`: CKRecordZone.ID = CKRecordZoneID()
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/id/defaultzonename
  public static let defaultZoneName: String = "_defaultZone"

  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/id/zonename
  public let zoneName: String
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/id/ownername
  public let ownerName: String

  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/id/init(zonename:ownername:)
  public init(
    zoneName: String = CKRecordZone.ID.defaultZoneName,
    ownerName: String = CKCurrentUserDefaultName
  ) {
    ArchiveNames.register()
    self.zoneName = zoneName
    self.ownerName = ownerName
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/id/init(zonename:ownername:)-2hzo4
  public convenience init(zoneName: String, ownerName: String?) {
    self.init(zoneName: zoneName, ownerName: ownerName ?? CKCurrentUserDefaultName)
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/isequal(_:)
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKRecordZone.ID else { return false }
    return zoneName == other.zoneName && ownerName == other.ownerName
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/hash
  public override var hash: Int { zoneName.hashValue ^ ownerName.hashValue }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKRecordZoneID")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(zoneName as NSString, forKey: "ZoneName")
    coder.encode(ownerName as NSString, forKey: "ownerName")
    coder.encode(0, forKey: "databaseScopeKey")
    coder.encode(nil, forKey: "anonymousCKUserID")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init?(coder: NSCoder) {
    guard let name = coder.optionalObject(of: NSString.self, forKey: "ZoneName") else { return nil }
    zoneName = String(name)
    ownerName =
      coder.optionalObject(of: NSString.self, forKey: "ownerName").map { String($0) }
      ?? CKCurrentUserDefaultName
    super.init()
  }
}
