import CloudInterface
import Foundation
import MockCloud
import RecordModel

/// A container whose account cannot be asked.
struct FailingContainer: CloudContainer {
  let error: CloudError
  let inner: MockContainer

  init(error: CloudError) throws {
    self.error = error
    inner = try MockContainer.inMemory()
  }

  var containerIdentifier: String? { nil }
  func database(with scope: DatabaseScope) -> MockDatabase { inner.database(with: scope) }
  func accountStatus() async throws -> AccountStatus { throw error }
  func userRecordID() async throws -> RecordID { throw error }
  func accountChanges() -> AsyncStream<AccountStatus> { inner.accountChanges() }

  func shareParticipants(
    for lookupInfos: [UserIdentity.LookupInfo]
  ) async throws -> [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>] { throw error }

  func shareMetadatas(
    for urls: [URL]
  ) async throws -> [URL: Result<ShareMetadata, any Error>] { throw error }

  func accept(
    _ metadatas: [ShareMetadata]
  ) async throws -> [ShareMetadata: Result<ResultRecord, any Error>] { throw error }

  func requestShareAccess(
    for urls: [URL]
  ) async throws -> [URL: Result<Void, any Error>] { throw error }
}
