#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import Foundation
  import RecordModel

  extension CloudKitDatabase {
    /// Fetches records.
    public func records(
      for ids: [RecordID], desiredKeys: [String]?
    ) async throws -> [RecordID: Result<ResultRecord, any Error>] {
      var results: [RecordID: Result<ResultRecord, any Error>] = [:]
      var valid: [CKRecord.ID] = []
      for id in Set(ids).sorted() {
        do {
          valid.append(try CKRecord.ID(checking: id))
        } catch {
          results[id] = .failure(error)
        }
      }
      var batches = RequestBatches(valid) { $0 }
      try await batches.send { ids in
        let found = try await database.records(for: ids, desiredKeys: desiredKeys)
        for (id, record) in found { results[RecordID(id)] = result(record) }
      } orFail: { _, error in
        throw error
      }
      return results
    }

    /// Returns the file with the content of an asset of a fetched record, in the container's
    /// ``CloudKitContainer/assetFiles``.
    public func fileURL(for asset: Asset) async throws -> URL {
      guard let url = container.assetFiles.fileURL(for: asset) else {
        throw CloudError(
          .assetNotAvailable, "the asset was not downloaded, or its file was removed")
      }
      return url
    }

    /// Saves and deletes records.
    ///
    /// Parents are saved before their children, and deletions come last. If CloudKit refuses a
    /// request after others have succeeded, the error is that of each item that was not saved or
    /// deleted. Records that could not be deleted because of references are tried again after the
    /// deletions of later requests.
    ///
    /// A new share is saved with its root in one request. Participants that a share does not have yet
    /// are looked up first.
    ///
    /// - Throws: ``CloudKitConversionError`` for a draft that CloudKit cannot save; nothing is saved
    ///   then.
    public func modifyRecords(
      saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID],
      savePolicy: RecordSavePolicy, atomically: Bool
    ) async throws -> (
      saveResults: [RecordID: Result<ResultRecord, any Error>],
      deleteResults: [RecordID: Result<Void, any Error>]
    ) {
      let converter = DraftConverter(
        recordsToSave, includesAllFields: savePolicy == .allKeys, files: container.assetFiles,
        participants: try await participants(in: recordsToSave))
      let changes =
        try converter.records().map { RecordChange.save($0) }
        + recordIDsToDelete.map { RecordChange.delete(try CKRecord.ID(checking: $0)) }
      var modification = RecordModification(
        of: database, recordsToSave, savePolicy, atomically: atomically)
      try await modification.send(changes) { result($0, clientRecord: $1) }
      return (modification.saveResults, modification.deleteResults)
    }

    /// Fetches the participants that shares are to get. A draft without a base may name some that its
    /// share has already, so that it is no error yet if one is not found.
    private func participants(in drafts: [DraftRecord]) async throws -> InvitedParticipants {
      var participants = InvitedParticipants()
      for draft in drafts {
        let invited = Set(draft.invitedUsers)
        guard !invited.isEmpty else { continue }
        participants[draft.recordID] = try await container.ckParticipants(for: Array(invited))
      }
      return participants
    }
  }
#endif
