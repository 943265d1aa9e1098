import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// Adds the fields that expressions calculate from a record's other fields.
final class FieldCalculation {
  private let type: TypePlan
  private let database: DatabaseScope
  private let reader = RecordJSONReader()
  private let writer = RecordJSONWriter()
  private let validator: RecordValidator

  /// Returns nil for a type without such fields.
  init?(_ type: TypePlan, _ schema: CloudSchema, _ database: DatabaseScope) {
    guard !type.calculated.isEmpty else { return nil }
    self.type = type
    self.database = database
    validator = RecordValidator(schema)
  }

  /// Replaces the record from `start` to the end of a buffer.
  func complete(from start: Int, in buffer: ByteBuffer) throws {
    let record = try reader.read(UnsafeRawBufferPointer(rebasing: buffer.bytes[start...]))
    var fields = record.fields.map { $0 }
    for plan in type.calculated {
      guard case .expression(let expression) = plan.rule.value else { continue }
      do {
        guard let value = try expression.value(for: record, in: database).recordValue else {
          continue
        }
        fields.append(
          Field(
            name: plan.name, value: converted(value, plan), isEncrypted: plan.type.isEncrypted))
      } catch let failure as ExpressionFailure {
        throw error(plan, failure.message)
      }
    }
    let whole = ResultRecord(systemFields: record.systemFields, fields: fields)
    if let problem = validator.problems(in: whole, database: database).first {
      let plan = type.calculated.first { $0.name == problem.field } ?? type.calculated[0]
      throw error(plan, problem.message)
    }
    buffer.count = start
    try writer.write(whole, to: buffer)
  }

  private func converted(_ value: RecordValue, _ plan: FieldPlan) -> RecordValue {
    if case .int64(let number) = value, plan.type.isDouble { return .double(Double(number)) }
    return value
  }

  private func error(_ plan: FieldPlan, _ message: String) -> PlanError {
    PlanError(
      plan.rule.location(of: "expression")
        ?? PlanLocation(file: "the recipe", line: 1, column: 1),
      "expression of '\(plan.name)': \(message)")
  }
}
