import Foundation

extension CKUserIdentity {
  public typealias LookupInfo = CKUserIdentityLookupInfo
}

// swift-corelibs-foundation cannot archive a class within another.
public class CKUserIdentityLookupInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public let emailAddress: String?
  public let phoneNumber: String?
  public let userRecordID: CKRecord.ID?

  init(email: String?, phone: String?, id: CKRecord.ID?) {
    ArchiveNames.register()
    emailAddress = email
    phoneNumber = phone
    userRecordID = id
    super.init()
  }

  public convenience init(emailAddress: String) {
    self.init(email: emailAddress, phone: nil, id: nil)
  }

  public convenience init(phoneNumber: String) {
    self.init(email: nil, phone: phoneNumber, id: nil)
  }

  public convenience init(userRecordID: CKRecord.ID) {
    self.init(email: nil, phone: nil, id: userRecordID)
  }

  public static func lookupInfos(withEmails emails: [String]) -> [CKUserIdentity.LookupInfo] {
    emails.map { CKUserIdentity.LookupInfo(emailAddress: $0) }
  }

  public static func lookupInfos(
    withPhoneNumbers phoneNumbers: [String]
  ) -> [CKUserIdentity.LookupInfo] {
    phoneNumbers.map { CKUserIdentity.LookupInfo(phoneNumber: $0) }
  }

  public static func lookupInfos(with recordIDs: [CKRecord.ID]) -> [CKUserIdentity.LookupInfo] {
    recordIDs.map { CKUserIdentity.LookupInfo(userRecordID: $0) }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKUserIdentity.LookupInfo else { return false }
    return emailAddress == other.emailAddress && phoneNumber == other.phoneNumber
      && userRecordID == other.userRecordID
  }

  public override var hash: Int { emailAddress.hashValue ^ phoneNumber.hashValue }

  public override var description: String {
    described([
      "emailAddress": emailAddress, "phoneNumber": phoneNumber, "userRecordID": userRecordID,
    ])
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKUserIdentityLookupInfo")
  }

  public func encode(with coder: NSCoder) {
    coder.encode(emailAddress.map { $0 as NSString }, forKey: "EmailAddress")
    coder.encode(phoneNumber.map { $0 as NSString }, forKey: "PhoneNumber")
    coder.encode(userRecordID, forKey: "RecordID")
  }

  public required init?(coder: NSCoder) {
    func string(_ key: String) -> String? {
      coder.optionalObject(of: NSString.self, forKey: key).map { String($0) }
    }
    emailAddress = string("EmailAddress")
    phoneNumber = string("PhoneNumber")
    userRecordID = coder.optionalObject(of: CKRecord.ID.self, forKey: "RecordID")
    super.init()
  }
}
