import RecordCoding
import RecordModel

extension MigrationAction {
  /// Runs Swift code.
  public static func custom(_ step: CustomStep) -> MigrationAction { MigrationAction(step) }

  /// A step written in Swift.
  public struct CustomStep: Sendable {
    /// Returns the results for a record: the changed record, none, or several.
    public typealias Body = @Sendable (DraftRecord) throws -> [DraftRecord]
    /// The name of the step in reports.
    public var name: String
    /// Whether the step may change names, zones or types, or the number of records.
    public var changesIdentity: Bool
    /// The code to run.
    public var body: Body
    /// The code that undoes the step, if any.
    public var inverse: Body?

    /// Creates a step from a closure.
    ///
    /// - Parameters:
    ///   - name: The name of the step in reports.
    ///   - changesIdentity: Whether the step may change names, zones or types, or the number of
    ///     records.
    ///   - inverse: The code that undoes the step, if any.
    ///   - body: The code to run. Called on several threads at the same time. Errors it throws
    ///     count as misfits.
    public init(
      _ name: String, changesIdentity: Bool = true, inverse: Body? = nil, body: @escaping Body
    ) {
      self.name = name
      self.changesIdentity = changesIdentity
      self.inverse = inverse
      self.body = body
    }
  }
}

extension MigrationAction.CustomStep: StepKind {
  var effects: StepEffects {
    StepEffects(
      names: [.init(member: "do", name: name)],
      changes: changesIdentity ? [.identity, .recordType] : .recordType,
      assets: [.makes, .loses], isOpaque: true)
  }

  func run(_ record: EditableRecord, _: MigrationRunner) throws -> StepOutcome {
    let drafts: [DraftRecord]
    do {
      drafts = try body(DraftRecord(record.resultRecord))
    } catch {
      throw StepMisfit(nil, "\(error)")
    }
    let results = drafts.map {
      EditableRecord(
        ResultRecord(systemFields: $0.systemFields, fields: $0.fields), in: record.database)
    }
    if !changesIdentity {
      guard results.count == 1, results[0].recordID == record.recordID,
        results[0].recordType.sameScalars(as: record.recordType)
      else {
        throw StepMisfit(
          nil,
          "the step changed names, types or the number of records, but declares that it "
            + "does not")
      }
    }
    return .replaced(results)
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    guard let inverse else { throw NoInverse("the step has no inverse") }
    let step = MigrationAction.CustomStep(
      name, changesIdentity: changesIdentity, inverse: body, body: inverse)
    return [reversal.undoing(.custom(step))]
  }
}
