import CloudInterface
import Foundation
import MockCloud
import RecordModel

extension CKContainer {
  private var reader: RecordReader { RecordReader(backing) }

  public func shareParticipants(
    forEmailAddresses emails: [String]
  ) async throws -> [String: Result<CKShare.Participant, any Error>] {
    try await participants(for: emails) { .init(emailAddress: $0) }
  }

  public func shareParticipants(
    forPhoneNumbers phoneNumbers: [String]
  ) async throws -> [String: Result<CKShare.Participant, any Error>] {
    try await participants(for: phoneNumbers) { .init(phoneNumber: $0) }
  }

  public func shareParticipants(
    forUserRecordIDs userRecordIDs: [CKRecord.ID]
  ) async throws -> [CKRecord.ID: Result<CKShare.Participant, any Error>] {
    try await participants(for: userRecordIDs) { .init(userRecordName: $0.recordName) }
  }

  private func participants<Key: Hashable>(
    for keys: [Key], _ lookupInfo: (Key) -> UserIdentity.LookupInfo
  ) async throws -> [Key: Result<CKShare.Participant, any Error>] {
    let infos = Dictionary(
      keys.map { ($0, lookupInfo($0)) }, uniquingKeysWith: { first, _ in first })
    let found = try await translatingErrors {
      try await backing.container.shareParticipants(for: Array(infos.values))
    }
    var results: [Key: Result<CKShare.Participant, any Error>] = [:]
    for (key, info) in infos {
      results[key] = found[info]?.map { CKShare.Participant($0) }.mapError(CKError.translating)
    }
    return results
  }

  /// Finds users by any of their names.
  func participants(
    for infos: [CKUserIdentity.LookupInfo]
  ) async throws -> [CKUserIdentity.LookupInfo: Result<CKShare.Participant, any Error>] {
    try await participants(for: infos) { info in
      UserIdentity.LookupInfo(
        emailAddress: info.emailAddress, phoneNumber: info.phoneNumber,
        userRecordName: info.userRecordID?.recordName)
    }
  }

  public func shareMetadatas(
    for urls: [URL]
  ) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
    try await shareMetadatas(for: urls, fetchingRootRecord: false, desiredKeys: nil)
  }

  /// - Parameters:
  ///   - fetchingRootRecord: Whether the metadata has the root record, if the user may read it.
  ///   - desiredKeys: The fields of the root record; nil for all.
  func shareMetadatas(
    for urls: [URL], fetchingRootRecord: Bool, desiredKeys: [CKRecord.FieldKey]?
  ) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
    let found = try await translatingErrors {
      try await backing.container.shareMetadatas(for: urls)
    }
    var results: [URL: Result<CKShare.Metadata, any Error>] = [:]
    for (url, result) in found {
      do {
        let metadata = try result.get()
        let root = fetchingRootRecord ? try await root(of: metadata, desiredKeys) : nil
        results[url] = .success(
          CKShare.Metadata(metadata, share: try await share(metadata.share), root: root))
      } catch {
        results[url] = .failure(CKError.translating(error))
      }
    }
    return results
  }

  /// The record that a share is about, which the user sees before accepting the share, too.
  ///
  /// A container around a mock container shows it only as a record of a database.
  private func root(
    of metadata: ShareMetadata, _ desiredKeys: [CKRecord.FieldKey]?
  ) async throws -> CKRecord? {
    let scope: DatabaseScope = metadata.participantRole == .owner ? .private : .shared
    let database = backing.database(with: scope)
    guard let mock = database as? MockDatabase else {
      guard let id = metadata.hierarchicalRootRecordID else { return nil }
      let found = try await database.records(for: [id], desiredKeys: desiredKeys)[id]
      guard let record = try? found?.get() else { return nil }
      return try await reader.record(record)
    }
    guard let record = try await mock.rootRecord(of: metadata) else { return nil }
    guard let desiredKeys else { return try await reader.record(record) }
    return try await reader.record(
      ResultRecord(
        systemFields: record.systemFields,
        fields: record.fields.filter { desiredKeys.contains($0.name) }))
  }

  public func accept(
    _ metadatas: [CKShare.Metadata]
  ) async throws -> [CKShare.Metadata: Result<CKShare, any Error>] {
    var models: [CKShare.Metadata: ShareMetadata] = [:]
    for metadata in metadatas { models[metadata] = try await model(of: metadata) }
    let found = try await translatingErrors {
      try await backing.container.accept(metadatas.compactMap { models[$0] })
    }
    var results: [CKShare.Metadata: Result<CKShare, any Error>] = [:]
    for metadata in metadatas {
      guard let result = models[metadata].flatMap({ found[$0] }) else {
        results[metadata] = .failure(CKError(.unknownItem))
        continue
      }
      do {
        results[metadata] = .success(try await share(result.get()))
      } catch {
        results[metadata] = .failure(await reader.error(error))
      }
    }
    return results
  }

  /// Metadata out of an archive is fetched again, by its share's link.
  private func model(of metadata: CKShare.Metadata) async throws -> ShareMetadata? {
    if let model = metadata.model { return model }
    guard let url = metadata.share.url else { return nil }
    return try await translatingErrors {
      try? await backing.container.shareMetadatas(for: [url])[url]?.get()
    }
  }

  public func requestShareAccess(
    for urls: [URL]
  ) async throws -> [URL: Result<Void, any Error>] {
    try await translatingErrors {
      try await backing.container.requestShareAccess(for: urls)
    }.mapValues { $0.mapError(CKError.translating) }
  }

  private func share(_ record: ResultRecord) async throws -> CKShare {
    guard let share = try await reader.record(record) as? CKShare else {
      throw CKError(.internalError)
    }
    return share
  }

  // MARK: Single items

  public func shareParticipant(
    forEmailAddress emailAddress: String
  ) async throws -> CKShare.Participant {
    try await shareParticipants(forEmailAddresses: [emailAddress]).onlyResult()
  }

  public func shareParticipant(
    forPhoneNumber phoneNumber: String
  ) async throws -> CKShare.Participant {
    try await shareParticipants(forPhoneNumbers: [phoneNumber]).onlyResult()
  }

  public func shareParticipant(
    forUserRecordID userRecordID: CKRecord.ID
  ) async throws -> CKShare.Participant {
    try await shareParticipants(forUserRecordIDs: [userRecordID]).onlyResult()
  }

  public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
    try await shareMetadatas(for: [url]).onlyResult()
  }

  public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
    try await accept([metadata]).onlyResult()
  }

  @preconcurrency
  public func requestShareAccess(
    for urls: [URL],
    completionHandler:
      @escaping @Sendable (Result<[URL: Result<Void, any Error>], any Error>) ->
      Void
  ) {
    reply(completionHandler) { try await self.requestShareAccess(for: urls) }
  }
}
