import Foundation

extension CKError {
  /// https://developer.apple.com/documentation/cloudkit/ckerror/code
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    /// The error type of the codes; public because Foundation's protocol asks for it.
    public typealias _ErrorType = CKError

    /// CloudKit failed in a way from which the app cannot recover.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/internalerror
    case internalError = 1
    /// Some items failed, and each has its own error in `partialErrorsByItemID`.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/partialfailure
    case partialFailure = 2
    /// The device has no network.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/networkunavailable
    case networkUnavailable = 3
    /// The network is there, and the request failed on its way.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/networkfailure
    case networkFailure = 4
    /// The container is unknown, or the app has no right to it.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/badcontainer
    case badContainer = 5
    /// The service is not available. Try again after `retryAfterSeconds`.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/serviceunavailable
    case serviceUnavailable = 6
    /// The app sends too many requests. Try again after `retryAfterSeconds`.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/requestratelimited
    case requestRateLimited = 7
    /// The app lacks an entitlement of CloudKit.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/missingentitlement
    case missingEntitlement = 8
    /// The user is not signed in to iCloud.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/notauthenticated
    case notAuthenticated = 9
    /// The user has no right to read or write this.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/permissionfailure
    case permissionFailure = 10
    /// The record does not exist.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/unknownitem
    case unknownItem = 11
    /// The request has values that the server does not accept.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/invalidarguments
    case invalidArguments = 12
    /// The server returned a part of the results. CloudKit no longer returns it.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/resultstruncated
    @available(*, deprecated, message: "Will not be returned")
    case resultsTruncated = 13
    /// The server's record is newer than the version that the app changed.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/serverrecordchanged
    case serverRecordChanged = 14
    /// The server rejected the request.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/serverrejectedrequest
    case serverRejectedRequest = 15
    /// The file of an asset does not exist.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/assetfilenotfound
    case assetFileNotFound = 16
    /// The file of an asset changed while it was saved.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/assetfilemodified
    case assetFileModified = 17
    /// The app is older than the oldest version that the container allows.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/incompatibleversion
    case incompatibleVersion = 18
    /// The server rejected a value because another record must not have it too.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/constraintviolation
    case constraintViolation = 19
    /// The operation was cancelled.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/operationcancelled
    case operationCancelled = 20
    /// The change token is too old. Fetch again without a token.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/changetokenexpired
    case changeTokenExpired = 21
    /// Another item of an atomic request failed, and so this one was not saved.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/batchrequestfailed
    case batchRequestFailed = 22
    /// The server is busy with this zone. Try again after `retryAfterSeconds`.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/zonebusy
    case zoneBusy = 23
    /// The operation does not work on this database.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/baddatabase
    case badDatabase = 24
    /// The save would exceed the storage quota.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/quotaexceeded
    case quotaExceeded = 25
    /// The zone does not exist.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/zonenotfound
    case zoneNotFound = 26
    /// The request has too many items or bytes. Send smaller ones.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/limitexceeded
    case limitExceeded = 27
    /// The user deleted the zone in the settings of iCloud.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/userdeletedzone
    case userDeletedZone = 28
    /// The share has too many participants.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/toomanyparticipants
    case tooManyParticipants = 29
    /// The record, or one above it, is in a share already.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/alreadyshared
    case alreadyShared = 30
    /// The target of a reference does not exist.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/referenceviolation
    case referenceViolation = 31
    /// The manager of the account does not allow this.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/managedaccountrestricted
    case managedAccountRestricted = 32
    /// The user is no participant of the share yet, and may have to verify an address.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/participantmayneedverification
    case participantMayNeedVerification = 33
    /// The response was lost. The server may have done the request.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/serverresponselost
    case serverResponseLost = 34
    /// CloudKit cannot access an asset.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/assetnotavailable
    case assetNotAvailable = 35
    /// The account needs the user's attention in the settings of the device.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/accounttemporarilyunavailable
    case accountTemporarilyUnavailable = 36
    /// The user is a participant of the share already.
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/participantalreadyinvited
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    case participantAlreadyInvited = 37
  }
}
