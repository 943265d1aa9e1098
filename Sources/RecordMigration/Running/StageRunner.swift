import RecordModel

/// Takes one record through the steps of one migration.
struct StageRunner {
  let stage: Migrator.Stage
  let environment: MigrationEnvironment
  let isDryRun: Bool
  let tally: MigrationTally
  private(set) var results: [WorkingRecord] = []

  /// What a step has done with a record.
  enum Outcome {
    /// Nothing.
    case unchanged
    /// It changed the record.
    case changed(isExact: Bool)
    /// Nothing, but the record has already what the step would have given it: the way back cannot
    /// tell it from others.
    case ambiguous
    /// It dropped a value.
    case dropped
    /// The record is left behind.
    case gone
    /// It made other records of it.
    case replaced([WorkingRecord])
  }

  /// A value that does not fit.
  struct Misfit: Error {
    var field: String?
    var reason: String

    init(_ field: String?, _ reason: String) {
      self.field = field
      self.reason = reason
    }
  }

  init(
    stage: Migrator.Stage, environment: MigrationEnvironment, isDryRun: Bool,
    tally: MigrationTally
  ) {
    self.stage = stage
    self.environment = environment
    self.isDryRun = isDryRun
    self.tally = tally
  }

  mutating func run(_ start: WorkingRecord, from first: Int) throws {
    let record = start
    var numbers = stage.steps(for: record.recordType)
    var position = numbers.firstIndex { $0 >= first } ?? numbers.endIndex
    while position < numbers.endIndex {
      let number = numbers[position]
      position += 1
      let step = stage.boxes[number].step
      guard
        step.selection.contains(database: record.database, zoneID: record.recordID.zoneID)
      else { continue }
      let type = record.recordType
      switch try take(step, number, record) {
      case .keepOn: break
      case .gone: return
      case .replaced(let records):
        for record in records { try run(record, from: number + 1) }
        return
      }
      if record.recordType != type {
        numbers = stage.steps(for: record.recordType)
        position = numbers.firstIndex { $0 > number } ?? numbers.endIndex
      }
    }
    results.append(record)
  }

  private enum Next {
    case keepOn, gone
    case replaced([WorkingRecord])
  }

  private mutating func take(
    _ step: MigrationStep, _ number: Int, _ record: WorkingRecord
  ) throws -> Next {
    let index = stage.firstStep + number
    do {
      if let condition = step.condition {
        guard try condition.holds(for: record) else { return .keepOn }
      }
    } catch let failure as ExpressionFailure {
      return try undecided(failure, step, index, record)
    }
    tally.report.steps[index].records += 1
    do {
      let outcome = try apply(step.action, record)
      return count(outcome, step, index)
    } catch let misfit as Misfit {
      return try settle(misfit, step, index, record)
    } catch let failure as ExpressionFailure {
      return try settle(Misfit(step.action.subject, failure.description), step, index, record)
    } catch let failure as Conversion.Failure {
      return try settle(Misfit(step.action.subject, failure.reason), step, index, record)
    }
  }

  private mutating func count(_ outcome: Outcome, _ step: MigrationStep, _ index: Int) -> Next {
    switch outcome {
    case .unchanged: return .keepOn
    case .ambiguous:
      tally.report.steps[index].inexact += 1
      return .keepOn
    case .changed(let isExact):
      tally.report.steps[index].changed += 1
      if !isExact { tally.report.steps[index].inexact += 1 }
      return .keepOn
    case .dropped:
      tally.report.steps[index].changed += 1
      tally.report.steps[index].dropped += 1
      return .keepOn
    case .gone:
      tally.report.steps[index].leftBehind += 1
      return .gone
    case .replaced(let records):
      tally.report.steps[index].changed += 1
      if records.isEmpty { tally.report.steps[index].leftBehind += 1 }
      return .replaced(records)
    }
  }

  private func named(
    _ misfit: Misfit, _ step: MigrationStep, _ record: WorkingRecord
  ) -> MigrationMisfit {
    MigrationMisfit(
      step: step.title, place: step.place, record: "\(record.recordType) '\(record.recordID)'",
      field: misfit.field, reason: misfit.reason)
  }

  /// A condition that has no truth: false where the policy allows for misfits.
  private mutating func undecided(
    _ failure: ExpressionFailure, _ step: MigrationStep, _ index: Int, _ record: WorkingRecord
  ) throws -> Next {
    if step.undecidedIsFalse { return .keepOn }
    let misfit = named(Misfit(nil, "the condition: \(failure)"), step, record)
    tally.report.steps[index].note(misfit)
    switch step.misfit {
    case .fail: return try fail(misfit, index)
    case .skip:
      tally.report.steps[index].skipped += 1
      return .gone
    case .null, .keep:
      tally.report.steps[index].undecided += 1
      return .keepOn
    }
  }

  private mutating func fail(_ misfit: MigrationMisfit, _ index: Int) throws -> Next {
    guard isDryRun else { throw MigrationError.misfit(misfit) }
    tally.report.steps[index].failed += 1
    return .gone
  }

  private mutating func settle(
    _ misfit: Misfit, _ step: MigrationStep, _ index: Int, _ record: WorkingRecord
  ) throws -> Next {
    var misfit = misfit
    let error = named(misfit, step, record)
    switch step.misfit {
    case .fail: break
    case .skip:
      tally.report.steps[index].note(error)
      tally.report.steps[index].skipped += 1
      return .gone
    case .null:
      tally.report.steps[index].note(error)
      tally.report.steps[index].nulled += 1
      if step.action.hasValue, let subject = step.action.subject { record.remove(subject) }
      return .keepOn
    case .keep(let overflow):
      guard let subject = step.action.subject, let field = record.field(named: subject) else {
        break
      }
      guard record.field(named: overflow) == nil else {
        misfit.reason += "; and it cannot be kept in '\(overflow)', which has a value already"
        break
      }
      tally.report.steps[index].note(error)
      tally.report.steps[index].kept += 1
      record.remove(subject)
      record.set(field.renamed(overflow))
      return .keepOn
    }
    let failure = named(misfit, step, record)
    tally.report.steps[index].note(failure)
    return try fail(failure, index)
  }
}
