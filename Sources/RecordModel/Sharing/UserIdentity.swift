/// The identity of a user, as far as the app may know it (`CKUserIdentity`).
public struct UserIdentity: Sendable, Hashable {
  /// The criteria for finding a user (`CKUserIdentity.LookupInfo`).
  public struct LookupInfo: Sendable, Hashable {
    /// An e-mail address.
    @ExactText public var emailAddress: String?
    /// A telephone number.
    @ExactText public var phoneNumber: String?
    /// The record name of the user.
    @ExactText public var userRecordName: String?
    /// The JSON members that this model has no property for.
    public var otherMembers: OtherMembers

    /// Creates criteria.
    public init(
      emailAddress: String? = nil, phoneNumber: String? = nil, userRecordName: String? = nil,
      otherMembers: OtherMembers = []
    ) {
      self.emailAddress = emailAddress
      self.phoneNumber = phoneNumber
      self.userRecordName = userRecordName
      self.otherMembers = otherMembers
    }
  }

  /// The components of a person's name (`PersonNameComponents`).
  public struct NameComponents: Sendable, Hashable {
    /// The title before the name.
    @ExactText public var namePrefix: String?
    /// The first name.
    @ExactText public var givenName: String?
    /// The middle name.
    @ExactText public var middleName: String?
    /// The last name.
    @ExactText public var familyName: String?
    /// The suffix after the name.
    @ExactText public var nameSuffix: String?
    /// The nickname.
    @ExactText public var nickname: String?
    /// The JSON members that this model has no property for.
    public var otherMembers: OtherMembers

    /// Creates a name.
    public init(
      namePrefix: String? = nil, givenName: String? = nil, middleName: String? = nil,
      familyName: String? = nil, nameSuffix: String? = nil, nickname: String? = nil,
      otherMembers: OtherMembers = []
    ) {
      self.namePrefix = namePrefix
      self.givenName = givenName
      self.middleName = middleName
      self.familyName = familyName
      self.nameSuffix = nameSuffix
      self.nickname = nickname
      self.otherMembers = otherMembers
    }
  }

  /// The record name of the user, the same in all databases of the container.
  @ExactText public var userRecordName: String?
  /// The user's name.
  public var nameComponents: NameComponents?
  /// The criteria by which the user was found.
  public var lookupInfo: LookupInfo?
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers

  /// Creates an identity.
  public init(
    userRecordName: String? = nil, nameComponents: NameComponents? = nil,
    lookupInfo: LookupInfo? = nil, otherMembers: OtherMembers = []
  ) {
    self.userRecordName = userRecordName
    self.nameComponents = nameComponents
    self.lookupInfo = lookupInfo
    self.otherMembers = otherMembers
  }
}
