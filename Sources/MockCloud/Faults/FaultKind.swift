import RecordModel
import RecordPlatform

/// A kind of fault of a ``FaultSchedule``.
public enum FaultKind: String, Sendable, Hashable, CaseIterable, Codable {
  /// `requestRateLimited` with a `retryAfter` of 1 to 30 seconds.
  case requestRateLimited
  /// `zoneBusy` with a `retryAfter` of 1 to 30 seconds, for calls that name a zone.
  case zoneBusy
  /// `serviceUnavailable` with a `retryAfter` of 1 to 30 seconds.
  case serviceUnavailable
  /// `networkUnavailable`.
  case networkUnavailable
  /// `networkFailure` before the request reaches the server.
  case networkFailure
  /// `networkFailure` after the server has answered.
  case networkFailureAfterServer
  /// `serverResponseLost`.
  case serverResponseLost
  /// `limitExceeded`, for requests with more than one item.
  case limitExceeded
  /// `quotaExceeded`, for requests that save something in the user's account; a share that is
  /// accepted is in its owner's.
  case quotaExceeded
  /// `changeTokenExpired`, for calls with a token.
  case changeTokenExpired
  /// `serviceUnavailable` for some of the items.
  case partialFailure
  /// Some results come with the next page, or are missing.
  case skippedResults
  /// Latency of up to 10 seconds.
  case latency
  /// A crash before the request reaches the server.
  case crashBeforeServer
  /// A crash after the server answered, and before the client knows.
  case crashAfterServer
  /// A crash after the client got the answer.
  case crashAfterReturn

  /// Whether the fault ends the run of the app.
  public var isCrash: Bool {
    switch self {
    case .crashBeforeServer, .crashAfterServer, .crashAfterReturn: true
    default: false
    }
  }

  /// Returns the fault for a call; nil if it cannot happen to it.
  func fault(for call: CloudCall, _ random: inout SeededNumbers) -> Fault? {
    let request = call.request
    switch self {
    case .requestRateLimited:
      return .requestRateLimited(retryAfter: Double(1 + random.below(30)))
    case .zoneBusy:
      let seconds = Double(1 + random.below(30))
      return request.zoneIDs.isEmpty ? nil : .zoneBusy(retryAfter: seconds)
    case .serviceUnavailable:
      return .serviceUnavailable(retryAfter: Double(1 + random.below(30)))
    case .networkUnavailable: return .networkUnavailable
    case .networkFailure: return .networkFailure(.beforeServer)
    case .networkFailureAfterServer: return .networkFailure(.afterServer)
    case .serverResponseLost: return .serverResponseLost
    case .limitExceeded:
      let count = request.items.count
      return count > 1 ? .limitExceeded(over: count / 2) : nil
    case .quotaExceeded:
      return call.operation.isWriting && call.operation != .accept ? .quotaExceeded : nil
    case .changeTokenExpired: return request.hasToken ? .changeTokenExpired : nil
    case .partialFailure:
      let choice = Self.choice(&random)
      if call.operation.isWriting, choice.items(of: request.items).isEmpty { return nil }
      return Fault(
        effect: .itemErrors(choice, CloudError(.serviceUnavailable).inCloudKitsWords))
    case .skippedResults:
      let choice = Self.choice(&random)
      // A client cannot know what became of an item that it saved.
      return call.operation.isWriting ? nil : Fault(effect: .skip(choice))
    case .latency:
      return Fault(effect: .latency(seconds: 10 * random.fraction(), .beforeServer))
    case .crashBeforeServer: return Fault(effect: .crash(.beforeServer))
    case .crashAfterServer: return Fault(effect: .crash(.afterServer))
    case .crashAfterReturn: return Fault(effect: .crash(.afterReturn))
    }
  }

  private static func choice(_ random: inout SeededNumbers) -> ItemChoice {
    let step = 2 + random.below(3)
    return .every(step, from: random.below(step))
  }
}
