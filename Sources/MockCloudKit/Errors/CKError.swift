import Foundation

public let CKErrorDomain: String = "CKErrorDomain"
public let CKPartialErrorsByItemIDKey: String = "CKPartialErrors"
public let CKRecordChangedErrorAncestorRecordKey: String = "AncestorRecord"
public let CKRecordChangedErrorServerRecordKey: String = "ServerRecord"
public let CKRecordChangedErrorClientRecordKey: String = "ClientRecord"
public let CKErrorUserDidResetEncryptedDataKey: String = "CKErrorUserDidResetEncryptedData"
public let CKErrorRetryAfterKey: String = "CKRetryAfter"

public struct CKError: _BridgedStoredNSError {
  /// The error that this is a view of; public because Foundation's protocol asks for it.
  public let _nsError: NSError

  /// Foundation's protocol asks for this initializer.
  public init(_nsError error: NSError) {
    precondition(error.domain == CKErrorDomain)
    _nsError = error
  }

  public static var errorDomain: String { CKErrorDomain }

  /// Foundation's protocol asks for this property.
  public static var _nsErrorDomain: String { CKErrorDomain }

  public var errorUserInfo: [String: Any] {
    // On Linux Foundation takes the description of an error from here only.
    _nsError.userInfo.merging([NSLocalizedDescriptionKey: description(of: _nsError)]) { own, _ in
      own
    }
  }

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
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }

    public var hashValue: Int { _nsError.code.hashValue }

    public static func == (lhs: CKError, rhs: CKError) -> Bool {
      lhs._nsError === rhs._nsError || lhs._nsError.isEqual(rhs._nsError)
    }
  }
#endif

extension CKError.Code {
  // On Apple's platforms Foundation has this for all codes.
  public static func ~= (code: CKError.Code, error: any Error) -> Bool {
    (error as? CKError)?.code == code
  }
}

extension CKError {
  public var partialErrorsByItemID: [AnyHashable: any Error]? {
    userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
  }
  public var ancestorRecord: CKRecord? {
    userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord
  }
  public var serverRecord: CKRecord? { userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord }
  public var clientRecord: CKRecord? { userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord }
  public var retryAfterSeconds: Double? {
    // On Linux a number of another type than Double does not become one by a cast.
    (userInfo[CKErrorRetryAfterKey] as? NSNumber)?.doubleValue
  }
}
