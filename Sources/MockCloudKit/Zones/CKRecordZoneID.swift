import Foundation

public let CKCurrentUserDefaultName: String = "__defaultOwner__"

@available(*, deprecated, renamed: "CKCurrentUserDefaultName")
public let CKOwnerDefaultName: String = "__defaultOwner__"

extension CKRecordZone {
  public typealias ID = CKRecordZoneID
}

// swift-corelibs-foundation cannot archive a class within another.
public class CKRecordZoneID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public static let `default`: CKRecordZone.ID = CKRecordZoneID()
  public static let defaultZoneName: String = "_defaultZone"

  public let zoneName: String
  public let ownerName: String

  public init(
    zoneName: String = CKRecordZone.ID.defaultZoneName,
    ownerName: String = CKCurrentUserDefaultName
  ) {
    ArchiveNames.register()
    self.zoneName = zoneName
    self.ownerName = ownerName
    super.init()
  }

  public convenience init(zoneName: String, ownerName: String?) {
    self.init(zoneName: zoneName, ownerName: ownerName ?? CKCurrentUserDefaultName)
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKRecordZone.ID else { return false }
    return zoneName == other.zoneName && ownerName == other.ownerName
  }

  public override var hash: Int { zoneName.hashValue ^ ownerName.hashValue }

  public override var description: String {
    described(["zoneName": zoneName, "ownerName": ownerName])
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKRecordZoneID")
  }

  public func encode(with coder: NSCoder) {
    coder.encode(zoneName as NSString, forKey: "ZoneName")
    coder.encode(ownerName as NSString, forKey: "ownerName")
    coder.encode(0, forKey: "databaseScopeKey")
    coder.encode(nil, forKey: "anonymousCKUserID")
  }

  public required init?(coder: NSCoder) {
    guard let name = coder.optionalObject(of: NSString.self, forKey: "ZoneName") else { return nil }
    zoneName = String(name)
    ownerName =
      coder.optionalObject(of: NSString.self, forKey: "ownerName").map { String($0) }
      ?? CKCurrentUserDefaultName
    super.init()
  }
}
