/// What a migration has done, or would do, step by step.
public struct MigrationReport: Sendable, Hashable {
  /// What one step has done.
  public struct Step: Sendable, Hashable {
    /// What the step does: `convert Message.count`.
    public var title: String
    /// Where it stands.
    public var place: PlanPlace?
    /// Records it looked at, and whose condition held.
    public var records = 0
    /// Records it changed.
    public var changed = 0
    /// Values that were converted, but do not lead back to what they were.
    public var inexact = 0
    /// Values that did not fit and were dropped.
    public var nulled = 0
    /// Values that did not fit and were kept in another field.
    public var kept = 0
    /// Values that were dropped because the step says so.
    public var dropped = 0
    /// Records that were left behind because a value did not fit.
    public var skipped = 0
    /// Records that were left behind because the step says so.
    public var leftBehind = 0
    /// Misfits under the policy to fail; only a dry run goes on after the first.
    public var failed = 0
    /// Conditions that could not be evaluated, and counted as false.
    public var undecided = 0
    /// The first of what did not fit, in the order of the work.
    public var examples: [String] = []

    /// Values and records that did not fit.
    public var misfits: Int { nulled + kept + skipped + failed + undecided }

    /// The most examples that are kept.
    public static let mostExamples = 5
  }

  /// Records that do not have a schema.
  public struct Wrong: Sendable, Hashable {
    /// How many there are.
    public private(set) var count = 0
    /// The first of them, each with what is wrong.
    public private(set) var examples: [String] = []

    package mutating func add(_ example: @autoclosure () -> String) {
      count += 1
      if examples.count < Step.mostExamples { examples.append(example()) }
    }

    fileprivate mutating func add(_ other: Wrong) {
      count += other.count
      if !other.examples.isEmpty {
        examples = Array((examples + other.examples).prefix(Step.mostExamples))
      }
    }
  }

  /// The steps of all migrations, in order.
  public var steps: [Step]
  /// Records that came in.
  public var records = 0
  /// Records that went out.
  public var results = 0
  /// Records that no step looks at, so that they went out as they came in.
  public var unchanged = 0
  /// References that were rewritten because their record's name or zone changed.
  public var rewrittenReferences = 0
  /// References that lead to records which were left behind: they go out as they are.
  public var danglingReferences = 0
  /// Records that do not have the source's schema; only a dry run goes on after the first.
  public var wrongSources = Wrong()
  /// Results that do not have the target schema; only a dry run goes on after the first.
  public var wrongResults = Wrong()
  /// Results that have the name of another one; only a dry run goes on after the first.
  public var collisions = Wrong()

  init(steps: [Step]) {
    self.steps = steps
  }

  /// Whether the migration would end with an error.
  public var hasFailures: Bool {
    wrongSources.count + wrongResults.count + collisions.count > 0
      || steps.contains { $0.failed > 0 }
  }

  /// Whether every record came through, and every value leads back to what it was.
  public var isLossless: Bool {
    !hasFailures
      && steps.allSatisfy { $0.inexact + $0.nulled + $0.dropped + $0.skipped + $0.leftBehind == 0 }
  }

  /// Adds what another part of the same migration has done; parts must be added in order.
  public mutating func add(_ other: MigrationReport) { add(other, times: 1) }

  func adding(_ other: MigrationReport) -> MigrationReport {
    var sum = self
    sum.add(other)
    return sum
  }

  /// Adds what other parts have done that all did the same.
  mutating func add(_ other: MigrationReport, times: Int) {
    records += other.records * times
    results += other.results * times
    unchanged += other.unchanged * times
    rewrittenReferences += other.rewrittenReferences * times
    danglingReferences += other.danglingReferences * times
    wrongSources.add(other.wrongSources)
    wrongResults.add(other.wrongResults)
    collisions.add(other.collisions)
    for (index, step) in other.steps.enumerated() where steps.indices.contains(index) {
      steps[index].add(step, times: times)
    }
  }
}

extension MigrationReport.Step {
  init(_ step: MigrationStep) {
    title = step.title
    place = step.place
  }

  mutating func note(_ misfit: MigrationMisfit) {
    guard examples.count < Self.mostExamples else { return }
    examples.append(
      misfit.record + (misfit.field.map { ", field '\($0)'" } ?? "") + ": " + misfit.reason)
  }

  fileprivate mutating func add(_ other: Self, times: Int) {
    records += other.records * times
    changed += other.changed * times
    inexact += other.inexact * times
    nulled += other.nulled * times
    kept += other.kept * times
    dropped += other.dropped * times
    skipped += other.skipped * times
    leftBehind += other.leftBehind * times
    failed += other.failed * times
    undecided += other.undecided * times
    guard !other.examples.isEmpty else { return }
    examples = Array((examples + other.examples).prefix(Self.mostExamples))
  }
}
