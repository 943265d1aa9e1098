import RecordModel

import struct Foundation.URL

extension CloudContainer {
  /// Finds a user to invite to a share.
  ///
  /// - Throws: `CloudError`: `unknownItem`.
  public func shareParticipant(
    forUserRecordID userRecordID: RecordID
  ) async throws -> ShareParticipant {
    try await shareParticipant(for: .init(userRecordName: userRecordID.recordName))
  }

  /// Finds a user to invite to a share.
  ///
  /// - Throws: `CloudError`: `unknownItem`.
  public func shareParticipant(
    forEmailAddress emailAddress: String
  ) async throws -> ShareParticipant {
    try await shareParticipant(for: .init(emailAddress: emailAddress))
  }

  /// Finds a user to invite to a share.
  ///
  /// - Throws: `CloudError`: `unknownItem`.
  public func shareParticipant(
    forPhoneNumber phoneNumber: String
  ) async throws -> ShareParticipant {
    try await shareParticipant(for: .init(phoneNumber: phoneNumber))
  }

  private func shareParticipant(
    for lookupInfo: UserIdentity.LookupInfo
  ) async throws -> ShareParticipant {
    try await shareParticipants(for: [lookupInfo]).result(for: lookupInfo)
  }

  /// Fetches what the user may know about the share behind a link.
  ///
  /// - Throws: `CloudError`: `unknownItem` if there is no such share,
  ///   `participantMayNeedVerification` if the user is not invited.
  public func shareMetadata(for url: URL) async throws -> ShareMetadata {
    try await shareMetadatas(for: [url]).result(for: url)
  }

  /// Accepts a share: its records are in the user's shared database from then on.
  ///
  /// - Returns: the share.
  @discardableResult
  public func accept(_ metadata: ShareMetadata) async throws -> ResultRecord {
    try await accept([metadata]).result(for: metadata)
  }
}
