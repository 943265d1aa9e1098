import RecordModel

/// Repeats requests that failed with an error that passes.
struct RequestRetry {
  let maxRetries: Int
  let sleep: @Sendable (Duration) async throws -> Void
  /// The number of requests that were repeated.
  private(set) var count = 0
  /// The number of failures of the current request.
  private var failures = 0

  init(maxRetries: Int, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    self.maxRetries = maxRetries
    self.sleep = sleep
  }

  /// Begins with a new request.
  mutating func reset() { failures = 0 }

  /// Waits, so that the request can be repeated.
  ///
  /// - Throws: the error if it does not pass, or has come too often.
  mutating func wait(after error: CloudError) async throws {
    guard error.passes, failures < maxRetries else { throw error }
    let seconds = error.retryAfterSeconds ?? Double(min(30, 1 << min(failures, 5)))
    failures += 1
    count += 1
    // Nobody waits for longer than a day; what is not a number is no delay.
    try await sleep(.seconds(seconds.isNaN ? 0 : max(0, min(seconds, 86_400))))
  }
}

extension CloudError {
  /// Whether the same request may succeed later. Source: Apple's documentation of
  /// `CKErrorRetryAfterKey` and of `CKError.Code`.
  fileprivate var passes: Bool {
    if retryAfterSeconds != nil { return true }
    return switch code {
    case .networkFailure, .networkUnavailable, .serviceUnavailable, .requestRateLimited, .zoneBusy,
      .serverResponseLost:
      true
    default: false
    }
  }

  /// The error of a request about one item, which the server can send as the error of the item.
  var ofWholeRequest: CloudError {
    guard code == .partialFailure, let first = partialErrorsByItemID.values.first,
      partialErrorsByItemID.values.allSatisfy({ $0.code == first.code })
    else { return self }
    return first
  }
}
