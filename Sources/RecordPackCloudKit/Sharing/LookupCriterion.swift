#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  /// What a user is looked up by: one of the three that CloudKit has requests for.
  enum LookupCriterion {
    case emailAddress(String)
    case phoneNumber(String)
    case userRecordID(CKRecord.ID)

    /// - Returns: nil if the criteria are empty, or the record name is not valid.
    init?(_ lookupInfo: UserIdentity.LookupInfo) {
      if let address = lookupInfo.emailAddress, !address.isEmpty {
        self = .emailAddress(address)
      } else if let number = lookupInfo.phoneNumber, !number.isEmpty {
        self = .phoneNumber(number)
      } else if let name = lookupInfo.userRecordName,
        let id = try? CKRecord.ID(checking: RecordID(recordName: name))
      {
        self = .userRecordID(id)
      } else {
        return nil
      }
    }

    var emailAddress: String? { if case .emailAddress(let address) = self { address } else { nil } }

    var phoneNumber: String? { if case .phoneNumber(let number) = self { number } else { nil } }

    var userRecordID: CKRecord.ID? { if case .userRecordID(let id) = self { id } else { nil } }
  }
#endif
