import RecordCoding

extension MigrationRunner {
  /// How to continue with a record after a step.
  enum Next {
    case keepOn
    /// The record is left behind.
    case gone
    /// The step failed. A dry run continues with the next record.
    case failed
    /// The record continues with another type.
    case retyped
    case replaced([EditableRecord])
    /// The record continues, and so do new ones.
    case split([EditableRecord])
  }

  func take(_ prepared: PreparedStep, _ record: EditableRecord) throws -> Next {
    let index = prepared.index
    if prepared.isForOthers {
      // A condition that cannot be evaluated counts as false on the way back.
      if let condition = prepared.condition, (try? condition.holds(for: record)) != true {
        return .keepOn
      }
      return count(try prepared.body(self, record), index)
    }
    do {
      if let condition = prepared.condition {
        guard try condition.holds(for: record) else { return .keepOn }
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
      return count(outcome, index)
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

  private func count(_ outcome: StepOutcome, _ index: Int) -> Next {
    switch outcome {
    case .unchanged: return .keepOn
    case .ambiguous:
      counted.steps[index].inexact += 1
      return .keepOn
    case .changed(let isExact):
      counted.steps[index].changed += 1
      if !isExact { counted.steps[index].inexact += 1 }
      return .keepOn
    case .retyped:
      counted.steps[index].changed += 1
      return .retyped
    case .dropped:
      counted.steps[index].changed += 1
      counted.steps[index].dropped += 1
      return .keepOn
    case .gone:
      counted.steps[index].leftBehind += 1
      return .gone
    case .replaced(let records):
      counted.steps[index].changed += 1
      if records.isEmpty { counted.steps[index].leftBehind += 1 }
      return .replaced(records)
    case .split(let records, let isExact):
      counted.steps[index].changed += 1
      counted.steps[index].made += records.count
      if !isExact { counted.steps[index].inexact += 1 }
      return .split(records)
    }
  }

  private func named(
    _ misfit: StepMisfit, _ prepared: PreparedStep, _ record: EditableRecord
  ) -> MigrationMisfit {
    MigrationMisfit(
      step: prepared.step.title, location: prepared.step.location, record: record.described,
      field: misfit.field, reason: misfit.reason)
  }

  /// Handles a condition that cannot be evaluated, according to the misfit policy.
  private func undecided(
    _ failure: MigrationError, _ prepared: PreparedStep, _ record: EditableRecord
  ) throws -> Next {
    if prepared.step.treatsFailedConditionAsFalse { return .keepOn }
    let misfit = named(StepMisfit(nil, "the condition: \(failure)"), prepared, record)
    let index = prepared.index
    counted.steps[index].note(misfit)
    switch prepared.step.misfit {
    case .fail: return try fail(misfit, index)
    case .skip:
      counted.steps[index].skipped += 1
      return .gone
    case .null, .keep:
      counted.steps[index].undecided += 1
      return .keepOn
    }
  }

  private func fail(_ misfit: MigrationMisfit, _ index: Int) throws -> Next {
    guard isDryRun else { throw MigrationError(misfit) }
    counted.steps[index].failed += 1
    return .failed
  }

  private func settle(
    _ misfit: StepMisfit, _ prepared: PreparedStep, _ record: EditableRecord
  ) throws -> Next {
    var misfit = misfit
    let error = named(misfit, prepared, record)
    let index = prepared.index
    switch prepared.step.misfit {
    case .fail: break
    case .skip:
      counted.steps[index].note(error)
      counted.steps[index].skipped += 1
      return .gone
    case .null:
      counted.steps[index].note(error)
      counted.steps[index].nulled += 1
      if prepared.hasValue, let subject = prepared.subject { record.remove(subject) }
      return .keepOn
    case .keep(let overflow):
      guard let subject = prepared.subject, record.hasField(subject) else { break }
      guard !record.hasField(overflow) else {
        misfit.reason += "; and it cannot be kept in '\(overflow)', which already has a value"
        break
      }
      counted.steps[index].note(error)
      counted.steps[index].kept += 1
      record.renameField(subject, to: overflow)
      return .keepOn
    }
    let failure = named(misfit, prepared, record)
    counted.steps[index].note(failure)
    return try fail(failure, index)
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
