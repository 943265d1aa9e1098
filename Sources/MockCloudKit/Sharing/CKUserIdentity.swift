import Foundation

public class CKUserIdentity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public let userRecordID: CKRecord.ID?
  public let lookupInfo: CKUserIdentity.LookupInfo?
  public let nameComponents: PersonNameComponents?
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

  public override var description: String {
    described([
      "lookupInfo": lookupInfo, "userRecordID": userRecordID, "hasiCloudAccount": hasiCloudAccount,
    ])
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKUserIdentity")
  }

  public func encode(with coder: NSCoder) {
    coder.encode(userRecordID, forKey: "UserRecordID")
    coder.encode(lookupInfo, forKey: "LookupInfo")
    coder.encode(nameComponents.map { ArchivedPersonName($0) }, forKey: "NameComponents")
    coder.encode(hasiCloudAccount, forKey: "HasICloudAccount")
  }

  public required init?(coder: NSCoder) {
    userRecordID = coder.optionalObject(of: CKRecord.ID.self, forKey: "UserRecordID")
    lookupInfo = coder.optionalObject(of: CKUserIdentity.LookupInfo.self, forKey: "LookupInfo")
    let name = coder.optionalObject(of: ArchivedPersonName.self, forKey: "NameComponents")
    nameComponents = name?.components
    super.init()
  }
}
