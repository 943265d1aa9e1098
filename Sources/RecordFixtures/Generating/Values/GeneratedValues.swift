import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform
import RecordSchema

/// A kind of values: it reads itself from a recipe, writes itself into one, says which fields it
/// suits, makes the values, and learns from those of a source.
///
/// To add a kind, write a type, and add it to ``ValueSource/kinds``.
protocol GeneratedValues: Sendable {
  /// The values, in messages.
  static var noun: String { get }
  /// The members of a field's rule that stand for such values.
  static var sources: [ValueSource] { get }
  /// The words that are enough by themselves, as in `title: email`, or `{kind: email}`.
  static var words: [(word: String, kind: any GeneratedValues)] { get }
  /// The members of a recipe that say so.
  var members: [(name: String, text: String)] { get }

  /// Whether a field of a type can have such values.
  func suits(_ type: CloudSchema.FieldType) -> Bool
  /// Returns the kind for a field that it suits.
  ///
  /// - Throws: A `FieldMismatch` if a part of it does not suit the field after all.
  func adapted(to type: CloudSchema.FieldType) throws -> any GeneratedValues
  /// Returns the number of values that differ, for a field without repetitions: `Int.max` for no
  /// end, nil if repetitions cannot be avoided.
  func distinctValues(of type: CloudSchema.FieldType) -> Int?
  /// The greatest size of a value in bytes, more or less: it decides how many records are made at a
  /// time.
  var roughSize: Int { get }
  /// Returns a generator of values for one thread; nil if there are none in this zone.
  func generator(_ scope: GeneratorScope) -> ValueGenerator?

  /// Whether text of a source is about what the kind makes: of its form, and about as long.
  func isLike(_ text: String) -> Bool
  /// Returns the kind of values that are like those of a source, where the name of the field suggests
  /// this kind; nil for none.
  func learned(from field: LearnedField, _ surroundings: LearnedField.Surroundings)
    -> (any GeneratedValues)?
}

extension GeneratedValues {
  static var sources: [ValueSource] { [] }
  static var words: [(word: String, kind: any GeneratedValues)] { [] }
  var roughSize: Int { 64 }

  func adapted(to type: CloudSchema.FieldType) throws -> any GeneratedValues { self }
  func distinctValues(of type: CloudSchema.FieldType) -> Int? { nil }
  func isLike(_ text: String) -> Bool { true }

  func learned(
    from field: LearnedField, _ surroundings: LearnedField.Surroundings
  ) -> (any GeneratedValues)? {
    // The values decide where they contradict the name.
    guard field.texts > 0, 10 * field.fittingTexts < 9 * field.texts else { return self }
    return field.lengths.rule(within: 0...LearnedField.maxLength)
      .map { WordText(.characters, $0) } ?? self
  }
}

/// An error of a rule that does not suit its field.
struct FieldMismatch: Error {
  /// The member of the rule.
  var member: String
  /// The rest of the sentence that begins with the field; a whole sentence if it begins with a letter
  /// in upper case or an article.
  var message: String
  var namesField = true
}

/// A field without values.
struct NoValues: GeneratedValues {
  static let noun = "other values"
  static var words: [(word: String, kind: any GeneratedValues)] { [("none", NoValues())] }
  var members: [(name: String, text: String)] { [("kind", "none")] }

  func suits(_ type: CloudSchema.FieldType) -> Bool { true }
  func generator(_ scope: GeneratorScope) -> ValueGenerator? { nil }
}

// MARK: Reading

/// A member of a field's rule that says what its values are. A rule has one of them at most.
struct ValueSource: Sendable {
  let name: String
  /// The members that say more.
  let options: [String]
  private let read: @Sendable (YAMLNode, YAMLMembers) throws -> any GeneratedValues

  init(
    _ name: String, options: [String] = [],
    _ read: @escaping @Sendable (YAMLNode, YAMLMembers) throws -> any GeneratedValues
  ) {
    (self.name, self.options, self.read) = (name, options, read)
  }

  static let kinds: [any GeneratedValues.Type] = [
    NoValues.self, ChoiceValues.self, IntegerValues.self, DecimalValues.self, PatternText.self,
    SequenceValues.self, DateValues.self, ByteValues.self, LocationValues.self,
    CoordinateValues.self, ReferenceValues.self, AncestorReferences.self, LinkValues.self,
    AssetValues.self, CalculatedValues.self, WordText.self, KnownText.self,
  ]
  private static let all = kinds.flatMap { $0.sources }

  private static let kind = "kind"
  private static let guess = "guess"

  /// Reads how the values of a field are made.
  ///
  /// - Parameter location: The location of the field's name.
  static func rule(_ node: YAMLNode, at location: PlanLocation) throws -> FieldRule {
    var rule = FieldRule(location: location)
    guard node.node.mapping != nil else {
      rule.kind = try node.isNull ? nil : word(node)
      return rule
    }
    let members = try node.members("a field")
    let sources = [kind] + all.map(\.name)
    let options = all.flatMap(\.options)
    try members.allow(
      sources + ["null-rate", "list", "unique", "locale"] + options, in: "a field")
    for name in members.names { rule.locations[name] = members[name]?.location }
    let given = sources.filter { members[$0] != nil }
    if given.count > 1 {
      throw members[given[1]]!.error("a field has '\(given[0])' or '\(given[1])', not both")
    }
    // Members that say something about another kind of values.
    for name in options where members[name] != nil {
      let owners = all.filter { $0.options.contains(name) }.map(\.name)
      guard !owners.contains(given.first ?? "") else { continue }
      throw members[name]!.error(
        "'\(name)' belongs to " + owners.map { "'\($0)'" }.joined(separator: " or "))
    }
    if let name = given.first, let value = members[name] {
      let source = all.first { $0.name == name }
      rule.kind = try source.map { try $0.read(value, members) } ?? word(value)
    }
    if let null = members["null-rate"] { rule.nullRate = try null.rate("null-rate") }
    if let list = members["list"] {
      rule.length = try list.count("list", in: 0...FieldRule.maxLength)
    }
    rule.isUnique = try members["unique"]?.flag("unique") ?? false
    if let locale = members["locale"] { rule.locale = try locale.one("locale") }
    return rule
  }

  /// Reads a word; nil for the kind that suits the name of the field.
  private static func word(_ node: YAMLNode) throws -> (any GeneratedValues)? {
    let text = try node.text("a field")
    if text == guess { return nil }
    let words = kinds.flatMap { $0.words }
    if let found = words.first(where: { $0.word == text }) { return found.kind }
    throw node.error(
      "there is no kind of values '\(text.prefix(40))'"
        + NearNames.advice(text, among: [guess] + words.map(\.word))
        + "; for a constant, write {value: …}")
  }
}

/// How the values of a field are made.
struct FieldRule: Sendable {
  /// The kind of values; nil for what suits the name and the type of the field.
  var kind: (any GeneratedValues)?
  /// The part of the records without a value, from 0 to 1.
  var nullRate = 0.0
  /// The length of a list; nil for the usual one.
  var length: CountRule?
  /// Whether no two records of the type have the same value.
  var isUnique = false
  /// The language of words; nil for that of the recipe.
  var locale: WordLocale?
  /// Where the recipe says it; nil for a rule that no file has.
  var location: PlanLocation?
  /// The locations of the rule's members, by their names.
  var locations: [String: PlanLocation] = [:]

  /// The maximum length of a list.
  static let maxLength = 10_000

  func location(of member: String) -> PlanLocation? { locations[member] ?? location }

  /// The rule as recipes have it.
  var yaml: String {
    var members = kind?.members ?? [("kind", "guess")]
    if let length { members.append(("list", length.yaml)) }
    if nullRate > 0 { members.append(("null-rate", CountRule.text(nullRate))) }
    if isUnique { members.append(("unique", "true")) }
    if let locale { members.append(("locale", locale.rawValue)) }
    // One word is enough where there is nothing else to say.
    if members.count == 1, members[0].name == "kind" { return members[0].text }
    return "{" + members.map { "\($0.name): \($0.text)" }.joined(separator: ", ") + "}"
  }
}

// MARK: Making

/// The record that values are made for.
final class RecordContext {
  // One thread uses a context, so that checks for each access would cost time for nothing.
  /// The random numbers of the field.
  @exclusivity(unchecked) var random = SeededNumbers(seed: 0)
  @exclusivity(unchecked) var spot = RecordSpot()
  /// Milliseconds since 1970.
  @exclusivity(unchecked) var modified = 0
  /// The number of the record among all of its type, from 0.
  @exclusivity(unchecked) var number = 0
}

/// Makes values, as canonical JSON. Each thread has its own generators.
struct ValueGenerator {
  /// Appends a value.
  ///
  /// It returns false if there is none; the buffer may then have a part of one.
  let append: (RecordContext, ByteBuffer) -> Bool
  /// Appends a value at the edge of what CloudKit allows.
  ///
  /// It returns false, and appends nothing, if the field keeps to its rule.
  var edge: (RecordContext, ByteBuffer) -> Bool = { _, _ in false }

  /// A list of such values.
  func list(_ length: CountRule) -> ValueGenerator {
    let sampler = CountSampler(length)
    let element = append
    return ValueGenerator(
      append: { context, buffer in
        buffer.append(UInt8(ascii: "["))
        let start = buffer.count
        for _ in 0..<sampler.sample(&context.random) where buffer.count - start < Self.largest {
          let end = buffer.count
          if end > start { buffer.append(UInt8(ascii: ",")) }
          if !element(context, buffer) { buffer.count = end }
        }
        buffer.append(UInt8(ascii: "]"))
        return true
      },
      edge: { _, buffer in
        buffer.append("[]")
        return true
      })
  }

  /// The size of JSON after which no more is made of a value: no record has so much.
  static let largest = 8 * RecordLimits.cloudKit.recordSize
}

/// The field and the zone that a generator is for.
struct GeneratorScope {
  let field: FieldPlan
  let section: Section
  let cursor: TreeCursor
  let layout: GenerationLayout
  let use: AssetUse

  var isDouble: Bool { field.type.isDouble }
  var isInList: Bool { field.type.isList }
  var isUnique: Bool { field.rule.isUnique }
  var locale: WordLocale { field.rule.locale ?? layout.recipe.locale }
  /// Whether values may be beyond the rule: a rule that the recipe has in so many words is kept, and
  /// its ends are edges, too.
  var isFree: Bool { field.rule.location == nil }

  /// An order of so many values in which each occurs once; nil for a field with repetitions.
  func shuffle(_ size: Int) -> Shuffle? {
    guard isUnique else { return nil }
    // The same in all zones, in which the numbers of records go on.
    return Shuffle(
      size: UInt64(size),
      key: GeneratorKey.key(layout.seed, "unique", section.type.name, field.name))
  }
}

/// An order of the numbers below a size in which each occurs once, without a table.
struct Shuffle {
  private let size: UInt64
  private let factor: UInt64
  private let offset: UInt64

  /// - Parameter size: Above 0.
  init(size: UInt64, key: UInt64) {
    self.size = size
    var random = SeededNumbers(seed: key)
    offset = random.next() % size
    // A factor without a common divisor makes the product of each number another one.
    var factor = size / 2 + random.next() % (size / 2 + 1) | 1
    while Self.divisor(factor, size) != 1 { factor &+= 1 }
    self.factor = factor % size == 0 ? 1 : factor % size
  }

  func place(of number: Int) -> Int {
    let product = (UInt64(number) % size).multipliedFullWidth(by: factor)
    let rest = size.dividingFullWidth(product).remainder
    // Both are below the size, which is at most 2^63.
    return Int((rest &+ offset) % size)
  }

  private static func divisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
