import RecordModel
import RecordPlatform

/// Faults for many calls, drawn from a seed.
///
/// ```swift
/// let schedule = FaultSchedule(seed: 42, .everyKind(0.02))
/// container.faults.follow(schedule)
/// await run(app)
/// print(container.faults.log)  // a failed test shows what happened
/// ```
///
/// The faults of a call depend only on the seed, the number of the call, and its arguments: the same
/// sequence of calls has the same faults. The log has the numbers of the calls that had faults. Leave
/// some of these calls out to find those that matter:
///
/// ```swift
/// container.faults.follow(FaultSchedule(seed: 42, .everyKind(0.02), calls: [3, 17]))
/// ```
public struct FaultSchedule: Sendable {
  private let seed: UInt64
  private let probabilities: FaultProbabilities
  private let calls: Set<Int>?
  private var actions: [String: Action] = [:]
  /// The number of calls before the first one of the schedule.
  var start = 0

  private struct Action {
    let probability: Double
    let run: @Sendable () async throws -> Void
  }

  /// Creates a schedule that draws the faults of each call.
  ///
  /// - Parameters:
  ///   - seed: the same seed gives the same faults.
  ///   - probabilities: the probability of each kind.
  ///   - calls: the calls that get faults, by their numbers since the schedule is followed, from 1;
  ///     nil for all.
  public init(
    seed: UInt64, _ probabilities: FaultProbabilities = .everyKind(0.02), calls: Set<Int>? = nil
  ) {
    self.seed = seed
    self.probabilities = probabilities
    self.calls = calls
  }

  /// Adds code of the test that is run before some calls reach the server: a switch of the account,
  /// a purge of a zone, the change of another device.
  ///
  /// - Parameters:
  ///   - name: the name of the action in logs.
  ///   - probability: from 0 to 1.
  ///   - action: the code; an error that it throws is the call's.
  public mutating func addAction(
    _ name: String, probability: Double, _ action: @escaping @Sendable () async throws -> Void
  ) {
    actions[name] = Action(probability: probability, run: action)
  }

  /// Runs an action.
  func run(_ name: String) async throws { try await actions[name]?.run() }

  /// Returns the faults of a call, in the order in which they happen.
  func faults(at number: Int, _ call: CloudCall) -> [Fault] {
    let number = number - start
    guard calls?.contains(number) != false else { return [] }
    var random = SeededNumbers(seed: seed, call: number)
    var faults: [Fault] = []
    for (name, action) in actions.sorted(by: { compareUTF8($0.key, $1.key) < 0 })
    where random.fraction() < action.probability {
      faults.append(Fault(effect: .action(name, .beforeServer)))
    }
    for kind in FaultKind.allCases {
      guard random.fraction() < probabilities[kind], let fault = kind.fault(for: call, &random)
      else { continue }
      faults.append(fault)
    }
    return faults
  }
}

/// The probability of each kind of fault, from 0 to 1.
public struct FaultProbabilities: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var values: [FaultKind: Double] = [:]

  /// Creates probabilities; kinds that are not named do not happen.
  public init(dictionaryLiteral elements: (FaultKind, Double)...) {
    for (kind, probability) in elements { self[kind] = probability }
  }

  /// The same probability for every kind.
  ///
  /// - Parameters:
  ///   - probability: the probability of each kind, from 0 to 1.
  ///   - crashes: the probability of each kind of crash; nil for the same as the others.
  public static func everyKind(_ probability: Double, crashes: Double? = nil) -> Self {
    var all: FaultProbabilities = [:]
    for kind in FaultKind.allCases {
      all[kind] = kind.isCrash ? crashes ?? probability : probability
    }
    return all
  }

  /// The probability of a kind.
  public subscript(kind: FaultKind) -> Double {
    get { values[kind] ?? 0 }
    set { values[kind] = newValue == 0 ? nil : newValue }
  }
}

/// A kind of fault of a ``FaultSchedule``.
public enum FaultKind: Sendable, Hashable, CaseIterable {
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
  /// `networkFailure` after the server has returned.
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
  /// Latency of up to 10 seconds.
  case latency
  /// A crash before the request reaches the server.
  case crashBeforeServer
  /// A crash after the server returned, and before the client knows.
  case crashAfterServer
  /// A crash after the client got the result.
  case crashAfterReturn

  /// Whether the fault ends the run of the app.
  package var isCrash: Bool {
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
      let isOfShare = call.operation == .accept || call.operation == .requestShareAccess
      return call.operation.isWriting && !isOfShare ? .quotaExceeded : nil
    case .changeTokenExpired: return request.hasToken ? .changeTokenExpired : nil
    case .partialFailure:
      let step = 2 + random.below(3)
      let selection = ItemSelection.every(step, from: random.below(step))
      if call.operation.isWriting, selection.items(of: request.items).isEmpty { return nil }
      return .init(
        effect: .itemErrors(selection, CloudError(.serviceUnavailable).withServerMessage))
    case .latency:
      return Fault(effect: .latency(seconds: 10 * random.fraction(), .beforeServer))
    case .crashBeforeServer: return Fault(effect: .crash(.beforeServer))
    case .crashAfterServer: return Fault(effect: .crash(.afterServer))
    case .crashAfterReturn: return Fault(effect: .crash(.afterReturn))
    }
  }
}

/// A fault that happened to a call.
public struct InjectedFault: Sendable, Hashable {
  /// The number of the call, from 1, in the order in which the calls began.
  public let call: Int
  /// The operation.
  public let operation: CloudOperation
  /// The database; nil for a call of the container.
  public let databaseScope: DatabaseScope?
  /// The fault.
  public let fault: Fault
}

extension InjectedFault: CustomStringConvertible {
  /// The fault in one line, without the values of records, identities of users, and links.
  public var description: String {
    let place = databaseScope.map { " in the \($0.rawValue) database" } ?? ""
    return "call \(call), \(operation.rawValue)\(place): \(fault)"
  }
}

/// The faults that happened, in the order of the calls.
public struct FaultLog: Sendable, Hashable {
  /// The faults; several may have happened to one call.
  public let faults: [InjectedFault]
}

extension FaultLog: CustomStringConvertible {
  /// A line for each fault.
  public var description: String { faults.map { "\($0)" }.joined(separator: "\n") }
}
