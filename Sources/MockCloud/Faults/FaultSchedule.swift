import RecordCoding
import RecordModel
import RecordPlatform

/// Faults for many calls: drawn from a seed, or listed.
///
/// ```swift
/// let schedule = FaultSchedule(seed: 42, .everyKind(0.02))
/// container.faults.follow(schedule)
/// await run(app)
/// print(container.faults.log)  // a failed test shows what happened
/// ```
///
/// What happens to a call depends only on the seed, the number of the call, and what it asks. So the
/// same sequence of calls has the same faults. The printed log is a schedule, too, from which lines
/// can be removed to find those that matter:
///
/// ```swift
/// container.faults.follow(try FaultSchedule(text))
/// ```
public struct FaultSchedule: Sendable {
  enum Content: Sendable, Hashable {
    case seeded(UInt64, FaultProbabilities, actions: [String: Double])
    case listed([InjectedFault])
  }

  var content: Content
  var actions: [String: @Sendable () async throws -> Void] = [:]
  /// The number of calls before the first one of the schedule.
  var start = 0

  /// Creates a schedule that draws the faults of each call.
  ///
  /// - Parameters:
  ///   - seed: the same seed gives the same faults.
  ///   - probabilities: the probability of each kind.
  public init(seed: UInt64, _ probabilities: FaultProbabilities = .everyKind(0.02)) {
    content = .seeded(seed, probabilities, actions: [:])
  }

  init(_ content: Content) { self.content = content }

  /// Adds code of the test that is run before some calls reach the server: a switch of the account,
  /// a purge of a zone, the change of another device.
  ///
  /// - Parameters:
  ///   - name: the name of the action in the schedule's text and in logs.
  ///   - probability: from 0 to 1; 0 for a schedule that lists its faults.
  ///   - action: the code; an error that it throws is the call's.
  public mutating func addAction(
    _ name: String, probability: Double = 0, _ action: @escaping @Sendable () async throws -> Void
  ) {
    actions[name] = action
    if case .seeded(let seed, let probabilities, var drawn) = content {
      drawn[name] = probability
      content = .seeded(seed, probabilities, actions: drawn)
    }
  }

  /// Returns the faults of a call, in the order in which they happen.
  func faults(at number: Int, _ call: CloudCall) -> [Fault] {
    switch content {
    case .listed(let faults):
      return faults.filter { $0.call == number - start && $0.operation == call.operation }
        .map(\.fault.withoutLimit)
    case .seeded(let seed, let probabilities, let actions):
      var random = SeededNumbers(seed: seed, call: number - start)
      var faults: [Fault] = []
      for name in actions.keys.sorted(by: { ExactString($0) < ExactString($1) }) {
        if random.fraction() < actions[name] ?? 0 {
          faults.append(Fault(effect: .action(name, .beforeServer)))
        }
      }
      for kind in FaultKind.allCases {
        guard random.fraction() < probabilities[kind],
          let fault = kind.fault(for: call, &random)
        else { continue }
        faults.append(fault)
      }
      return faults
    }
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

extension Fault {
  /// The fault without the limit for later calls: a log lists the calls that it limited.
  fileprivate var withoutLimit: Fault {
    if case .limit(let error) = effect { .error(error) } else { self }
  }
}
