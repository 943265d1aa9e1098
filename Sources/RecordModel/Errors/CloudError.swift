import protocol Foundation.LocalizedError

/// An error of the CloudKit server or framework (`CKError`).
///
/// ```swift
/// do {
///   _ = try draft.resultRecord()
/// } catch CloudError.limitExceeded {
///   print("The record is too large.")
/// } catch let error as CloudError {
///   print(error.code.name, error.message)
/// }
/// ```
public struct CloudError: Error, Sendable, Hashable {
  /// The error code.
  public var code: Code
  /// The message; the server's own text where it is publicly known.
  @ExactText public var message: String
  /// The error of each record that failed, for ``Code/partialFailure``.
  public var partialErrorsByItemID: [RecordID: CloudError]
  /// The records in conflict, for ``Code/serverRecordChanged``.
  public var conflict: Conflict?
  /// The limit that was exceeded, for an error that ``RecordLimits`` throws.
  package var violation: LimitViolation?
  /// The delay in seconds after which the request may be retried.
  public var retryAfterSeconds: Double?
  /// Whether the zone is missing because its user reset their encrypted data, for
  /// ``Code/zoneNotFound``.
  ///
  /// Source: <https://developer.apple.com/documentation/cloudkit/encrypting-user-data>.
  public var userDidResetEncryptedData = false

  /// The records of a conflict.
  public struct Conflict: Sendable, Hashable {
    /// The record on the server (`serverRecord`).
    public var serverRecord: ResultRecord?
    /// The record that the client tried to save (`clientRecord`).
    public var clientRecord: DraftRecord?
    /// The record that the client's changes are based on (`ancestorRecord`), if known.
    public var ancestorRecord: ResultRecord?

    /// Creates a conflict.
    public init(
      serverRecord: ResultRecord? = nil, clientRecord: DraftRecord? = nil,
      ancestorRecord: ResultRecord? = nil
    ) {
      self.serverRecord = serverRecord
      self.clientRecord = clientRecord
      self.ancestorRecord = ancestorRecord
    }
  }

  /// Creates an error.
  public init(
    _ code: Code, _ message: String = "", partialErrors: [RecordID: CloudError] = [:],
    conflict: Conflict? = nil, retryAfter: Double? = nil
  ) {
    self.code = code
    self.message = message
    partialErrorsByItemID = partialErrors
    self.conflict = conflict
    retryAfterSeconds = retryAfter
  }

  /// The record on the server, for ``Code/serverRecordChanged``.
  public var serverRecord: ResultRecord? { conflict?.serverRecord }
  /// The record that the client tried to save, for ``Code/serverRecordChanged``.
  public var clientRecord: DraftRecord? { conflict?.clientRecord }
  /// The record that the client's changes are based on, for ``Code/serverRecordChanged``, if known.
  public var ancestorRecord: ResultRecord? { conflict?.ancestorRecord }

  /// A CloudKit error code, with the number of `CKError.Code`.
  ///
  /// Source: Apple's `CKError.h`.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// CloudKit failed, and retrying does not help.
    case internalError = 1
    /// Some items failed: ``CloudError/partialErrorsByItemID`` has the error of each.
    case partialFailure = 2
    /// The device has no network.
    case networkUnavailable = 3
    /// The network failed during the request.
    case networkFailure = 4
    /// The container is unknown, or the app may not use it.
    case badContainer = 5
    /// CloudKit is not available.
    case serviceUnavailable = 6
    /// The client sent too many requests, and waits for ``CloudError/retryAfterSeconds``.
    case requestRateLimited = 7
    /// The app lacks an entitlement.
    case missingEntitlement = 8
    /// No user has signed in to iCloud.
    case notAuthenticated = 9
    /// The user may not read or change the item.
    case permissionFailure = 10
    /// The record, or its type, does not exist.
    case unknownItem = 11
    /// The request is invalid; the message says why.
    case invalidArguments = 12
    /// CloudKit returned a part of the results. Apple has deprecated the code.
    case resultsTruncated = 13
    /// The record on the server is newer: ``CloudError/serverRecord`` has it.
    case serverRecordChanged = 14
    /// The server rejects the request.
    case serverRejectedRequest = 15
    /// The file of an asset does not exist.
    case assetFileNotFound = 16
    /// The file of an asset changed during the save.
    case assetFileModified = 17
    /// The app is older than the oldest version that may use the container.
    case incompatibleVersion = 18
    /// Another record has the value of a unique field.
    case constraintViolation = 19
    /// The app cancelled the operation.
    case operationCancelled = 20
    /// The change token is too old: fetch all changes again.
    case changeTokenExpired = 21
    /// Another item of an atomic request failed.
    case batchRequestFailed = 22
    /// The server is busy with the zone; retry after ``CloudError/retryAfterSeconds``.
    case zoneBusy = 23
    /// The database does not support the request.
    case badDatabase = 24
    /// The user's iCloud account is full.
    case quotaExceeded = 25
    /// The zone does not exist.
    case zoneNotFound = 26
    /// The request has too many items, or is too large: send it in parts.
    case limitExceeded = 27
    /// The user deleted the zone in the settings.
    case userDeletedZone = 28
    /// The share has too many participants.
    case tooManyParticipants = 29
    /// The record, or one above it, is in another share.
    case alreadyShared = 30
    /// The target of a reference does not exist.
    case referenceViolation = 31
    /// The settings of a managed account forbid the request.
    case managedAccountRestricted = 32
    /// The user has to confirm an address before the share can be read.
    case participantMayNeedVerification = 33
    /// The connection ended before the response. The change may be saved.
    case serverResponseLost = 34
    /// The bytes of an asset are not available.
    case assetNotAvailable = 35
    /// The user has to enter the password of the iCloud account again.
    case accountTemporarilyUnavailable = 36
    /// The user is already a participant of the share.
    case participantAlreadyInvited = 37

    /// The name of the code in `CKError.Code`.
    public var name: String { "\(self)" }

    /// The `serverErrorCode` of Web Services; nil for an error that only the framework reports.
    ///
    /// Source: *CloudKit Web Services Reference*, "Error Codes".
    package var serverErrorCode: String? {
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

extension CloudError: CustomStringConvertible, LocalizedError {
  /// The name and number of the code, and the message.
  public var description: String {
    "\(code.name) (\(code.rawValue))\(message.isEmpty ? "" : ": \(message)")"
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

extension CloudError.Code {
  /// Matches an error by its code, as `CKError.Code` does.
  ///
  /// ```swift
  /// do {
  ///   try save()
  /// } catch CloudError.zoneNotFound {
  ///   try createZone()
  /// }
  /// ```
  public static func ~= (code: CloudError.Code, error: any Error) -> Bool {
    (error as? CloudError)?.code == code
  }
}

/// The error codes under their names in `CKError`. Swift takes a case of an enumeration, such as
/// `CloudError.Code.zoneBusy`, for a pattern of that type only; these match errors.
extension CloudError {
  /// ``Code/internalError``.
  public static var internalError: Code { .internalError }
  /// ``Code/partialFailure``.
  public static var partialFailure: Code { .partialFailure }
  /// ``Code/networkUnavailable``.
  public static var networkUnavailable: Code { .networkUnavailable }
  /// ``Code/networkFailure``.
  public static var networkFailure: Code { .networkFailure }
  /// ``Code/badContainer``.
  public static var badContainer: Code { .badContainer }
  /// ``Code/serviceUnavailable``.
  public static var serviceUnavailable: Code { .serviceUnavailable }
  /// ``Code/requestRateLimited``.
  public static var requestRateLimited: Code { .requestRateLimited }
  /// ``Code/missingEntitlement``.
  public static var missingEntitlement: Code { .missingEntitlement }
  /// ``Code/notAuthenticated``.
  public static var notAuthenticated: Code { .notAuthenticated }
  /// ``Code/permissionFailure``.
  public static var permissionFailure: Code { .permissionFailure }
  /// ``Code/unknownItem``.
  public static var unknownItem: Code { .unknownItem }
  /// ``Code/invalidArguments``.
  public static var invalidArguments: Code { .invalidArguments }
  /// ``Code/resultsTruncated``.
  public static var resultsTruncated: Code { .resultsTruncated }
  /// ``Code/serverRecordChanged``.
  public static var serverRecordChanged: Code { .serverRecordChanged }
  /// ``Code/serverRejectedRequest``.
  public static var serverRejectedRequest: Code { .serverRejectedRequest }
  /// ``Code/assetFileNotFound``.
  public static var assetFileNotFound: Code { .assetFileNotFound }
  /// ``Code/assetFileModified``.
  public static var assetFileModified: Code { .assetFileModified }
  /// ``Code/incompatibleVersion``.
  public static var incompatibleVersion: Code { .incompatibleVersion }
  /// ``Code/constraintViolation``.
  public static var constraintViolation: Code { .constraintViolation }
  /// ``Code/operationCancelled``.
  public static var operationCancelled: Code { .operationCancelled }
  /// ``Code/changeTokenExpired``.
  public static var changeTokenExpired: Code { .changeTokenExpired }
  /// ``Code/batchRequestFailed``.
  public static var batchRequestFailed: Code { .batchRequestFailed }
  /// ``Code/zoneBusy``.
  public static var zoneBusy: Code { .zoneBusy }
  /// ``Code/badDatabase``.
  public static var badDatabase: Code { .badDatabase }
  /// ``Code/quotaExceeded``.
  public static var quotaExceeded: Code { .quotaExceeded }
  /// ``Code/zoneNotFound``.
  public static var zoneNotFound: Code { .zoneNotFound }
  /// ``Code/limitExceeded``.
  public static var limitExceeded: Code { .limitExceeded }
  /// ``Code/userDeletedZone``.
  public static var userDeletedZone: Code { .userDeletedZone }
  /// ``Code/tooManyParticipants``.
  public static var tooManyParticipants: Code { .tooManyParticipants }
  /// ``Code/alreadyShared``.
  public static var alreadyShared: Code { .alreadyShared }
  /// ``Code/referenceViolation``.
  public static var referenceViolation: Code { .referenceViolation }
  /// ``Code/managedAccountRestricted``.
  public static var managedAccountRestricted: Code { .managedAccountRestricted }
  /// ``Code/participantMayNeedVerification``.
  public static var participantMayNeedVerification: Code { .participantMayNeedVerification }
  /// ``Code/serverResponseLost``.
  public static var serverResponseLost: Code { .serverResponseLost }
  /// ``Code/assetNotAvailable``.
  public static var assetNotAvailable: Code { .assetNotAvailable }
  /// ``Code/accountTemporarilyUnavailable``.
  public static var accountTemporarilyUnavailable: Code { .accountTemporarilyUnavailable }
  /// ``Code/participantAlreadyInvited``.
  public static var participantAlreadyInvited: Code { .participantAlreadyInvited }
}
