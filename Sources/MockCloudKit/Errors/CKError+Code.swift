import Foundation

extension CKError {
  /// https://developer.apple.com/documentation/cloudkit/ckerror/code
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    /// The error type of the codes; public because Foundation's protocol asks for it.
    public typealias _ErrorType = CKError

    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/internalerror
    case internalError = 1
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/partialfailure
    case partialFailure = 2
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/networkunavailable
    case networkUnavailable = 3
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/networkfailure
    case networkFailure = 4
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/badcontainer
    case badContainer = 5
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/serviceunavailable
    case serviceUnavailable = 6
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/requestratelimited
    case requestRateLimited = 7
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/missingentitlement
    case missingEntitlement = 8
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/notauthenticated
    case notAuthenticated = 9
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/permissionfailure
    case permissionFailure = 10
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/unknownitem
    case unknownItem = 11
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/invalidarguments
    case invalidArguments = 12
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/resultstruncated
    @available(*, deprecated, message: "Will not be returned")
    case resultsTruncated = 13
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/serverrecordchanged
    case serverRecordChanged = 14
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/serverrejectedrequest
    case serverRejectedRequest = 15
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/assetfilenotfound
    case assetFileNotFound = 16
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/assetfilemodified
    case assetFileModified = 17
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/incompatibleversion
    case incompatibleVersion = 18
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/constraintviolation
    case constraintViolation = 19
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/operationcancelled
    case operationCancelled = 20
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/changetokenexpired
    case changeTokenExpired = 21
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/batchrequestfailed
    case batchRequestFailed = 22
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/zonebusy
    case zoneBusy = 23
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/baddatabase
    case badDatabase = 24
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/quotaexceeded
    case quotaExceeded = 25
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/zonenotfound
    case zoneNotFound = 26
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/limitexceeded
    case limitExceeded = 27
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/userdeletedzone
    case userDeletedZone = 28
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/toomanyparticipants
    case tooManyParticipants = 29
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/alreadyshared
    case alreadyShared = 30
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/referenceviolation
    case referenceViolation = 31
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/managedaccountrestricted
    case managedAccountRestricted = 32
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/participantmayneedverification
    case participantMayNeedVerification = 33
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/serverresponselost
    case serverResponseLost = 34
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/assetnotavailable
    case assetNotAvailable = 35
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/accounttemporarilyunavailable
    case accountTemporarilyUnavailable = 36
    /// https://developer.apple.com/documentation/cloudkit/ckerror/code/participantalreadyinvited
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    case participantAlreadyInvited = 37
  }
}
