/// Who a user is, as far as the app may know (`CKUserIdentity`).
public struct UserIdentity: Sendable, Hashable {
  /// How a user was looked up (`CKUserIdentity.LookupInfo`).
  public struct LookupInfo: Sendable, Hashable {
    /// An e-mail address.
    @ExactText public var emailAddress: String?
    /// A telephone number.
    @ExactText public var phoneNumber: String?
    /// The record name of the user.
    @ExactText public var userRecordName: String?
    /// What a server sent that this model does not know.
    public var otherMembers: OtherMembers

    /// Makes a lookup.
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

  /// The parts of a person's name (`PersonNameComponents`).
  public struct NameComponents: Sendable, Hashable {
    /// A title before the name.
    @ExactText public var namePrefix: String?
    /// The first name.
    @ExactText public var givenName: String?
    /// The middle name.
    @ExactText public var middleName: String?
    /// The last name.
    @ExactText public var familyName: String?
    /// What follows the name.
    @ExactText public var nameSuffix: String?
    /// What friends say.
    @ExactText public var nickname: String?
    /// What a server sent that this model does not know.
    public var otherMembers: OtherMembers

    /// Makes a name.
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

  /// The record name of the user, the same in every database of the container.
  @ExactText public var userRecordName: String?
  /// The user's name.
  public var nameComponents: NameComponents?
  /// How the user was looked up.
  public var lookupInfo: LookupInfo?
  /// What a server sent that this model does not know.
  public var otherMembers: OtherMembers

  /// Makes an identity.
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
