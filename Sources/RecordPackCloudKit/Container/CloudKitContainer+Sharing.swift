#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import Foundation
  import RecordCoding
  import RecordModel

  extension CloudKitContainer {
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

    /// Fetches what the user may know about the shares behind links.
    public func shareMetadatas(
      for urls: [URL]
    ) async throws -> [URL: Result<ShareMetadata, any Error>] {
      try await ckMetadatas(for: urls).mapValues { result in
        result.flatMap { metadata in
          Result { try ShareMetadata(metadata, keepingFilesIn: assetFiles) }
        }
      }
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
        links[metadata] = metadata.share.shareInfo?.url.flatMap { URL(string: $0) }
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

    private func ckMetadatas(
      for urls: [URL]
    ) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
      guard !urls.isEmpty else { return [:] }
      return try await callingCloudKit { try await container.shareMetadatas(for: urls) }
        .mapValues { result in result.mapError { CloudError.converting($0) } }
    }
  }
#endif
