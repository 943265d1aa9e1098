import Foundation

extension CKUserIdentity {
  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class
  public typealias LookupInfo = CKUserIdentityLookupInfo
}

// swift-corelibs-foundation cannot archive a class within another.
/// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class
public class CKUserIdentityLookupInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class/emailaddress
  public let emailAddress: String?
  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class/phonenumber
  public let phoneNumber: String?
  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class/userrecordid
  public let userRecordID: CKRecord.ID?

  init(email: String?, phone: String?, id: CKRecord.ID?) {
    ArchiveNames.register()
    emailAddress = email
    phoneNumber = phone
    userRecordID = id
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class/init(emailaddress:)
  public convenience init(emailAddress: String) {
    self.init(email: emailAddress, phone: nil, id: nil)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class/init(phonenumber:)
  public convenience init(phoneNumber: String) {
    self.init(email: nil, phone: phoneNumber, id: nil)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class/init(userrecordid:)
  public convenience init(userRecordID: CKRecord.ID) {
    self.init(email: nil, phone: nil, id: userRecordID)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class/lookupinfos(withemails:)
  public static func lookupInfos(withEmails emails: [String]) -> [CKUserIdentity.LookupInfo] {
    emails.map { CKUserIdentity.LookupInfo(emailAddress: $0) }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class/lookupinfos(withphonenumbers:)
  public static func lookupInfos(
    withPhoneNumbers phoneNumbers: [String]
  ) -> [CKUserIdentity.LookupInfo] {
    phoneNumbers.map { CKUserIdentity.LookupInfo(phoneNumber: $0) }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckuseridentity/lookupinfo-swift.class/lookupinfos(with:)
  public static func lookupInfos(with recordIDs: [CKRecord.ID]) -> [CKUserIdentity.LookupInfo] {
    recordIDs.map { CKUserIdentity.LookupInfo(userRecordID: $0) }
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/isequal(_:)
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKUserIdentity.LookupInfo else { return false }
    return emailAddress == other.emailAddress && phoneNumber == other.phoneNumber
      && userRecordID == other.userRecordID
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/hash
  public override var hash: Int { emailAddress.hashValue ^ phoneNumber.hashValue }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKUserIdentityLookupInfo")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(emailAddress.map { $0 as NSString }, forKey: "EmailAddress")
    coder.encode(phoneNumber.map { $0 as NSString }, forKey: "PhoneNumber")
    coder.encode(userRecordID, forKey: "RecordID")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
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
