import Foundation

extension CKError {
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    /// The error type of the codes; public because Foundation's protocol asks for it.
    public typealias _ErrorType = CKError

    /// CloudKit failed in a way from which the app cannot recover.
    case internalError = 1
    /// Some items failed, and each has its own error in `partialErrorsByItemID`.
    case partialFailure = 2
    /// The device has no network.
    case networkUnavailable = 3
    /// The network is there, and the request failed on its way.
    case networkFailure = 4
    /// The container is unknown, or the app has no right to it.
    case badContainer = 5
    /// The service is not available. Try again after `retryAfterSeconds`.
    case serviceUnavailable = 6
    /// The app sends too many requests. Try again after `retryAfterSeconds`.
    case requestRateLimited = 7
    /// The app lacks an entitlement of CloudKit.
    case missingEntitlement = 8
    /// The user is not signed in to iCloud.
    case notAuthenticated = 9
    /// The user has no right to read or write this.
    case permissionFailure = 10
    /// The record does not exist.
    case unknownItem = 11
    /// The request has values that the server does not accept.
    case invalidArguments = 12
    /// The server returned a part of the results. CloudKit no longer returns it.
    @available(*, deprecated, message: "Will not be returned")
    case resultsTruncated = 13
    /// The server's record is newer than the version that the app changed.
    case serverRecordChanged = 14
    /// The server rejected the request.
    case serverRejectedRequest = 15
    /// The file of an asset does not exist.
    case assetFileNotFound = 16
    /// The file of an asset changed while it was saved.
    case assetFileModified = 17
    /// The app is older than the oldest version that the container allows.
    case incompatibleVersion = 18
    /// The server rejected a value because another record must not have it too.
    case constraintViolation = 19
    /// The operation was cancelled.
    case operationCancelled = 20
    /// The change token is too old. Fetch again without a token.
    case changeTokenExpired = 21
    /// Another item of an atomic request failed, and so this one was not saved.
    case batchRequestFailed = 22
    /// The server is busy with this zone. Try again after `retryAfterSeconds`.
    case zoneBusy = 23
    /// The operation does not work on this database.
    case badDatabase = 24
    /// The save would exceed the storage quota.
    case quotaExceeded = 25
    /// The zone does not exist.
    case zoneNotFound = 26
    /// The request has too many items or bytes. Send smaller ones.
    case limitExceeded = 27
    /// The user deleted the zone in the settings of iCloud.
    case userDeletedZone = 28
    /// The share has too many participants.
    case tooManyParticipants = 29
    /// The record, or one above it, is in a share already.
    case alreadyShared = 30
    /// The target of a reference does not exist.
    case referenceViolation = 31
    /// The manager of the account does not allow this.
    case managedAccountRestricted = 32
    /// The user is no participant of the share yet, and may have to verify an address.
    case participantMayNeedVerification = 33
    /// The response was lost. The server may have done the request.
    case serverResponseLost = 34
    /// CloudKit cannot access an asset.
    case assetNotAvailable = 35
    /// The account needs the user's attention in the settings of the device.
    case accountTemporarilyUnavailable = 36
    /// The user is a participant of the share already.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    case participantAlreadyInvited = 37
  }
}
