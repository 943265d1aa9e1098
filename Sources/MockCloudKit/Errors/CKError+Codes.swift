extension CKError {
  public static var internalError: CKError.Code { .internalError }
  public static var partialFailure: CKError.Code { .partialFailure }
  public static var networkUnavailable: CKError.Code { .networkUnavailable }
  public static var networkFailure: CKError.Code { .networkFailure }
  public static var badContainer: CKError.Code { .badContainer }
  public static var serviceUnavailable: CKError.Code { .serviceUnavailable }
  public static var requestRateLimited: CKError.Code { .requestRateLimited }
  public static var missingEntitlement: CKError.Code { .missingEntitlement }
  public static var notAuthenticated: CKError.Code { .notAuthenticated }
  public static var permissionFailure: CKError.Code { .permissionFailure }
  public static var unknownItem: CKError.Code { .unknownItem }
  public static var invalidArguments: CKError.Code { .invalidArguments }
  @available(*, deprecated, message: "Will not be returned")
  public static var resultsTruncated: CKError.Code { .resultsTruncated }
  public static var serverRecordChanged: CKError.Code { .serverRecordChanged }
  public static var serverRejectedRequest: CKError.Code { .serverRejectedRequest }
  public static var assetFileNotFound: CKError.Code { .assetFileNotFound }
  public static var assetFileModified: CKError.Code { .assetFileModified }
  public static var incompatibleVersion: CKError.Code { .incompatibleVersion }
  public static var constraintViolation: CKError.Code { .constraintViolation }
  public static var operationCancelled: CKError.Code { .operationCancelled }
  public static var changeTokenExpired: CKError.Code { .changeTokenExpired }
  public static var batchRequestFailed: CKError.Code { .batchRequestFailed }
  public static var zoneBusy: CKError.Code { .zoneBusy }
  public static var badDatabase: CKError.Code { .badDatabase }
  public static var quotaExceeded: CKError.Code { .quotaExceeded }
  public static var zoneNotFound: CKError.Code { .zoneNotFound }
  public static var limitExceeded: CKError.Code { .limitExceeded }
  public static var userDeletedZone: CKError.Code { .userDeletedZone }
  public static var tooManyParticipants: CKError.Code { .tooManyParticipants }
  public static var alreadyShared: CKError.Code { .alreadyShared }
  public static var referenceViolation: CKError.Code { .referenceViolation }
  public static var managedAccountRestricted: CKError.Code { .managedAccountRestricted }
  public static var participantMayNeedVerification: CKError.Code { .participantMayNeedVerification }
  public static var serverResponseLost: CKError.Code { .serverResponseLost }
  public static var assetNotAvailable: CKError.Code { .assetNotAvailable }
  public static var accountTemporarilyUnavailable: CKError.Code { .accountTemporarilyUnavailable }
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  public static var participantAlreadyInvited: CKError.Code { .participantAlreadyInvited }
}
