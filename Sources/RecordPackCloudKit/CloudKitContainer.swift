#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import Foundation
  import RecordCoding
  import RecordModel

  /// A container of CloudKit (`CKContainer`), for code that takes a `CloudContainer`.
  ///
  /// ```swift
  /// let container = CloudKitContainer(CKContainer.default())
  /// let store = NoteStore(container: container)
  /// ```
  ///
  /// Errors of CloudKit are thrown as `CloudError`.
  public struct CloudKitContainer: CloudContainer {
    /// The container of CloudKit.
    public let container: CKContainer
    /// Where the files of fetched assets are kept.
    public let assetFiles: AssetFiles

    /// Creates a container.
    ///
    /// - Parameters:
    ///   - container: The container of CloudKit.
    ///   - assetFiles: The folder that the files of fetched assets are copied to. The app removes
    ///     the files that it no longer needs.
    public init(_ container: CKContainer, assetFiles: AssetFiles = AssetFiles()) {
      self.container = container
      self.assetFiles = assetFiles
    }

    /// The identifier, such as `iCloud.com.example.app`.
    public var containerIdentifier: String? { container.containerIdentifier }

    /// Returns the database with a scope.
    public func database(with databaseScope: DatabaseScope) -> CloudKitDatabase {
      CloudKitDatabase(
        container.database(with: CKDatabase.Scope(databaseScope)), scope: databaseScope, of: self)
    }

    /// Returns whether the app can use the user's account.
    public func accountStatus() async throws -> AccountStatus {
      AccountStatus(try await callingCloudKit { try await container.accountStatus() })
    }

    /// Returns the identifier of the signed-in user's record.
    public func userRecordID() async throws -> RecordID {
      RecordID(try await callingCloudKit { try await container.userRecordID() })
    }

    /// Returns the record that CloudKit has fetched or saved, or its error.
    ///
    /// - Parameter clientRecord: The draft that was saved.
    func result(
      _ result: Result<CKRecord, any Error>, clientRecord: DraftRecord? = nil
    ) -> Result<ResultRecord, any Error> {
      Result {
        do {
          return try ResultRecord(try result.get(), keepingFilesIn: assetFiles)
        } catch {
          throw CloudError.converting(
            error, clientRecord: clientRecord, keepingFilesIn: assetFiles)
        }
      }
    }

    /// Returns the status of the account each time that CloudKit posts `CKAccountChanged`.
    public func accountChanges() -> AsyncStream<AccountStatus> {
      AsyncStream { continuation in
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        let observer = AccountObserver { change.yield() }
        // One after the other: the last status must be that of the last change.
        let reader = Task {
          for await _ in changes {
            let status = try? await accountStatus()
            continuation.yield(status ?? .couldNotDetermine)
          }
        }
        continuation.onTermination = { _ in
          observer.stop()
          reader.cancel()
        }
      }
    }

    /// Finds users to invite to a share, in one request for each kind of criterion.
    ///
    /// - Parameter lookupInfos: The e-mail address, else the telephone number, else the record name of
    ///   each user.
    public func shareParticipants(
      for lookupInfos: [UserIdentity.LookupInfo]
    ) async throws -> [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>] {
      try await ckParticipants(for: lookupInfos).mapValues { result in
        result.map { ShareParticipant($0) }
      }
    }

    /// Fetches participants as CloudKit's shares take them.
    func ckParticipants(
      for lookupInfos: [UserIdentity.LookupInfo]
    ) async throws -> [UserIdentity.LookupInfo: Result<CKShare.Participant, any Error>] {
      let criteria = Dictionary(
        lookupInfos.map { ($0, LookupCriterion($0)) }, uniquingKeysWith: { first, _ in first })
      let (emails, phones, users) = (
        Array(Set(criteria.values.compactMap(\.?.emailAddress))),
        Array(Set(criteria.values.compactMap(\.?.phoneNumber))),
        Array(Set(criteria.values.compactMap(\.?.userRecordID)))
      )
      return try await callingCloudKit {
        let byEmail =
          emails.isEmpty ? [:] : try await container.shareParticipants(forEmailAddresses: emails)
        let byPhone =
          phones.isEmpty ? [:] : try await container.shareParticipants(forPhoneNumbers: phones)
        let byUser =
          users.isEmpty ? [:] : try await container.shareParticipants(forUserRecordIDs: users)
        return criteria.mapValues { criterion in
          let found: Result<CKShare.Participant, any Error>? =
            switch criterion {
            case .emailAddress(let address): byEmail[address]
            case .phoneNumber(let number): byPhone[number]
            case .userRecordID(let id): byUser[id]
            case nil: nil
            }
          return (found ?? .failure(CloudError(.unknownItem, "no such user")))
            .mapError { CloudError.converting($0) }
        }
      }
    }

    /// Fetches the metadata of the shares behind links.
    public func shareMetadatas(
      for urls: [URL]
    ) async throws -> [URL: Result<ShareMetadata, any Error>] {
      var results: [URL: Result<ShareMetadata, any Error>] = [:]
      for (url, result) in try await ckMetadatas(for: urls) {
        results[url] = Result {
          var metadata = try ShareMetadata(result.get(), keepingFilesIn: assetFiles)
          if metadata.share.shareInfo?.url != url { metadata.oneTimeURL = url }
          return metadata
        }
      }
      return results
    }

    /// Accepts shares, whose metadata is fetched again by the shares' links.
    ///
    /// An app that has CloudKit's own metadata, from the system, can accept it by
    /// ``container`` without another request.
    public func accept(
      _ metadatas: [ShareMetadata]
    ) async throws -> [ShareMetadata: Result<ResultRecord, any Error>] {
      var results: [ShareMetadata: Result<ResultRecord, any Error>] = [:]
      var links: [ShareMetadata: URL] = [:]
      for metadata in metadatas {
        links[metadata] = metadata.oneTimeURL ?? metadata.share.shareInfo?.url
        if links[metadata] == nil {
          results[metadata] = .failure(
            CloudError(.invalidArguments, "the metadata's share has no link"))
        }
      }
      let found = try await ckMetadatas(for: Array(Set(links.values)))
      let known = found.values.compactMap { try? $0.get() }
      let accepted = try await callingCloudKit {
        known.isEmpty ? [:] : try await container.accept(known)
      }
      for (metadata, link) in links {
        results[metadata] = Result {
          guard let ckMetadata = try found[link]?.get(), let result = accepted[ckMetadata] else {
            throw CloudError(.unknownItem, "no share has this link")
          }
          return try self.result(result.map { $0 as CKRecord }).get()
        }
      }
      return results
    }

    /// Asks the owners of shares for access.
    ///
    /// - Throws: `CloudError`: `incompatibleVersion` before the systems of iOS 26.
    public func requestShareAccess(
      for urls: [URL]
    ) async throws -> [URL: Result<Void, any Error>] {
      #if compiler(>=6.2)
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          guard !urls.isEmpty else { return [:] }
          return try await callingCloudKit { try await container.requestShareAccess(for: urls) }
            .mapValues { result in result.mapError { CloudError.converting($0) } }
        }
      #endif
      throw CloudError(.incompatibleVersion, "requests for access need iOS 26 or a later system")
    }

    private func ckMetadatas(
      for urls: [URL]
    ) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
      guard !urls.isEmpty else { return [:] }
      return try await callingCloudKit { try await container.shareMetadatas(for: urls) }
        .mapValues { result in result.mapError { CloudError.converting($0) } }
    }
  }

  /// Runs a call of CloudKit, and converts its error.
  func callingCloudKit<Value>(
    isolation: isolated (any Actor)? = #isolation, _ call: () async throws -> sending Value
  ) async throws -> sending Value {
    do {
      return try await call()
    } catch {
      throw CloudError.converting(error)
    }
  }

  /// Runs an action each time that the account changes, until it is stopped.
  final class AccountObserver: @unchecked Sendable {
    // The observer is an opaque object that is only given back; it never changes.
    private let observer: any NSObjectProtocol

    /// - Parameter action: Runs for each change, where CloudKit posts it.
    init(_ action: @escaping @Sendable () -> Void) {
      observer = NotificationCenter.default.addObserver(
        forName: .CKAccountChanged, object: nil, queue: nil
      ) { _ in action() }
    }

    func stop() { NotificationCenter.default.removeObserver(observer) }
  }

  extension AccountStatus {
    /// Creates a status from one of CloudKit.
    public init(_ status: CKAccountStatus) {
      self = AccountStatus(rawValue: status.rawValue) ?? .couldNotDetermine
    }
  }
#endif
