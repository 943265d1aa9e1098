import Foundation

open class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
  open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]?
  @available(*, deprecated, message: "Use perShareParticipantResultBlock instead")
  open var shareParticipantFetchedBlock: ((CKShare.Participant) -> Void)? {
    get { oldItemBlock }
    set { oldItemBlock = newValue }
  }
  public var perShareParticipantResultBlock:
    ((CKUserIdentity.LookupInfo, Result<CKShare.Participant, any Error>) -> Void)?
  @available(*, deprecated, message: "Use fetchShareParticipantsResultBlock instead")
  open var fetchShareParticipantsCompletionBlock: (((any Error)?) -> Void)? {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var fetchShareParticipantsResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldItemBlock: ((CKShare.Participant) -> Void)?
  private var oldEndBlock: (((any Error)?) -> Void)?

  public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
    self.init()
    self.userIdentityLookupInfos = userIdentityLookupInfos
  }

  override func perform() async throws {
    let infos = userIdentityLookupInfos ?? []
    let fetched = OperationResults(infos, try await requestedContainer.participants(for: infos))
    try await reply { [self] in
      for (info, result) in fetched.results {
        if let perShareParticipantResultBlock {
          perShareParticipantResultBlock(info, result)
        } else if let participant = result.successValue {
          oldItemBlock?(participant)
        }
      }
      oldEndBlock?(PartialFailure(fetched).error)
      fetchShareParticipantsResultBlock?(.success(()))
    }
  }

  override func end(_ error: any Error) {
    oldEndBlock?(error)
    fetchShareParticipantsResultBlock?(.failure(error))
  }
}

// The mock does not know which users let others discover them: it finds all users of the container.
open class CKDiscoverUserIdentitiesOperation: CKOperation, @unchecked Sendable {
  open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo] = []
  open var userIdentityDiscoveredBlock: ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
  open var discoverUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?
  public var discoverUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)?

  public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
    self.init()
    self.userIdentityLookupInfos = userIdentityLookupInfos
  }

  override func perform() async throws {
    let infos = userIdentityLookupInfos
    let fetched = OperationResults(infos, try await requestedContainer.participants(for: infos))
    try await reply { [self] in
      // A user who is not found is not an error.
      for (info, participant) in fetched.successes {
        userIdentityDiscoveredBlock?(participant.userIdentity, info)
      }
      discoverUserIdentitiesCompletionBlock?(nil)
      discoverUserIdentitiesResultBlock?(.success(()))
    }
  }

  override func end(_ error: any Error) {
    discoverUserIdentitiesCompletionBlock?(error)
    discoverUserIdentitiesResultBlock?(.failure(error))
  }
}
