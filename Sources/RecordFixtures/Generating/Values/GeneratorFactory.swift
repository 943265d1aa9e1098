import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform
import RecordSchema

/// Makes the generators of a section's fields for one thread.
struct GeneratorFactory {
  let section: Section
  let cursor: TreeCursor
  let layout: GenerationLayout
  let use: AssetUse

  /// Returns the generator of a field; nil if the field has no values in this zone.
  func generator(_ field: FieldPlan) -> FieldGenerator? {
    guard let element = element(field) else { return nil }
    return field.rule.length.map { ListGenerator(element, $0) } ?? element
  }

  private func element(_ field: FieldPlan) -> FieldGenerator? {
    let rule = field.rule
    let isDouble = field.type.isDouble
    let locale = rule.locale ?? layout.recipe.locale
    let capacity = rule.isUnique ? rule.value.capacity : nil
    let shuffle = capacity.map { self.shuffle(field, $0) }
    // A rule that the recipe has in so many words is kept; its ends are edges, too.
    let isFree = rule.location == nil
    switch rule.value {
    case .guess, .none, .expression: return nil
    case .constant(let value): return ChoiceGenerator([(Self.json(value), 1)])
    case .choice(let choices):
      return ChoiceGenerator(choices.map { (Self.json($0.value), $0.weight) })
    case .integer(let count):
      return IntegerGenerator(count, isDouble: isDouble, hasEdges: isFree, unique: shuffle)
    case .decimal(let range, let places):
      return DecimalGenerator(
        ValueRule.units(range, places), places: places, hasEdges: isFree, unique: shuffle)
    case .coordinate(let coordinate): return CoordinateGenerator(coordinate)
    case .text(let form, let count):
      return TextGenerator(form, count, locale, isUnique: rule.isUnique)
    case .known(let kind): return KnownTextGenerator(kind, locale, isUnique: rule.isUnique)
    case .pattern(let pattern): return PatternGenerator(pattern)
    case .sequence(let start, let step):
      return SequenceGenerator(from: start, step: step, isPosition: false, isDouble: isDouble)
    case .position: return SequenceGenerator(from: 0, step: 1, isPosition: true, isDouble: isDouble)
    case .date(let range):
      return DateGenerator(.range(range), hasEdges: isFree, unique: shuffle)
    case .created(let range):
      return DateGenerator(.created(range), hasEdges: isFree, unique: nil)
    case .modified: return DateGenerator(.modified, hasEdges: isFree, unique: nil)
    case .bytes(let count): return BytesGenerator(count)
    case .location(let box): return LocationGenerator(box, isInList: field.type.isList)
    case .reference(let type, let action):
      if let ancestor = cursor.ancestors.first(where: { $0.section.type.name == type }) {
        return ReferenceGenerator(.ancestor(ancestor), action)
      }
      return reference(type, action)
    case .anyReference(let type, let action): return reference(type, action)
    case .ancestors(let action): return AncestorsGenerator(cursor.ancestors, action)
    case .asset: return field.assets.map { AssetGenerator($0, use) }
    }
  }

  private func shuffle(_ field: FieldPlan, _ capacity: Int) -> Shuffle {
    // The same in all zones, in which the numbers of records go on.
    Shuffle(
      size: UInt64(capacity),
      key: GeneratorKey.key(layout.seed, "unique", section.type.name, field.name))
  }

  private func reference(
    _ type: String, _ action: ValueRule.ReferenceAction
  ) -> FieldGenerator? {
    layout.section(of: type, in: section.site).map { ReferenceGenerator(.any($0), action) }
  }

  private static func json(_ value: RecordValue) -> [UInt8] {
    let buffer = ByteBuffer(capacity: 64)
    switch value {
    case .string(let text): buffer.appendJSONString(text)
    case .int64(let number): buffer.appendInteger(number)
    case .double(let number): _ = CanonicalNumber.append(number, to: buffer)
    case .timestamp(let date): _ = CanonicalDate.append(date, to: buffer)
    default: buffer.append("\"\"")
    }
    return Array(buffer.bytes)
  }
}

/// References to an ancestor, or to any record of a type in the zone.
final class ReferenceGenerator: FieldGenerator {
  enum Target {
    case ancestor(TreeCursor)
    /// The records of a section, of which there is at least one.
    case any(Section)
  }

  private let target: Target
  private let action: ValueRule.ReferenceAction

  init(_ target: Target, _ action: ValueRule.ReferenceAction) {
    self.target = target
    self.action = action
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    switch target {
    case .ancestor(let cursor): buffer.append(referenceTo: cursor, action)
    case .any(let section):
      let index = context.random.below(section.count)
      var random = SeededNumbers(
        seed: section.key, stream: UInt64(truncatingIfNeeded: index))
      buffer.append("{\"recordName\":\"")
      section.names.append(index, seed: random.next(), to: buffer)
      buffer.append(action)
    }
    return true
  }

  /// Refers to no record, which CloudKit allows without an action.
  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard action == .none, case .any = target else { return false }
    buffer.append("{\"recordName\":\"nowhere-")
    buffer.appendInteger(Int64(context.random.below(1000)))
    buffer.append(action)
    return true
  }
}

/// References to all ancestors, the nearest first.
final class AncestorsGenerator: FieldGenerator {
  private let ancestors: [TreeCursor]
  private let action: ValueRule.ReferenceAction

  init(_ ancestors: [TreeCursor], _ action: ValueRule.ReferenceAction) {
    self.ancestors = ancestors
    self.action = action
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    buffer.append(UInt8(ascii: "["))
    for (place, cursor) in ancestors.enumerated() {
      if place > 0 { buffer.append(UInt8(ascii: ",")) }
      buffer.append(referenceTo: cursor, action)
    }
    buffer.append(UInt8(ascii: "]"))
    return true
  }
}

extension ByteBuffer {
  /// Appends a reference to the record of a cursor, in the same zone.
  func append(referenceTo cursor: TreeCursor, _ action: ValueRule.ReferenceAction) {
    append("{\"recordName\":\"")
    cursor.section.names.append(cursor.spot.index, seed: cursor.spot.seed, to: self)
    append(action)
  }

  /// Appends what follows the name of a reference.
  fileprivate func append(_ action: ValueRule.ReferenceAction) {
    switch action {
    case .none: append("\",\"action\":\"NONE\"}")
    case .deleteSelf: append("\",\"action\":\"DELETE_SELF\"}")
    case .validate: append("\",\"action\":\"VALIDATE\"}")
    }
  }
}

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
      } catch let failure as MigrationError {
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

  private func error(_ plan: FieldPlan, _ message: String) -> FixtureError {
    FixtureError(
      plan.rule.location(of: "expression")
        ?? PlanLocation(file: "the recipe", line: 1, column: 1),
      "expression of '\(plan.name)': \(message)")
  }
}
