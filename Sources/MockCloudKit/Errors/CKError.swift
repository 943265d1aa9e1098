import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckerrordomain
public let CKErrorDomain: String = "CKErrorDomain"
/// https://developer.apple.com/documentation/cloudkit/ckpartialerrorsbyitemidkey
public let CKPartialErrorsByItemIDKey: String = "CKPartialErrors"
/// https://developer.apple.com/documentation/cloudkit/ckrecordchangederrorancestorrecordkey
public let CKRecordChangedErrorAncestorRecordKey: String = "AncestorRecord"
/// https://developer.apple.com/documentation/cloudkit/ckrecordchangederrorserverrecordkey
public let CKRecordChangedErrorServerRecordKey: String = "ServerRecord"
/// https://developer.apple.com/documentation/cloudkit/ckrecordchangederrorclientrecordkey
public let CKRecordChangedErrorClientRecordKey: String = "ClientRecord"
/// https://developer.apple.com/documentation/cloudkit/ckerroruserdidresetencrypteddatakey
public let CKErrorUserDidResetEncryptedDataKey: String = "CKErrorUserDidResetEncryptedData"
/// https://developer.apple.com/documentation/cloudkit/ckerrorretryafterkey
public let CKErrorRetryAfterKey: String = "CKRetryAfter"

/// https://developer.apple.com/documentation/cloudkit/ckerror
public struct CKError: _BridgedStoredNSError {
  /// The error that this is a view of; public because Foundation's protocol asks for it.
  public let _nsError: NSError

  /// Foundation's protocol asks for this initializer.
  public init(_nsError error: NSError) {
    precondition(error.domain == CKErrorDomain)
    _nsError = error
  }

  /// https://developer.apple.com/documentation/cloudkit/ckerror/errordomain
  public static var errorDomain: String { CKErrorDomain }

  /// Foundation's protocol asks for this property.
  public static var _nsErrorDomain: String { CKErrorDomain }
}

extension CKError.Code {
  // On Apple's platforms Foundation has this for all codes.
  /// https://developer.apple.com/documentation/foundation/~=(_:_:)
  public static func ~= (code: CKError.Code, error: any Error) -> Bool {
    (error as? CKError)?.code == code
  }
}

extension CKError {
  /// https://developer.apple.com/documentation/cloudkit/ckerror/partialerrorsbyitemid
  public var partialErrorsByItemID: [AnyHashable: any Error]? {
    userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
  }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/ancestorrecord
  public var ancestorRecord: CKRecord? {
    userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord
  }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/serverrecord
  public var serverRecord: CKRecord? { userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/clientrecord
  public var clientRecord: CKRecord? { userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord }
  /// https://developer.apple.com/documentation/cloudkit/ckerror/retryafterseconds
  public var retryAfterSeconds: Double? { userInfo[CKErrorRetryAfterKey] as? Double }
}
