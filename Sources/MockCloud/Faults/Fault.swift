import RecordModel

/// When something happens during a call.
public enum CallPoint: String, Sendable, Hashable, CaseIterable, Codable {
  /// Before the request reaches the server.
  case beforeServer
  /// After the server answered, and before the client knows.
  case afterServer
}

/// When the app is killed.
public enum CrashPoint: String, Sendable, Hashable, CaseIterable, Codable {
  /// Before the request reaches the server.
  case beforeServer
  /// After the server answered, and before the client knows: it has saved the records, or has sent
  /// changes of which the client stores neither the records nor the token.
  case afterServer
  /// After the client got the answer: the next call fails. What the client does between two calls,
  /// such as storing a token, fails if it calls ``FaultInjectingContainer/checkCrash()``.
  case afterReturn
}

/// Something that goes wrong in a call.
///
/// ```swift
/// container.faults.fail(.modifyRecords, with: .zoneBusy(retryAfter: 3), times: 2)
/// ```
public struct Fault: Sendable, Hashable {
  enum Effect: Hashable {
    case error(CloudError, CallPoint)
    /// An error that calls get again which come before its `retryAfter` is over.
    case limit(CloudError)
    case itemErrors(ItemChoice, CloudError)
    case skip(ItemChoice)
    case latency(seconds: Double, CallPoint)
    case crash(CrashPoint)
    /// A closure of a schedule.
    case action(String, CallPoint)
  }

  /// What a call must be for the fault to happen to it.
  enum Condition: Hashable {
    case none
    case items(over: Int)
    case references(over: Int)
    case token
  }

  var effect: Effect
  var condition = Condition.none

  /// Any error of the whole call. An error without a message gets CloudKit's own words.
  public static func error(_ error: CloudError, _ point: CallPoint = .beforeServer) -> Fault {
    Fault(effect: .error(error.inCloudKitsWords, point))
  }

  private static func limit(_ code: CloudError.Code, _ retryAfter: Double?) -> Fault {
    Fault(effect: .limit(CloudError(code, retryAfter: retryAfter).inCloudKitsWords))
  }

  // MARK: The whole call

  /// `requestRateLimited`. Calls that the fault is meant for are limited again until the time is
  /// over, on the container's clock.
  ///
  /// - Parameter retryAfter: in seconds; nil for none, so that only this call fails.
  public static func requestRateLimited(retryAfter: Double? = nil) -> Fault {
    limit(.requestRateLimited, retryAfter)
  }

  /// `zoneBusy`. Calls that the fault is meant for and that use a zone of this call fail again until
  /// the time is over.
  public static func zoneBusy(retryAfter: Double? = nil) -> Fault { limit(.zoneBusy, retryAfter) }

  /// `serviceUnavailable`. Calls that the fault is meant for fail with `requestRateLimited` until
  /// the time is over.
  public static func serviceUnavailable(retryAfter: Double? = nil) -> Fault {
    limit(.serviceUnavailable, retryAfter)
  }

  /// `networkUnavailable`: the request does not reach the server.
  public static let networkUnavailable = error(CloudError(.networkUnavailable))

  /// `networkFailure`, before or after the server applied the change.
  public static func networkFailure(_ point: CallPoint = .beforeServer) -> Fault {
    error(CloudError(.networkFailure), point)
  }

  /// `serverResponseLost`: the server has applied the change.
  public static let serverResponseLost = error(CloudError(.serverResponseLost), .afterServer)

  /// `limitExceeded`, for requests with more than this many items: a client that sends half of them
  /// succeeds in the end.
  public static func limitExceeded(over maxItems: Int) -> Fault {
    Fault(
      effect: .error(CloudError(.limitExceeded), .beforeServer), condition: .items(over: maxItems))
  }

  /// `quotaExceeded`.
  public static let quotaExceeded = error(CloudError(.quotaExceeded))

  /// `serverRejectedRequest`, as for an answer with the HTTP status 500.
  public static let serverError = error(CloudError(.serverRejectedRequest))

  /// `changeTokenExpired`, for calls with a token.
  public static let changeTokenExpired = Fault(
    effect: .error(CloudError(.changeTokenExpired).inCloudKitsWords, .beforeServer),
    condition: .token)

  /// `userDeletedZone`.
  public static let userDeletedZone = error(CloudError(.userDeletedZone))

  /// The same fault, only for queries with more than this many references in a filter.
  ///
  /// The server answers such queries with ``serverError``, ``serviceUnavailable(retryAfter:)`` or
  /// ``requestRateLimited(retryAfter:)``. Source: the Tact blog, *CloudKit reference queries*.
  public func forQueries(withReferencesOver count: Int) -> Fault {
    Fault(effect: effect, condition: .references(over: count))
  }

  // MARK: Single items

  /// An error of some records: those that a request names, or that a response has.
  ///
  /// Other records of an atomic request in the same zone fail with `batchRequestFailed`, as on the
  /// server, and are not sent to it.
  public static func partialFailure(of recordIDs: [RecordID], with error: CloudError) -> Fault {
    partialFailure(of: recordIDs.map(CloudItem.record), with: error)
  }

  /// An error of some records, zones, subscriptions, users or links.
  ///
  /// The users and links that are named here are in the text of ``Faults/log``.
  public static func partialFailure(of items: [CloudItem], with error: CloudError) -> Fault {
    Fault(effect: .itemErrors(.named(items), error.inCloudKitsWords))
  }

  /// Some records are missing in a response, as if the server sent them with the next page.
  ///
  /// In changes and queries they come with the next page: `moreComing` is true, and the token or
  /// cursor is one that a container with faults understands.
  public static func skippedResults(of recordIDs: [RecordID]) -> Fault {
    skippedResults(of: recordIDs.map(CloudItem.record))
  }

  /// Some records, zones, subscriptions, users or links are missing in a response.
  ///
  /// The users and links that are named here are in the text of ``Faults/log``.
  public static func skippedResults(of items: [CloudItem]) -> Fault {
    Fault(effect: .skip(.named(items)))
  }
}

/// The items of a request or response that a fault happens to.
enum ItemChoice: Hashable {
  /// These, as far as they are there.
  case named([CloudItem])
  /// Every nth item, from a position.
  case every(Int, from: Int)

  /// Returns the items of a list that the fault happens to.
  func items(of all: [CloudItem]) -> Set<CloudItem> {
    switch self {
    case .named(let items): Set(items).intersection(all)
    case .every(let step, let first):
      Set(all.indices.filter { $0 % max(step, 1) == first }.map { all[$0] })
    }
  }
}
