import Foundation

// The calls with a completion handler. Each one makes the request of its async form.

extension CKContainer {
  // MARK: The account

  @preconcurrency
  public func accountStatus(
    completionHandler: @escaping @Sendable (CKAccountStatus, (any Error)?) -> Void
  ) {
    reply({ completionHandler($0 ?? .couldNotDetermine, $1) }) { try await self.accountStatus() }
  }

  @preconcurrency
  public func fetchUserRecordID(
    completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.userRecordID() }
  }

  // MARK: One participant, link or share

  @preconcurrency
  public func fetchShareParticipant(
    withEmailAddress emailAddress: String,
    completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.shareParticipant(forEmailAddress: emailAddress) }
  }

  @preconcurrency
  public func fetchShareParticipant(
    withPhoneNumber phoneNumber: String,
    completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.shareParticipant(forPhoneNumber: phoneNumber) }
  }

  @preconcurrency
  public func fetchShareParticipant(
    withUserRecordID userRecordID: CKRecord.ID,
    completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.shareParticipant(forUserRecordID: userRecordID) }
  }

  @preconcurrency
  public func fetchShareMetadata(
    with url: URL,
    completionHandler: @escaping @Sendable (CKShare.Metadata?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.shareMetadata(for: url) }
  }

  @preconcurrency
  public func accept(
    _ metadata: CKShare.Metadata,
    completionHandler: @escaping @Sendable (CKShare?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.accept(metadata) }
  }

  // MARK: Results of several items

  @preconcurrency
  public func fetchShareParticipants(
    forEmailAddresses emails: [String],
    completionHandler:
      @escaping @Sendable (
        Result<[String: Result<CKShare.Participant, any Error>], any Error>
      ) -> Void
  ) {
    reply(completionHandler) { try await self.shareParticipants(forEmailAddresses: emails) }
  }

  @preconcurrency
  public func fetchShareParticipants(
    forPhoneNumbers phoneNumbers: [String],
    completionHandler:
      @escaping @Sendable (
        Result<[String: Result<CKShare.Participant, any Error>], any Error>
      ) -> Void
  ) {
    reply(completionHandler) { try await self.shareParticipants(forPhoneNumbers: phoneNumbers) }
  }

  @preconcurrency
  public func fetchShareParticipants(
    forUserRecordIDs userRecordIDs: [CKRecord.ID],
    completionHandler:
      @escaping @Sendable (
        Result<[CKRecord.ID: Result<CKShare.Participant, any Error>], any Error>
      ) -> Void
  ) {
    reply(completionHandler) { try await self.shareParticipants(forUserRecordIDs: userRecordIDs) }
  }

  @preconcurrency
  public func fetchShareMetadatas(
    for urls: [URL],
    completionHandler:
      @escaping @Sendable (
        Result<[URL: Result<CKShare.Metadata, any Error>], any Error>
      ) -> Void
  ) {
    reply(completionHandler) { try await self.shareMetadatas(for: urls) }
  }

  @preconcurrency
  public func accept(
    _ metadatas: [CKShare.Metadata],
    completionHandler:
      @escaping @Sendable (
        Result<[CKShare.Metadata: Result<CKShare, any Error>], any Error>
      ) -> Void
  ) {
    reply(completionHandler) { try await self.accept(metadatas) }
  }

  // MARK: User identities

  @preconcurrency
  public func discoverUserIdentity(
    withEmailAddress email: String,
    completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
  ) {
    reply(completionHandler) {
      try await self.knownIdentity(.init(emailAddress: email))
    }
  }

  @preconcurrency
  public func discoverUserIdentity(
    withPhoneNumber phoneNumber: String,
    completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
  ) {
    reply(completionHandler) {
      try await self.knownIdentity(.init(phoneNumber: phoneNumber))
    }
  }

  @preconcurrency
  public func discoverUserIdentity(
    withUserRecordID userRecordID: CKRecord.ID,
    completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
  ) {
    reply(completionHandler) {
      try await self.knownIdentity(.init(userRecordID: userRecordID))
    }
  }

  @preconcurrency
  public func discoverUserIdentities(
    forEmailAddresses emails: [String],
    completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
  ) {
    reply(completionHandler) { try await self.userIdentities(forEmailAddresses: emails) }
  }

  @preconcurrency
  public func discoverUserIdentities(
    forPhoneNumbers phoneNumbers: [String],
    completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
  ) {
    reply(completionHandler) { try await self.userIdentities(forPhoneNumbers: phoneNumbers) }
  }

  @preconcurrency
  public func discoverUserIdentities(
    forUserRecordIDs userRecordIDs: [CKRecord.ID],
    completionHandler:
      @escaping @Sendable (
        Result<[CKRecord.ID: CKUserIdentity], any Error>
      ) -> Void
  ) {
    reply(completionHandler) { try await self.userIdentities(forUserRecordIDs: userRecordIDs) }
  }

  private func knownIdentity(_ info: CKUserIdentity.LookupInfo) async throws -> CKUserIdentity {
    try await participants(for: [info]).onlyResult().userIdentity
  }
}

extension CKContainer {
  public func userIdentity(forEmailAddress email: String) async throws -> CKUserIdentity? {
    try await identities(for: [.init(emailAddress: email)]).values.first
  }

  public func userIdentity(forPhoneNumber phoneNumber: String) async throws -> CKUserIdentity? {
    try await identities(for: [.init(phoneNumber: phoneNumber)]).values.first
  }

  public func userIdentity(
    forUserRecordID userRecordID: CKRecord.ID
  ) async throws -> CKUserIdentity? {
    try await identities(for: [.init(userRecordID: userRecordID)]).values.first
  }

  public func userIdentities(
    forEmailAddresses emails: [String]
  ) async throws -> [String: CKUserIdentity] {
    try await identities(for: emails.map { .init(emailAddress: $0) }).byKey(\.emailAddress)
  }

  public func userIdentities(
    forPhoneNumbers phoneNumbers: [String]
  ) async throws -> [String: CKUserIdentity] {
    try await identities(for: phoneNumbers.map { .init(phoneNumber: $0) }).byKey(\.phoneNumber)
  }

  public func userIdentities(
    forUserRecordIDs userRecordIDs: [CKRecord.ID]
  ) async throws -> [CKRecord.ID: CKUserIdentity] {
    try await identities(for: userRecordIDs.map { .init(userRecordID: $0) }).byKey(\.userRecordID)
  }

  /// The users of the container who are found.
  private func identities(
    for infos: [CKUserIdentity.LookupInfo]
  ) async throws -> [CKUserIdentity.LookupInfo: CKUserIdentity] {
    try await participants(for: infos).compactMapValues { $0.successValue?.userIdentity }
  }
}

extension [CKUserIdentity.LookupInfo: CKUserIdentity] {
  fileprivate func byKey<Name: Hashable>(
    _ name: (CKUserIdentity.LookupInfo) -> Name?
  ) -> [Name: CKUserIdentity] {
    var result: [Name: CKUserIdentity] = [:]
    for (info, identity) in self {
      if let key = name(info) { result[key] = identity }
    }
    return result
  }
}
