import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckuseridentity
public class CKUserIdentity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/userrecordid
  public let userRecordID: CKRecord.ID?
  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.property
  public let lookupInfo: CKUserIdentity.LookupInfo?
  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/namecomponents
  public let nameComponents: PersonNameComponents?
  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/hasicloudaccount
  public var hasiCloudAccount: Bool { userRecordID != nil }

  init(
    _ userRecordID: CKRecord.ID?, _ lookupInfo: LookupInfo?,
    _ nameComponents: PersonNameComponents?
  ) {
    ArchiveNames.register()
    self.userRecordID = userRecordID
    self.lookupInfo = lookupInfo
    self.nameComponents = nameComponents
    super.init()
  }

  func isSameUser(as other: CKUserIdentity) -> Bool {
    if let id = userRecordID, let otherID = other.userRecordID { return id.isEqual(otherID) }
    guard let info = lookupInfo, let otherInfo = other.lookupInfo else { return false }
    return info.isEqual(otherInfo)
  }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKUserIdentity")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(userRecordID, forKey: "UserRecordID")
    coder.encode(lookupInfo, forKey: "LookupInfo")
    coder.encode(nameComponents.map { ArchivedPersonName($0) }, forKey: "NameComponents")
    coder.encode(hasiCloudAccount, forKey: "HasICloudAccount")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init?(coder: NSCoder) {
    userRecordID = coder.optionalObject(of: CKRecord.ID.self, forKey: "UserRecordID")
    lookupInfo = coder.optionalObject(of: CKUserIdentity.LookupInfo.self, forKey: "LookupInfo")
    let name = coder.optionalObject(of: ArchivedPersonName.self, forKey: "NameComponents")
    nameComponents = name?.components
    super.init()
  }
}
