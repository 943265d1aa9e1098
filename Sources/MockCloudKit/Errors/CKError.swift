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

  /// https://developer.apple.com/documentation/foundation/customnserror/erroruserinfo
  public var errorUserInfo: [String: Any] {
    // On Linux Foundation takes the description of an error from here only.
    _nsError.userInfo.merging([NSLocalizedDescriptionKey: description(of: _nsError)]) { own, _ in
      own
    }
  }

  /// https://developer.apple.com/documentation/foundation/localizederror
  public var localizedDescription: String { description(of: _nsError) }

  private func description(of error: NSError) -> String {
    error.userInfo[NSLocalizedDescriptionKey] as? String
      ?? "The operation couldn’t be completed. (\(CKErrorDomain) error \(error.code).)"
  }
}

#if os(Linux)
  // On Apple's platforms the compiler bridges. On Linux this makes the cast of an NSError work, and
  // of a dictionary of errors.
  extension CKError: _ObjectiveCBridgeable {
    /// Foundation's protocol asks for this method.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Foundation's protocol asks for this method.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CKError?) {
      result = CKError(_nsError: source)
    }

    /// Foundation's protocol asks for this method.
    public static func _conditionallyBridgeFromObjectiveC(
      _ source: NSError, result: inout CKError?
    ) -> Bool {
      guard source.domain == CKErrorDomain else { return false }
      result = CKError(_nsError: source)
      return true
    }

    /// Foundation's protocol asks for this method.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CKError {
      guard let source else { preconditionFailure("there is no error") }
      return CKError(_nsError: source)
    }
  }

  extension CKError {
    // The hash of an NSError ends the process on Linux.
    /// https://developer.apple.com/documentation/swift/hashable/hash(into:)
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }

    /// https://developer.apple.com/documentation/swift/hashable/hashvalue
    public var hashValue: Int { _nsError.code.hashValue }

    /// https://developer.apple.com/documentation/swift/equatable/==(_:_:)
    public static func == (lhs: CKError, rhs: CKError) -> Bool {
      lhs._nsError === rhs._nsError || lhs._nsError.isEqual(rhs._nsError)
    }
  }
#endif

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
  public var retryAfterSeconds: Double? {
    // On Linux a number of another type than Double does not become one by a cast.
    (userInfo[CKErrorRetryAfterKey] as? NSNumber)?.doubleValue
  }
}
