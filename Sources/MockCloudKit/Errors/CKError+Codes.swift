extension CKError {
  /// https://developer.apple.com/documentation/cloudkit/ckerror/internalerror
  public static var internalError: CKError.Code { .internalError }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/partialfailure
  public static var partialFailure: CKError.Code { .partialFailure }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/networkunavailable
  public static var networkUnavailable: CKError.Code { .networkUnavailable }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/networkfailure
  public static var networkFailure: CKError.Code { .networkFailure }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/badcontainer
  public static var badContainer: CKError.Code { .badContainer }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/serviceunavailable
  public static var serviceUnavailable: CKError.Code { .serviceUnavailable }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/requestratelimited
  public static var requestRateLimited: CKError.Code { .requestRateLimited }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/missingentitlement
  public static var missingEntitlement: CKError.Code { .missingEntitlement }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/notauthenticated
  public static var notAuthenticated: CKError.Code { .notAuthenticated }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/permissionfailure
  public static var permissionFailure: CKError.Code { .permissionFailure }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/unknownitem
  public static var unknownItem: CKError.Code { .unknownItem }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/invalidarguments
  public static var invalidArguments: CKError.Code { .invalidArguments }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/resultstruncated
  @available(*, deprecated, message: "Will not be returned")
  public static var resultsTruncated: CKError.Code { .resultsTruncated }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/serverrecordchanged
  public static var serverRecordChanged: CKError.Code { .serverRecordChanged }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/serverrejectedrequest
  public static var serverRejectedRequest: CKError.Code { .serverRejectedRequest }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/assetfilenotfound
  public static var assetFileNotFound: CKError.Code { .assetFileNotFound }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/assetfilemodified
  public static var assetFileModified: CKError.Code { .assetFileModified }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/incompatibleversion
  public static var incompatibleVersion: CKError.Code { .incompatibleVersion }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/constraintviolation
  public static var constraintViolation: CKError.Code { .constraintViolation }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/operationcancelled
  public static var operationCancelled: CKError.Code { .operationCancelled }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/changetokenexpired
  public static var changeTokenExpired: CKError.Code { .changeTokenExpired }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/batchrequestfailed
  public static var batchRequestFailed: CKError.Code { .batchRequestFailed }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/zonebusy
  public static var zoneBusy: CKError.Code { .zoneBusy }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/baddatabase
  public static var badDatabase: CKError.Code { .badDatabase }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/quotaexceeded
  public static var quotaExceeded: CKError.Code { .quotaExceeded }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/zonenotfound
  public static var zoneNotFound: CKError.Code { .zoneNotFound }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/limitexceeded
  public static var limitExceeded: CKError.Code { .limitExceeded }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/userdeletedzone
  public static var userDeletedZone: CKError.Code { .userDeletedZone }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/toomanyparticipants
  public static var tooManyParticipants: CKError.Code { .tooManyParticipants }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/alreadyshared
  public static var alreadyShared: CKError.Code { .alreadyShared }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/referenceviolation
  public static var referenceViolation: CKError.Code { .referenceViolation }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/managedaccountrestricted
  public static var managedAccountRestricted: CKError.Code { .managedAccountRestricted }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/participantmayneedverification
  public static var participantMayNeedVerification: CKError.Code { .participantMayNeedVerification }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/serverresponselost
  public static var serverResponseLost: CKError.Code { .serverResponseLost }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/assetnotavailable
  public static var assetNotAvailable: CKError.Code { .assetNotAvailable }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/accounttemporarilyunavailable
  public static var accountTemporarilyUnavailable: CKError.Code { .accountTemporarilyUnavailable }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/participantalreadyinvited
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  public static var participantAlreadyInvited: CKError.Code { .participantAlreadyInvited }
}
