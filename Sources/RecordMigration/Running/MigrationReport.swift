/// A report of what a migration did, or would do, step by step.
public struct MigrationReport: Sendable, Hashable {
  /// The counts of one step.
  public struct Step: Sendable, Hashable {
    /// A short description of the step, such as `convert Message.count`.
    public var title: String
    /// The location of the step in its plan.
    public var location: PlanLocation?
    /// The number of records that the step applied to and whose condition was true.
    public var records = 0
    /// The number of records that the step changed.
    public var changed = 0
    /// The number of records that the step made of parts of others.
    public var made = 0
    /// The number of changes that cannot be undone exactly.
    public var inexact = 0
    /// The number of values that did not fit and were dropped.
    public var nulled = 0
    /// The number of values that did not fit and were kept in another field.
    public var kept = 0
    /// The number of values that the step dropped as specified.
    public var dropped = 0
    /// The number of records that were left behind because a value did not fit.
    public var skipped = 0
    /// The number of records that the step left behind as specified.
    public var leftBehind = 0
    /// The number of misfits with the policy to fail. Only a dry run continues after the first.
    public var failed = 0
    /// The number of conditions that could not be evaluated and counted as false.
    public var undecided = 0
    /// The first misfits, in processing order.
    public var examples: [String] = []

    /// The number of values and records that did not fit.
    public var misfits: Int { nulled + kept + skipped + failed + undecided }

    /// The maximum number of examples.
    package static let maxExamples = 5

    init(_ step: MigrationStep) {
      title = step.title
      location = step.location
    }

    mutating func note(_ misfit: String) {
      if examples.count < Self.maxExamples { examples.append(misfit) }
    }

    mutating func count(_ outcome: StepOutcome) {
      switch outcome {
      case .unchanged, .failed: break
      case .ambiguous: inexact += 1
      case .changed(let isExact):
        changed += 1
        if !isExact { inexact += 1 }
      case .retyped: changed += 1
      case .dropped:
        changed += 1
        dropped += 1
      case .gone: leftBehind += 1
      case .replaced(let records):
        changed += 1
        if records.isEmpty { leftBehind += 1 }
      case .split(let records, let isExact):
        changed += 1
        made += records.count
        if !isExact { inexact += 1 }
      }
    }

    fileprivate mutating func add(_ other: Self, times: Int) {
      let counts: [WritableKeyPath<Self, Int>] = [
        \.records, \.changed, \.made, \.inexact, \.nulled, \.kept, \.dropped, \.skipped,
        \.leftBehind,
        \.failed, \.undecided,
      ]
      for count in counts { self[keyPath: count] += other[keyPath: count] * times }
      guard !other.examples.isEmpty else { return }
      examples = Array((examples + other.examples).prefix(Self.maxExamples))
    }
  }

  /// Records that do not match a schema, or whose names collide.
  public struct Mismatches: Sendable, Hashable {
    /// The number of records.
    public private(set) var count = 0
    /// The first records, each with a description of the problem.
    public internal(set) var examples: [String] = []

    package mutating func add(_ example: @autoclosure () -> String) {
      count += 1
      if examples.count < Step.maxExamples { examples.append(example()) }
    }

    package mutating func add(_ other: Mismatches) {
      count += other.count
      if !other.examples.isEmpty {
        examples = Array((examples + other.examples).prefix(Step.maxExamples))
      }
    }
  }

  /// The steps of all migrations, in order.
  public var steps: [Step]
  /// The number of input records.
  public var records = 0
  /// The number of output records.
  public var results = 0
  /// The number of records that no step applies to.
  public var unchanged = 0
  /// The number of references that were updated because the name or zone of their target changed.
  public var rewrittenReferences = 0
  /// The number of references to records that were left behind. They are kept unchanged.
  public var danglingReferences = 0
  /// Results whose relationship in Core Data leads to an object that was left behind. Core Data stores
  /// relationships as names of records.
  public var danglingRelationships = Mismatches()
  /// Results with references to another zone, because a step moved one of two records. CloudKit
  /// rejects these references.
  public var crossingReferences = Mismatches()
  /// Records that do not match the source schema. Only a dry run continues after the first.
  public var sourceMismatches = Mismatches()
  /// Results that do not match the target schema. Only a dry run continues after the first.
  public var resultMismatches = Mismatches()
  /// Results with the same name as another. Only a dry run continues after the first.
  public var collisions = Mismatches()

  init(steps: [Step]) {
    self.steps = steps
  }

  /// Whether the migration would end with an error.
  public var hasFailures: Bool {
    sourceMismatches.count + resultMismatches.count + collisions.count > 0
      || steps.contains { $0.failed > 0 }
  }

  /// Whether results have links that lead to no object, or that CloudKit rejects.
  package var hasBrokenLinks: Bool {
    danglingRelationships.count + crossingReferences.count > 0
  }

  /// Whether no record was lost and every value can be restored exactly.
  public var isLossless: Bool {
    !hasFailures
      && steps.allSatisfy { $0.inexact + $0.nulled + $0.dropped + $0.skipped + $0.leftBehind == 0 }
  }

  /// Adds the report of another part of the same migration. Parts must be added in order.
  package mutating func add(_ other: MigrationReport) { add(other, times: 1) }

  /// Adds a report several times, for parts with the same result.
  mutating func add(_ other: MigrationReport, times: Int) {
    let counts: [WritableKeyPath<Self, Int>] = [
      \.records, \.results, \.unchanged, \.rewrittenReferences, \.danglingReferences,
    ]
    for count in counts { self[keyPath: count] += other[keyPath: count] * times }
    danglingRelationships.add(other.danglingRelationships)
    crossingReferences.add(other.crossingReferences)
    sourceMismatches.add(other.sourceMismatches)
    resultMismatches.add(other.resultMismatches)
    collisions.add(other.collisions)
    for (index, step) in other.steps.enumerated() where steps.indices.contains(index) {
      steps[index].add(step, times: times)
    }
  }
}
