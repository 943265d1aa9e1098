import Foundation

open class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
  open var shareURLs: [URL]?
  open var shouldFetchRootRecord = false
  public var rootRecordDesiredKeys: [CKRecord.FieldKey]?
  @available(*, deprecated, message: "Use perShareMetadataResultBlock instead")
  open var perShareMetadataBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)? {
    get { oldItemBlock }
    set { oldItemBlock = newValue }
  }
  public var perShareMetadataResultBlock: ((URL, Result<CKShare.Metadata, any Error>) -> Void)?
  @available(*, deprecated, message: "Use fetchShareMetadataResultBlock instead")
  open var fetchShareMetadataCompletionBlock: (((any Error)?) -> Void)? {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var fetchShareMetadataResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldItemBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)?
  private var oldEndBlock: (((any Error)?) -> Void)?

  public convenience init(shareURLs: [URL]) {
    self.init()
    self.shareURLs = shareURLs
  }

  override func perform() async throws {
    let urls = shareURLs ?? []
    let answer = try await requestedContainer.shareMetadatas(
      for: urls, fetchingRootRecord: shouldFetchRootRecord, desiredKeys: rootRecordDesiredKeys)
    let fetched = OperationResults(urls, answer)
    try await reply { [self] in
      for (url, result) in fetched.results {
        if let perShareMetadataResultBlock {
          perShareMetadataResultBlock(url, result)
        } else {
          oldItemBlock?(url, result.successValue, result.failureValue)
        }
      }
      oldEndBlock?(PartialFailure(fetched).error)
      fetchShareMetadataResultBlock?(.success(()))
    }
  }

  override func end(_ error: any Error) {
    oldEndBlock?(error)
    fetchShareMetadataResultBlock?(.failure(error))
  }
}

open class CKAcceptSharesOperation: CKOperation, @unchecked Sendable {
  open var shareMetadatas: [CKShare.Metadata]?
  @available(*, deprecated, message: "Use perShareResultBlock instead")
  open var perShareCompletionBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)? {
    get { oldItemBlock }
    set { oldItemBlock = newValue }
  }
  public var perShareResultBlock: ((CKShare.Metadata, Result<CKShare, any Error>) -> Void)?
  @available(*, deprecated, message: "Use acceptSharesResultBlock instead")
  open var acceptSharesCompletionBlock: (((any Error)?) -> Void)? {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var acceptSharesResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldItemBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
  private var oldEndBlock: (((any Error)?) -> Void)?

  public convenience init(shareMetadatas: [CKShare.Metadata]) {
    self.init()
    self.shareMetadatas = shareMetadatas
  }

  override func perform() async throws {
    let metadatas = shareMetadatas ?? []
    let answer = try await requestedContainer.accept(metadatas)
    let accepted = OperationResults(metadatas, answer)
    try await reply { [self] in
      for (metadata, result) in accepted.results {
        if let perShareResultBlock {
          perShareResultBlock(metadata, result)
        } else {
          oldItemBlock?(metadata, result.successValue, result.failureValue)
        }
      }
      oldEndBlock?(PartialFailure(accepted).error)
      acceptSharesResultBlock?(.success(()))
    }
  }

  override func end(_ error: any Error) {
    oldEndBlock?(error)
    acceptSharesResultBlock?(.failure(error))
  }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
open class CKShareRequestAccessOperation: CKOperation, @unchecked Sendable {
  open var shareURLs: [URL]?
  public var perShareAccessRequestResultBlock: ((URL, Result<Void, any Error>) -> Void)?
  public var shareRequestAccessResultBlock: ((Result<Void, any Error>) -> Void)?

  public convenience init(shareURLs: [URL]) {
    self.init()
    self.shareURLs = shareURLs
  }

  override func perform() async throws {
    let urls = shareURLs ?? []
    let answer = try await requestedContainer.requestShareAccess(for: urls)
    let requested = OperationResults(urls, answer)
    try await reply { [self] in
      for (url, result) in requested.results { perShareAccessRequestResultBlock?(url, result) }
      shareRequestAccessResultBlock?(.success(()))
    }
  }

  override func end(_ error: any Error) { shareRequestAccessResultBlock?(.failure(error)) }
}
