#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  import struct Foundation.PersonNameComponents

  extension Share {
    /// Creates the properties of a share from one of CloudKit.
    public init(_ share: CKShare) {
      self.init(
        publicPermission: ShareParticipant.Permission(share.publicPermission),
        participants: share.participants.map { ShareParticipant($0) },
        owner: ShareParticipant(share.owner),
        currentUserParticipant: share.currentUserParticipant.map { ShareParticipant($0) },
        url: share.url)
      #if compiler(>=6.2)
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          allowsAccessRequests = share.allowsAccessRequests
          requesters = share.requesters.map {
            var identity = UserIdentity($0.userIdentity)
            identity.lookupInfo = UserIdentity.LookupInfo($0.participantLookupInfo)
            return identity
          }
          blockedIdentities = share.blockedIdentities.map { UserIdentity($0.userIdentity) }
          for index in participants.indices {
            let link = participants[index].participantID.flatMap { share.oneTimeURL(for: $0) }
            participants[index].isOneTime = link != nil
            participants[index].oneTimeLink = link?.absoluteString
          }
        }
      #endif
    }
  }

  #if compiler(>=6.2)
    @available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    extension CKShare {
      /// Makes the requests for access those of a draft.
      ///
      /// - Parameter known: the share that the draft is based on: only what the draft removed from it
      ///   is denied.
      func editRequests(as wanted: Share, basedOn known: Share?) {
        if allowsAccessRequests != wanted.allowsAccessRequests {
          allowsAccessRequests = wanted.allowsAccessRequests
        }
        func has(_ identities: [UserIdentity], _ identity: UserIdentity) -> Bool {
          identities.contains { $0.isSame(as: identity) }
        }
        let removed = (known?.requesters ?? []).filter { !has(wanted.requesters, $0) }
        let gone = requesters.filter { has(removed, UserIdentity($0.userIdentity)) }
        let blocked = gone.filter {
          has(wanted.blockedIdentities, UserIdentity($0.userIdentity))
        }
        let users = wanted.participants.map(\.userIdentity)
        let denied = gone.filter { requester in
          let identity = UserIdentity(requester.userIdentity)
          return !has(wanted.blockedIdentities, identity) && !has(users, identity)
        }
        if !blocked.isEmpty { blockRequesters(blocked) }
        if !denied.isEmpty { denyRequesters(denied) }
        let unblocked = (known?.blockedIdentities ?? []).filter {
          !has(wanted.blockedIdentities, $0)
        }
        let free = blockedIdentities.filter { has(unblocked, UserIdentity($0.userIdentity)) }
        if !free.isEmpty { unblockIdentities(free) }
      }
    }
  #endif

  extension ShareMetadata {
    /// Creates metadata from that of CloudKit, such as the system gives an app when the user opens a
    /// link.
    ///
    /// - Parameters:
    ///   - metadata: The metadata.
    ///   - files: The folder that the files of the share's assets are copied to.
    /// - Throws: `CloudError` with `invalidArguments` for a value of the share without a counterpart.
    public init(
      _ metadata: CKShare.Metadata, keepingFilesIn files: AssetFiles = AssetFiles()
    ) throws {
      self.init(
        containerIdentifier: metadata.containerIdentifier,
        share: try ResultRecord(metadata.share, keepingFilesIn: files),
        hierarchicalRootRecordID: metadata.hierarchicalRootRecordID.map { RecordID($0) },
        ownerIdentity: UserIdentity(metadata.ownerIdentity),
        participantRole: .init(metadata.participantRole),
        participantStatus: .init(metadata.participantStatus),
        participantPermission: .init(metadata.participantPermission))
    }
  }

  extension ShareParticipant {
    /// Creates a participant from one of CloudKit.
    public init(_ participant: CKShare.Participant) {
      self.init(
        participantID: participant.participantID, role: Role(participant.role),
        permission: Permission(participant.permission),
        acceptanceStatus: AcceptanceStatus(participant.acceptanceStatus),
        userIdentity: UserIdentity(participant.userIdentity))
      #if compiler(>=6.2)
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          isApprovedRequester = participant.isApprovedRequester
          dateAddedToShare = participant.dateAddedToShare
        }
      #endif
    }
  }

  extension ShareParticipant.Role {
    /// Creates a role from one of CloudKit; unknown for one that this version does not know.
    public init(_ role: CKShare.ParticipantRole) {
      switch role {
      case .owner: self = .owner
      case .privateUser: self = .privateUser
      case .publicUser: self = .publicUser
      case _ where role.rawValue == CKShare.ParticipantRole.administratorNumber:
        self = .administrator
      default: self = .unknown
      }
    }
  }

  extension CKShare.ParticipantRole {
    /// The number of `administrator`, which the SDKs before that of iOS 26 do not declare.
    fileprivate static let administratorNumber = 2

    /// Creates a role from one of RecordPack; nil for one that the framework does not have.
    init?(_ role: ShareParticipant.Role) {
      switch role {
      case .owner: self = .owner
      case .privateUser: self = .privateUser
      case .publicUser: self = .publicUser
      case .administrator:
        // Older systems have participants with this role as `privateUser`.
        guard #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return nil }
        self.init(rawValue: Self.administratorNumber)
      case .unknown: return nil
      }
    }
  }

  extension ShareParticipant.Permission {
    /// Creates a permission from one of CloudKit; unknown for one that this version does not know.
    public init(_ permission: CKShare.ParticipantPermission) {
      switch permission {
      case .none: self = .none
      case .readOnly: self = .readOnly
      case .readWrite: self = .readWrite
      default: self = .unknown
      }
    }
  }

  extension CKShare.ParticipantPermission {
    /// Creates a permission from one of RecordPack.
    public init(_ permission: ShareParticipant.Permission) {
      switch permission {
      case .none: self = .none
      case .readOnly: self = .readOnly
      case .readWrite: self = .readWrite
      case .unknown: self = .unknown
      }
    }
  }

  extension ShareParticipant.AcceptanceStatus {
    /// Creates a status from one of CloudKit; unknown for one that this version does not know.
    public init(_ status: CKShare.ParticipantAcceptanceStatus) {
      switch status {
      case .pending: self = .pending
      case .accepted: self = .accepted
      case .removed: self = .removed
      default: self = .unknown
      }
    }
  }

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

  /// One of the three criteria by which CloudKit looks up a user.
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
