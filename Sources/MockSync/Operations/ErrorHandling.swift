import CloudInterface
import RecordModel

extension SyncRules {
  /// Whether the engine handles an error of a request: it waits, and tries again.
  ///
  /// Source: Apple's `CKSyncEngine.h` names these seven codes.
  func isHandled(_ error: CloudError) -> Bool {
    switch error.code {
    case .notAuthenticated, .accountTemporarilyUnavailable, .networkFailure, .networkUnavailable,
      .requestRateLimited, .serviceUnavailable, .zoneBusy:
      true
    default: false
    }
  }

  /// Whether the engine sends a failed item of a successful request again.
  func isHandledOfItem(_ error: CloudError) -> Bool {
    isHandled(error) && !(throttledRecords == .forgotten && error.isThrottle)
  }

  /// The time until the next try.
  func delay(after error: CloudError) -> Duration {
    if error.isThrottle, case .silence(let duration) = throttle { return duration }
    guard let seconds = error.retryAfterSeconds, seconds.isFinite else { return retryInterval }
    return .seconds(max(0, min(seconds, 1e9)))
  }
}

extension CloudError {
  /// Whether the server rejects requests for a time (TN3162).
  var isThrottle: Bool { code == .serviceUnavailable || code == .requestRateLimited }
}

extension MockSyncEngine {
  /// Whether the engine keeps the work of a failed request: the engine handles the error, or the
  /// request was cancelled (Apple's sample counts `operationCancelled` among the handled codes).
  func isToBeRepeated(_ error: CloudError) -> Bool {
    rules.isHandled(error) || error.code == .operationCancelled
  }

  /// Schedules another try. Nothing is scheduled after a cancellation by the app.
  func repeatLater(after error: CloudError) {
    if rules.isHandled(error) {
      schedule.retry(after: rules.delay(after: error))
    } else if error.code == .operationCancelled, schedule.needsAccountCheck {
      schedule.syncSoon(fetches: true, sends: true)
    } else if error.code == .operationCancelled {
      // The engine has not fetched all that a push has announced.
      schedule.fetchBeforeNextSend()
    }
  }
}
