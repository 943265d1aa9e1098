import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// Completes records: adds the fields that expressions calculate, and leaves out the largest values
/// of a record that is larger than CloudKit allows.
final class RecordFinisher {
  private let type: TypePlan
  private let database: DatabaseScope
  private let reader = RecordJSONReader()
  private let writer = RecordJSONWriter()
  private let schema: CloudSchema
  private lazy var validator = RecordValidator(schema)

  init(_ type: TypePlan, _ schema: CloudSchema, _ database: DatabaseScope) {
    self.type = type
    self.database = database
    self.schema = schema
  }

  /// The size of JSON that no record has that is too large: a number of eight bytes has a character
  /// and a comma at least.
  private static let smallest = RecordLimits.cloudKit.recordSize / 8

  /// Replaces the record from `start` to the end of a buffer.
  ///
  /// - Returns: The number of values that were left out.
  func finish(from start: Int, in buffer: ByteBuffer) throws -> Int {
    let isLarge = buffer.count - start > Self.smallest
    guard isLarge || !type.calculated.isEmpty else { return 0 }
    let record = try reader.read(UnsafeRawBufferPointer(rebasing: buffer.bytes[start...]))
    var fields = record.fields.map { $0 }
    let count = fields.count
    if isLarge { Self.shrink(&fields) }
    let leftOut = count - fields.count
    guard leftOut > 0 || !type.calculated.isEmpty else { return 0 }
    var whole = ResultRecord(systemFields: record.systemFields, fields: fields)
    if !type.calculated.isEmpty {
      whole = ResultRecord(
        systemFields: record.systemFields, fields: fields + (try calculated(for: whole)))
      if let problem = validator.problems(in: whole, database: database).first {
        let plan = type.calculated.first { $0.name == problem.field } ?? type.calculated[0]
        throw error(plan, problem.message)
      }
    }
    buffer.count = start
    try writer.write(whole, to: buffer)
    return leftOut
  }

  /// Removes the largest values until the others fit into a record.
  private static func shrink(_ fields: inout [Field]) {
    var sizes = fields.map { $0.name.utf8.count + $0.value.approximateSize }
    while sizes.reduce(0, +) > RecordLimits.cloudKit.recordSize,
      let largest = sizes.indices.max(by: { (sizes[$0], $1) < (sizes[$1], $0) })
    {
      fields.remove(at: largest)
      sizes.remove(at: largest)
    }
  }

  private func calculated(for record: ResultRecord) throws -> [Field] {
    try type.calculated.compactMap { plan in
      guard let values = plan.kind as? CalculatedValues else { return nil }
      do {
        guard var value = try values.expression.value(for: record, in: database).recordValue else {
          return nil
        }
        if case .int64(let number) = value, plan.type.isDouble { value = .double(Double(number)) }
        return Field(name: plan.name, value: value, isEncrypted: plan.type.isEncrypted)
      } catch let failure as MigrationError {
        throw error(plan, failure.message)
      }
    }
  }

  private func error(_ plan: FieldPlan, _ message: String) -> FixtureError {
    FixtureError(
      plan.rule.location(of: "expression") ?? RecipeCheck.nowhere,
      "expression of '\(plan.name)': \(message)")
  }
}
