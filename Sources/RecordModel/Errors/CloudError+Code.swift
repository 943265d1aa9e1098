extension CloudError {
  /// A CloudKit error code, with the number of `CKError.Code`.
  ///
  /// Source: Apple's `CKError.h`.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    case internalError = 1
    case partialFailure = 2
    case networkUnavailable = 3
    case networkFailure = 4
    case badContainer = 5
    case serviceUnavailable = 6
    case requestRateLimited = 7
    case missingEntitlement = 8
    case notAuthenticated = 9
    case permissionFailure = 10
    case unknownItem = 11
    case invalidArguments = 12
    case resultsTruncated = 13
    case serverRecordChanged = 14
    case serverRejectedRequest = 15
    case assetFileNotFound = 16
    case assetFileModified = 17
    case incompatibleVersion = 18
    case constraintViolation = 19
    case operationCancelled = 20
    case changeTokenExpired = 21
    case batchRequestFailed = 22
    case zoneBusy = 23
    case badDatabase = 24
    case quotaExceeded = 25
    case zoneNotFound = 26
    case limitExceeded = 27
    case userDeletedZone = 28
    case tooManyParticipants = 29
    case alreadyShared = 30
    case referenceViolation = 31
    case managedAccountRestricted = 32
    case participantMayNeedVerification = 33
    case serverResponseLost = 34
    case assetNotAvailable = 35
    case accountTemporarilyUnavailable = 36
    case participantAlreadyInvited = 37

    /// The name of the code in `CKError.Code`.
    public var name: String { "\(self)" }

    /// The `serverErrorCode` of Web Services; nil for an error that only the framework reports.
    ///
    /// Source: *CloudKit Web Services Reference*, "Error Codes".
    public var serverErrorCode: String? {
      switch self {
      case .permissionFailure: "ACCESS_DENIED"
      case .batchRequestFailed: "ATOMIC_ERROR"
      case .notAuthenticated: "AUTHENTICATION_REQUIRED"
      case .invalidArguments: "BAD_REQUEST"
      case .serverRecordChanged: "CONFLICT"
      case .serverRejectedRequest: "EXISTS"
      case .internalError: "INTERNAL_ERROR"
      case .unknownItem: "NOT_FOUND"
      case .quotaExceeded: "QUOTA_EXCEEDED"
      case .requestRateLimited: "THROTTLED"
      case .serviceUnavailable: "TRY_AGAIN_LATER"
      case .referenceViolation: "VALIDATING_REFERENCE_ERROR"
      case .zoneNotFound: "ZONE_NOT_FOUND"
      default: nil
      }
    }
  }
}
