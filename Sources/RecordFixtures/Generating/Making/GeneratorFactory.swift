import RecordCoding
import RecordModel

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
