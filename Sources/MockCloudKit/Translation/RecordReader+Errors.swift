import Foundation
import RecordModel

extension RecordReader {
  /// Translates an error, with the records in it.
  ///
  /// - Parameter client: the record that could not be saved.
  func error(_ error: any Error, saving client: CKRecord? = nil) async -> any Error {
    guard let error = error as? CloudError else { return CKError.translating(error) }
    var userInfo = CKError.userInfo(of: error)
    if let client, error.isOfServer {
      userInfo[NSLocalizedDescriptionKey] =
        "Error saving record \(client.recordID) to server: \(error.message)"
    }
    if let conflict = error.conflict {
      userInfo[CKRecordChangedErrorClientRecordKey] = client
      userInfo[CKRecordChangedErrorServerRecordKey] = await record(conflict.serverRecord)
      userInfo[CKRecordChangedErrorAncestorRecordKey] = await record(conflict.ancestorRecord)
    }
    return CKError(CKError.Code(error.code), userInfo: userInfo)
  }

  private func record(_ record: ResultRecord?) async -> CKRecord? {
    guard let record else { return nil }
    return try? await self.record(record, writesAssets: true)
  }
}

extension CKError {
  /// Translates an error that has no records; one of the store is an internal error.
  static func translating(_ error: any Error) -> any Error {
    switch error {
    case is CKError: error
    case let error as CloudError:
      CKError(Code(error.code), userInfo: userInfo(of: error))
    case is CancellationError: CKError(.operationCancelled)
    default: CKError(.internalError, userInfo: [NSUnderlyingErrorKey: error])
    }
  }

  static func invalid(_ message: String) -> CKError {
    CKError(.invalidArguments, userInfo: [NSLocalizedDescriptionKey: message])
  }

  static func userInfo(of error: CloudError) -> [String: Any] {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: error.message]
    if error.isOfServer { userInfo[serverMessageKey] = error.message }
    if error.code == .partialFailure, error.message.isEmpty {
      userInfo[NSLocalizedDescriptionKey] = PartialFailure.modifiedRecords
    }
    if let seconds = error.retryAfterSeconds {
      userInfo[CKErrorRetryAfterKey] = NSNumber(value: seconds)
    }
    if error.userDidResetEncryptedData {
      userInfo[CKErrorUserDidResetEncryptedDataKey] = NSNumber(value: true)
    }
    if !error.partialErrorsByItemID.isEmpty {
      userInfo[CKPartialErrorsByItemIDKey] = Dictionary(
        uniqueKeysWithValues: error.partialErrorsByItemID.map { id, error in
          (AnyHashable(CKRecord.ID(id)), translating(error))
        })
    }
    return userInfo
  }
}

extension CloudError {
  /// Whether the server has a message about the item; false for errors of the connection and account.
  fileprivate var isOfServer: Bool {
    switch code {
    case .partialFailure, .networkUnavailable, .networkFailure, .serviceUnavailable,
      .requestRateLimited, .notAuthenticated, .operationCancelled, .serverResponseLost:
      false
    default: !message.isEmpty
    }
  }
}

extension CKError.Code {
  /// The numbers are the same.
  init(_ code: CloudError.Code) { self = Self(rawValue: code.rawValue) ?? .internalError }
}
