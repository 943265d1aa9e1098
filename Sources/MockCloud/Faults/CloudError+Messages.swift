import RecordModel

extension CloudError {
  /// The error with CloudKit's message for its code, if it does not have a message.
  package var withServerMessage: CloudError {
    guard message.isEmpty, let text = Self.serverMessage(code) else { return self }
    var error = self
    error.message = text
    return error
  }

  /// Messages of the server and the framework.
  ///
  /// Sources: Apple Developer Forums 770908 and 692988, Apple's technote 3162 (503); Apple's
  /// documentation of `NSURLErrorNotConnectedToInternet` and `NSURLErrorNetworkConnectionLost`,
  /// which a network error of CloudKit has as its underlying error; Seam3 #35 and #72; reports of
  /// 25/2035. For `zoneBusy` and `serverResponseLost` no public message is known: the text is Apple's
  /// documentation of the codes.
  private static func serverMessage(_ code: Code) -> String? {
    switch code {
    case .requestRateLimited, .serviceUnavailable: "Request failed with http status code 503"
    case .serverRejectedRequest: "Request failed with http status code 500"
    case .networkUnavailable: "The Internet connection appears to be offline."
    case .networkFailure: "The network connection was lost."
    case .quotaExceeded: "Quota exceeded"
    case .changeTokenExpired: "client knowledge differs from server knowledge"
    case .userDeletedZone: "Zone was purged by user"
    case .zoneBusy: "the server is too busy to handle the zone operation"
    case .serverResponseLost: "the server's response was lost"
    case .batchRequestFailed: "Atomic failure"
    default: nil
    }
  }

  /// The error for a record of the public database with an encrypted field.
  ///
  /// Source: MistKit, `encrypted-fields-adp-probe` (live).
  static var encryptedInPublic: CloudError {
    CloudError(.invalidArguments, "encrypted fields are not supported in the public database")
  }

  /// The error for a call that comes before the `retryAfter` of an earlier one is over.
  ///
  /// Source: Apple Developer Forums 770908.
  static func throttled(retryAfter: Double) -> CloudError {
    CloudError(
      .requestRateLimited,
      "Operation throttled by previous server http 503 reply. Retry after \(retryAfter) seconds. "
        + "(Other operations may be allowed.)",
      retryAfter: retryAfter)
  }

  /// The error of a call whose task was cancelled.
  static let cancelled = CloudError(.operationCancelled, "the task was cancelled")
}
