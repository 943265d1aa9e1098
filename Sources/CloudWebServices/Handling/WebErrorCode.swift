/// The documented codes of errors (`serverErrorCode`), and the status of a response that is about one.
///
/// Source: Apple's *CloudKit Web Services Reference*, "Error Codes".
public enum WebErrorCode: String, Sendable, Hashable, CaseIterable {
  case accessDenied = "ACCESS_DENIED"
  case atomicError = "ATOMIC_ERROR"
  case authenticationFailed = "AUTHENTICATION_FAILED"
  case authenticationRequired = "AUTHENTICATION_REQUIRED"
  case badRequest = "BAD_REQUEST"
  case conflict = "CONFLICT"
  case exists = "EXISTS"
  case internalError = "INTERNAL_ERROR"
  case notFound = "NOT_FOUND"
  case quotaExceeded = "QUOTA_EXCEEDED"
  case throttled = "THROTTLED"
  case tryAgainLater = "TRY_AGAIN_LATER"
  case validatingReferenceError = "VALIDATING_REFERENCE_ERROR"
  case uniqueFieldError = "UNIQUE_FIELD_ERROR"
  case zoneNotFound = "ZONE_NOT_FOUND"

  /// The status code of a response that is about the error.
  public var status: Int {
    switch self {
    case .badRequest, .atomicError: 400
    case .authenticationFailed: 401
    case .accessDenied: 403
    case .notFound, .zoneNotFound: 404
    case .conflict, .exists, .uniqueFieldError: 409
    case .validatingReferenceError: 412
    case .quotaExceeded: 413
    case .authenticationRequired: 421
    case .throttled: 429
    case .internalError: 500
    case .tryAgainLater: 503
    }
  }
}
