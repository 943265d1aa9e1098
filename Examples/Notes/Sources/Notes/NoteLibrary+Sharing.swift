import CloudInterface
import Foundation
import NotesModel
import RecordCoding
import RecordModel

extension NoteLibrary {
  /// Lets another user read and write the notes of a folder.
  ///
  /// - Parameters:
  ///   - folderID: one of the user's own folders.
  ///   - emailAddress: the address of the other user's account.
  /// - Returns: the link to send to the other user.
  /// - Throws: `CloudError`: `unknownItem` if nobody has the address, and the errors of ``sync()``.
  public func share(_ folderID: RecordID, with emailAddress: String) async throws -> URL {
    // A share is saved with its root as the server has it.
    try await sync()
    let database = container.privateCloudDatabase
    let link = try await retry {
      var participant = try await container.shareParticipant(forEmailAddress: emailAddress)
      participant.permission = .readWrite
      var folder = DraftRecord(try await database.record(for: folderID))
      if let reference = folder.share {
        var share = DraftRecord(try await database.record(for: reference.recordID))
        try share.addParticipant(participant)
        return try await database.save(share).shareInfo?.url
      }
      let title = try Folder(folder.resultRecord()).name
      let share = DraftRecord(sharing: &folder, participants: [participant], title: title)
      let answer = try await database.modifyRecords(saving: [folder, share], deleting: [])
      return try answer.saveResults[share.recordID]?.get().shareInfo?.url
    }
    guard let url = link else {
      throw CloudError(.internalError, "the share has no link")
    }
    return url
  }

  /// Accepts what another user shares, and fetches it.
  ///
  /// - Throws: `CloudError`: `unknownItem` for a link that leads nowhere,
  ///   `participantMayNeedVerification` if the user is not invited.
  public func accept(_ link: URL) async throws {
    try await retry { _ = try await container.accept(container.shareMetadata(for: link)) }
    try await sync()
  }
}
