import RecordModel
import RecordPlatform

/// A point during a call.
public enum CallPoint: Sendable, Hashable, CaseIterable {
  /// Before the request reaches the server.
  case beforeServer
  /// After the server returned, and before the client knows.
  case afterServer
}

/// The point at which the app is killed.
public enum CrashPoint: Sendable, Hashable, CaseIterable {
  /// Before the request reaches the server.
  case beforeServer
  /// After the server returned, and before the client knows: it has saved the records, or has sent
  /// changes of which the client stores neither the records nor the token.
  case afterServer
  /// After the client got the result: the next call fails. An action of the client between two
  /// calls, such as storing a token, fails if it calls ``FaultInjectingContainer/checkCrash()``.
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
    case itemErrors(ItemSelection, CloudError)
    case latency(seconds: Double, CallPoint)
    case crash(CrashPoint)
    /// A closure of a schedule.
    case action(String, CallPoint)
  }

  /// The calls that the fault can happen to.
  enum Condition: Hashable {
    case none
    case items(over: Int)
    case token
  }

  var effect: Effect
  var condition = Condition.none

  /// Any error of the whole call. An error without a message gets CloudKit's own words.
  public static func error(_ error: CloudError, _ point: CallPoint = .beforeServer) -> Fault {
    Fault(effect: .error(error.withServerMessage, point))
  }

  /// An error of the whole call. Without a message, it gets CloudKit's own words.
  public static func error(_ code: CloudError.Code, _ message: String = "") -> Fault {
    error(CloudError(code, message))
  }

  private static func limit(_ code: CloudError.Code, _ retryAfter: Double?) -> Fault {
    Fault(effect: .limit(CloudError(code, retryAfter: retryAfter).withServerMessage))
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

  /// `serverRejectedRequest`, as for a response with the HTTP status 500.
  public static let serverError = error(CloudError(.serverRejectedRequest))

  /// `changeTokenExpired`, for calls with a token.
  public static let changeTokenExpired = Fault(
    effect: .error(CloudError(.changeTokenExpired).withServerMessage, .beforeServer),
    condition: .token)

  /// `userDeletedZone`.
  public static let userDeletedZone = error(CloudError(.userDeletedZone))

  // MARK: Single items

  /// An error of some records: those that a request names, or that a response has.
  ///
  /// Other records of an atomic request in the same zone fail with `batchRequestFailed`, as on the
  /// server, and are not sent to it.
  public static func partialFailure(of recordIDs: [RecordID], with error: CloudError) -> Fault {
    partialFailure(of: recordIDs.map(CloudItem.record), with: error)
  }

  /// An error of some records, zones, subscriptions, users or links.
  public static func partialFailure(of items: [CloudItem], with error: CloudError) -> Fault {
    Fault(effect: .itemErrors(.named(items), error.withServerMessage))
  }
}

extension Fault: CustomStringConvertible {
  /// The error or effect, without the values of records, identities of users, and links.
  public var description: String {
    switch effect {
    case .error(let error, .beforeServer): "\(error)"
    case .error(let error, .afterServer): "\(error), after the server's response"
    case .limit(let error): "\(error)"
    case .itemErrors(let selection, let error): "\(error), for \(selection)"
    case .latency(let seconds, _): "latency of \(seconds) seconds"
    case .crash(let point): "crash, \(point)"
    case .action(let name, _): "action '\(name)'"
    }
  }
}

extension Fault {
  /// Whether the fault changes the response of a call, so that it waits for the response.
  func isOfResponse(of operation: CloudOperation) -> Bool {
    switch effect {
    case .itemErrors: !operation.isWriting
    default: false
    }
  }

  /// Whether the fault can happen to a request.
  func isPossible(for request: CloudRequest) -> Bool {
    let isMet =
      switch condition {
      case .none: true
      case .items(let count): request.items.count > count
      case .token: request.hasToken
      }
    guard isMet else { return false }
    if case .itemErrors(let choice, _) = effect, request.operation.isWriting {
      return !choice.items(of: request.items).isEmpty
    }
    return true
  }
}

/// The items of a request or response that a fault happens to.
enum ItemSelection: Hashable {
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

extension ItemSelection: CustomStringConvertible {
  var description: String {
    switch self {
    case .named(let items): items.map { "\($0)" }.joined(separator: ", ")
    case .every(let step, let first): "item \(first + 1) of every \(step)"
    }
  }
}

/// Selects the calls that a fault happens to, among those that match it. An integer literal is the number
/// of times.
public struct FaultTimes: Sendable, Hashable, ExpressibleByIntegerLiteral {
  private enum Choice: Hashable {
    case first(Int)
    case nth(Int)
    case all
    case random(probability: Double, seed: UInt64)
  }

  private let choice: Choice

  /// The first calls, this many.
  public init(integerLiteral count: Int) { choice = .first(count) }

  private init(_ choice: Choice) { self.choice = choice }

  /// The first call.
  public static let once: FaultTimes = 1

  /// Every call.
  public static let always = FaultTimes(.all)

  /// The first calls.
  public static func times(_ count: Int) -> FaultTimes { FaultTimes(.first(count)) }

  /// One call only.
  ///
  /// - Parameter number: the number of the call among those that the fault is meant for, from 1.
  public static func nth(_ number: Int) -> FaultTimes { FaultTimes(.nth(number)) }

  /// Each call with a probability; the same calls for the same seed.
  ///
  /// - Parameters:
  ///   - probability: from 0 (never) to 1 (always).
  ///   - seed: the seed of the random numbers.
  public static func probability(_ probability: Double, seed: UInt64) -> FaultTimes {
    FaultTimes(.random(probability: probability, seed: seed))
  }

  /// Whether the fault happens to a call.
  ///
  /// - Parameter number: the number of the call among those that the fault is meant for, from 1.
  func contains(_ number: Int) -> Bool {
    switch choice {
    case .first(let count): number <= count
    case .nth(let only): number == only
    case .all: true
    case .random(let probability, let seed):
      Self.first(seed, number) < probability
    }
  }

  private static func first(_ seed: UInt64, _ call: Int) -> Double {
    var random = SeededNumbers(seed: seed, call: call)
    return random.fraction()
  }
}

extension SeededNumbers {
  /// The random numbers of one call, which depend only on a seed and the call's number.
  init(seed: UInt64, call: Int) {
    self.init(seed: seed, stream: UInt64(truncatingIfNeeded: call))
  }
}
