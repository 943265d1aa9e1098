import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckfetchshareparticipantsoperation
open class CKFetchShareParticipantsOperation: CKOperation, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckfetchshareparticipantsoperation/useridentitylookupinfos
  open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo]?
  /// https://developer.apple.com/documentation/cloudkit/ckfetchshareparticipantsoperation/shareparticipantfetchedblock
  @available(*, deprecated, message: "Use perShareParticipantResultBlock instead")
  open var shareParticipantFetchedBlock: ((CKShare.Participant) -> Void)? {
    get { oldItemBlock }
    set { oldItemBlock = newValue }
  }
  /// https://developer.apple.com/documentation/cloudkit/ckfetchshareparticipantsoperation/pershareparticipantresultblock
  public var perShareParticipantResultBlock:
    ((CKUserIdentity.LookupInfo, Result<CKShare.Participant, any Error>) -> Void)?
  /// https://developer.apple.com/documentation/cloudkit/ckfetchshareparticipantsoperation/fetchshareparticipantscompletionblock
  @available(*, deprecated, message: "Use fetchShareParticipantsResultBlock instead")
  open var fetchShareParticipantsCompletionBlock: (((any Error)?) -> Void)? {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  /// https://developer.apple.com/documentation/cloudkit/ckfetchshareparticipantsoperation/fetchshareparticipantsresultblock
  public var fetchShareParticipantsResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldItemBlock: ((CKShare.Participant) -> Void)?
  private var oldEndBlock: (((any Error)?) -> Void)?

  /// https://developer.apple.com/documentation/cloudkit/ckfetchshareparticipantsoperation/init(useridentitylookupinfos:)
  public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
    self.init()
    self.userIdentityLookupInfos = userIdentityLookupInfos
  }

  override func perform() async throws {
    let infos = userIdentityLookupInfos ?? []
    let fetched = OperationResults(infos, try await requestedContainer.participants(for: infos))
    try checkCancellation()
    await call { [self] in
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

  override func end(_ error: any Error) async {
    await call { [self] in
      oldEndBlock?(error)
      fetchShareParticipantsResultBlock?(.failure(error))
    }
  }
}

// The mock does not know which users let others discover them: it finds all users of the container.
/// https://developer.apple.com/documentation/cloudkit/ckdiscoveruseridentitiesoperation
open class CKDiscoverUserIdentitiesOperation: CKOperation, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckdiscoveruseridentitiesoperation/useridentitylookupinfos
  open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo] = []
  /// https://developer.apple.com/documentation/cloudkit/ckdiscoveruseridentitiesoperation/useridentitydiscoveredblock
  open var userIdentityDiscoveredBlock: ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
  /// https://developer.apple.com/documentation/cloudkit/ckdiscoveruseridentitiesoperation/discoveruseridentitiescompletionblock
  open var discoverUserIdentitiesCompletionBlock: (((any Error)?) -> Void)?
  /// https://developer.apple.com/documentation/cloudkit/ckdiscoveruseridentitiesoperation/discoveruseridentitiesresultblock
  public var discoverUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)?

  /// https://developer.apple.com/documentation/cloudkit/ckdiscoveruseridentitiesoperation/init(useridentitylookupinfos:)
  public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
    self.init()
    self.userIdentityLookupInfos = userIdentityLookupInfos
  }

  override func perform() async throws {
    let infos = userIdentityLookupInfos
    let fetched = OperationResults(infos, try await requestedContainer.participants(for: infos))
    try checkCancellation()
    await call { [self] in
      // A user who is not found is not an error.
      for (info, participant) in fetched.successes {
        userIdentityDiscoveredBlock?(participant.userIdentity, info)
      }
      discoverUserIdentitiesCompletionBlock?(nil)
      discoverUserIdentitiesResultBlock?(.success(()))
    }
  }

  override func end(_ error: any Error) async {
    await call { [self] in
      discoverUserIdentitiesCompletionBlock?(error)
      discoverUserIdentitiesResultBlock?(.failure(error))
    }
  }
}
