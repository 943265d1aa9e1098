import CloudInterface
import RecordModel

import struct Foundation.URL

/// A container whose calls, and those of its databases, all go through one function.
///
/// ```swift
/// struct LoggingContainer<Base: CloudContainer>: CallHandlingContainer {
///   let base: Base
///   var containerIdentifier: String? { base.containerIdentifier }
///   func accountChanges() -> AsyncStream<AccountStatus> { base.accountChanges() }
///
///   func handle(_ call: CloudCall) async throws -> CloudResponse {
///     print(call)
///     return try await base.send(call)
///   }
/// }
/// ```
public protocol CallHandlingContainer: CloudContainer
where Database == CallHandlingDatabase<Self> {
  /// Answers a call.
  ///
  /// - Returns: a response to the call's operation (``CloudResponse/operations``).
  func handle(_ call: CloudCall) async throws -> CloudResponse

  /// Returns a file with the content of an asset of a fetched record. It is no call: by default, it is
  /// the file of the asset's `content`.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if there is none.
  func fileURL(for asset: Asset, in databaseScope: DatabaseScope) async throws -> URL
}

extension CallHandlingContainer {
  /// Returns the database with a scope.
  public func database(with databaseScope: DatabaseScope) -> CallHandlingDatabase<Self> {
    CallHandlingDatabase(container: self, databaseScope: databaseScope)
  }

  /// Returns the file of the asset's content.
  public func fileURL(for asset: Asset, in databaseScope: DatabaseScope) async throws -> URL {
    try asset.contentFile
  }

  /// Returns whether the app can use the user's account.
  public func accountStatus() async throws -> AccountStatus {
    try await answer(CloudCall(.accountStatus)) {
      if case .accountStatus(let status) = $0 { status } else { nil }
    }
  }

  /// Returns the identifier of the signed-in user's record.
  public func userRecordID() async throws -> RecordID {
    try await answer(CloudCall(.userRecordID)) {
      if case .userRecordID(let recordID) = $0 { recordID } else { nil }
    }
  }

  // MARK: Sharing

  /// Finds users to invite to a share; see `CloudContainer`.
  public func shareParticipants(
    for lookupInfos: [UserIdentity.LookupInfo]
  ) async throws -> [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>] {
    try await answer(CloudCall(.shareParticipants(lookupInfos: lookupInfos))) {
      if case .shareParticipants(let results) = $0 { results } else { nil }
    }
  }

  /// Fetches what the user may know about the shares behind links; see `CloudContainer`.
  public func shareMetadatas(
    for urls: [URL]
  ) async throws -> [URL: Result<ShareMetadata, any Error>] {
    try await answer(CloudCall(.shareMetadatas(urls: urls))) {
      if case .shareMetadatas(let results) = $0 { results } else { nil }
    }
  }

  /// Accepts shares; see `CloudContainer`.
  public func accept(
    _ metadatas: [ShareMetadata]
  ) async throws -> [ShareMetadata: Result<ResultRecord, any Error>] {
    try await answer(CloudCall(.accept(metadatas))) {
      if case .accept(let results) = $0 { results } else { nil }
    }
  }

  /// Makes a call, and takes what it returns out of the response.
  ///
  /// - Throws: what the call throws; `internalError` for a response to another operation.
  func answer<Answer>(
    _ call: CloudCall, _ take: (CloudResponse) -> Answer?
  ) async throws -> Answer {
    guard let answer = take(try await handle(call)) else {
      throw CloudError(
        .internalError, "the response is not one to \(call.operation.rawValue)")
    }
    return answer
  }
}
