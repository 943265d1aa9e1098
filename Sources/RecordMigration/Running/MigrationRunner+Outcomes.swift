import RecordCoding

extension MigrationRunner {
  func take(_ prepared: PreparedStep, _ record: EditableRecord) throws -> StepOutcome {
    let index = prepared.index
    if prepared.isForOthers {
      // A condition that cannot be evaluated counts as false on the way back.
      if let condition = prepared.condition, (try? condition.holds(for: record)) != true {
        return .unchanged
      }
      let outcome = try prepared.body(self, record)
      counted.steps[index].count(outcome)
      return outcome
    }
    do {
      if let condition = prepared.condition {
        guard try condition.holds(for: record) else { return .unchanged }
      }
    } catch let failure as MigrationError where failure.code == .noValue {
      return try undecided(failure, prepared, record)
    }
    counted.steps[index].records += 1
    do {
      guard record.edits.newBytes <= Self.maxNewBytes else { throw Self.tooLarge }
      let outcome = try prepared.body(self, record)
      if case .keep(let overflow) = prepared.step.misfit, record.hasField(overflow) {
        // The way back cannot distinguish it from a value that did not fit.
        counted.steps[index].inexact += 1
      }
      counted.steps[index].count(outcome)
      return outcome
    } catch let misfit as StepMisfit {
      return try settle(misfit, prepared, record)
    } catch let failure as MigrationError where failure.code == .noValue {
      let misfit = StepMisfit(prepared.subject, failure.description)
      return try settle(misfit, prepared, record)
    } catch let failure as Conversion.Failure {
      let misfit = StepMisfit(prepared.subject, failure.reason)
      return try settle(misfit, prepared, record)
    }
  }

  /// The maximum number of bytes of all values created for one record, including those dropped
  /// later.
  static let maxNewBytes = 64 * ExpressionLimits.maxSize

  static var tooLarge: StepMisfit {
    StepMisfit(
      nil, "the previous steps created values of more than \(maxNewBytes) bytes for the record")
  }

  /// Handles a condition that cannot be evaluated, according to the misfit policy.
  private func undecided(
    _ failure: MigrationError, _ prepared: PreparedStep, _ record: EditableRecord
  ) throws -> StepOutcome {
    if prepared.step.treatsFailedConditionAsFalse { return .unchanged }
    let example = record.described + ": the condition: \(failure)"
    let index = prepared.index
    counted.steps[index].note(example)
    switch prepared.step.misfit {
    case .fail: return try fail(example, prepared)
    case .skip:
      counted.steps[index].skipped += 1
      return .gone
    case .null, .keep:
      counted.steps[index].undecided += 1
      return .unchanged
    }
  }

  private func fail(_ example: String, _ prepared: PreparedStep) throws -> StepOutcome {
    guard isDryRun else { throw MigrationError(misfit: example, prepared.step) }
    counted.steps[prepared.index].failed += 1
    return .failed
  }

  private func settle(
    _ misfit: StepMisfit, _ prepared: PreparedStep, _ record: EditableRecord
  ) throws -> StepOutcome {
    let place = record.described + (misfit.field.map { ", field '\($0)'" } ?? "")
    var example = "\(place): \(misfit.reason)"
    let index = prepared.index
    switch prepared.step.misfit {
    case .fail: break
    case .skip:
      counted.steps[index].note(example)
      counted.steps[index].skipped += 1
      return .gone
    case .null:
      counted.steps[index].note(example)
      counted.steps[index].nulled += 1
      if prepared.hasValue, let subject = prepared.subject { record.remove(subject) }
      return .unchanged
    case .keep(let overflow):
      guard let subject = prepared.subject, record.hasField(subject) else { break }
      guard !record.hasField(overflow) else {
        example += "; and it cannot be kept in '\(overflow)', which already has a value"
        break
      }
      counted.steps[index].note(example)
      counted.steps[index].kept += 1
      record.renameField(subject, to: overflow)
      return .unchanged
    }
    counted.steps[index].note(example)
    return try fail(example, prepared)
  }

  /// Reports a record that does not match the source schema.
  func note(_ problem: String, ofSource record: EditableRecord) throws {
    let name = record.described
    guard isDryRun else {
      throw MigrationError(
        .sourceRecord,
        "\(name) does not match the schema of version '\(migrator.migrations.first?.from ?? "")', "
          + "which the migration begins with: \(problem). Nothing was written")
    }
    counted.sourceMismatches.add("\(name): \(problem)")
  }

  /// Reports a result that does not match the target schema.
  ///
  /// - Parameter record: The record it was made from.
  func note(_ problem: String, ofResultOf record: EditableRecord) throws {
    let name = "\(record.sourceType) '\(record.sourceID)'"
    guard isDryRun else {
      throw MigrationError(
        .result,
        "\(name), migrated, does not match the schema of version "
          + "'\(migrator.migrations.last?.to ?? "")': \(problem). Nothing was written")
    }
    counted.resultMismatches.add("\(name): \(problem)")
  }
}

extension EditableRecord {
  var described: String { "\(recordType) '\(recordID)'" }

  func isEncrypted(_ name: String) -> Bool {
    index(ofField: name).map(isEncrypted(at:)) ?? false
  }
}
