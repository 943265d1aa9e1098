#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  import struct Foundation.PersonNameComponents

  extension UserIdentity {
    /// Creates an identity from one of CloudKit.
    public init(_ identity: CKUserIdentity) {
      self.init(
        userRecordName: identity.userRecordID?.recordName,
        nameComponents: identity.nameComponents.map { NameComponents($0) },
        lookupInfo: identity.lookupInfo.map { LookupInfo($0) })
    }
  }

  extension UserIdentity.LookupInfo {
    /// Creates criteria from those of CloudKit.
    public init(_ lookupInfo: CKUserIdentity.LookupInfo) {
      self.init(
        emailAddress: lookupInfo.emailAddress, phoneNumber: lookupInfo.phoneNumber,
        userRecordName: lookupInfo.userRecordID?.recordName)
    }
  }

  extension UserIdentity.NameComponents {
    /// Creates a name from one of Foundation.
    public init(_ components: PersonNameComponents) {
      self.init(
        namePrefix: components.namePrefix, givenName: components.givenName,
        middleName: components.middleName, familyName: components.familyName,
        nameSuffix: components.nameSuffix, nickname: components.nickname)
    }
  }
#endif
