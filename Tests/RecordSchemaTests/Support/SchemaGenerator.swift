import RecordModel

@testable import RecordSchema

/// Makes schemas of every feature of the language.
struct SchemaGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed) }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }
  private mutating func pick<T>(_ list: [T]) -> T {
    list[Int.random(in: 0..<list.count, using: &random)]
  }

  private static let names = [
    "title", "order", "type", "role", "grant", "Sortable", "CD_name", "timestamp", "to", "x1",
    "LIST", "asset", "preferred", "a_b", "Define", "long_name_with_numbers_0123456789",
  ]
  private static let typeNames = [
    "Todo", "Tag", "cloudkit.share", "Users", "CD_Thing", "queryable", "Note", "list", "RECORD",
  ]

  mutating func schema() -> CloudSchema {
    let roles = ["moderator", "Editors", "grant"].filter { _ in chance(40) }
    var types: [CloudSchema.RecordType] = []
    for name in Self.typeNames.shuffled(using: &random) where chance(60) || types.isEmpty {
      types.append(recordType(name, roles: roles))
    }
    var schema = CloudSchema(
      roles: roles.map { CloudSchema.Role($0) }, recordTypes: types)
    for index in roles.indices { schema.roles[index].comments = comments(closing: false) }
    schema.comments = comments(closing: true)
    schema.comments.ending = nil
    return schema
  }

  private mutating func recordType(_ name: String, roles: [String]) -> CloudSchema.RecordType {
    var fields = SystemField.allCases.filter { _ in chance(50) }.map {
      CloudSchema.Field($0.rawValue, $0.type, options())
    }
    for name in Self.names where chance(40) {
      fields.append(CloudSchema.Field(name, type(), options()))
    }
    var grants: [CloudSchema.Grant] = []
    for role in ["_creator", "_icloud", "_world"] + roles where chance(60) {
      let permissions = CloudSchema.Permissions(rawValue: UInt8.random(in: 1...7, using: &random))
      grants.append(CloudSchema.Grant(permissions, to: role))
    }
    // An empty type is read with a warning only, but has no place for a comment of its entries.
    if fields.isEmpty { fields.append(CloudSchema.Field("only", .string)) }
    fields.shuffle(using: &random)
    grants.shuffle(using: &random)
    for index in fields.indices { fields[index].comments = comments(closing: false) }
    for index in grants.indices { grants[index].comments = comments(closing: false) }
    var comments = comments(closing: true)
    if chance(20) { comments.ending = comment(line: true) }
    var type = CloudSchema.RecordType(name, fields: fields, grants: grants)
    type.comments = comments
    return type
  }

  private mutating func type() -> CloudSchema.FieldType {
    CloudSchema.FieldType(
      pick(CloudSchema.Primitive.allCases), isList: chance(25), isEncrypted: chance(25),
      numberPreference: pick([nil, .int64, .double]))
  }

  private mutating func options() -> CloudSchema.IndexOptions {
    CloudSchema.IndexOptions(rawValue: UInt8.random(in: 0...7, using: &random))
  }

  // MARK: - Comments

  private mutating func comments(closing: Bool) -> CloudSchema.Comments {
    var comments = CloudSchema.Comments()
    guard chance(30) else { return comments }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      comments.leading.append(comment(line: false))
    }
    if chance(50) { comments.trailing = comment(line: true) }
    if closing, chance(30) {
      comments.closing = [comment(line: false), comment(line: false)]
      comments.closing[1].isFollowedByBlankLine = false
    }
    return comments
  }

  /// - Parameter line: Whether it must fit at the end of a line.
  private mutating func comment(line: Bool) -> CloudSchema.Comment {
    let sources = [
      "// plain", "-- dashes; RECORD TYPE x (", "/* block, */", "//", "// ä € 🙂 \"", "/**/",
    ]
    let source = !line && chance(20) ? "/* two\n      lines */" : pick(sources)
    return CloudSchema.Comment(source: source, isFollowedByBlankLine: !line && chance(20))
  }

  /// A schema that comes from another by random edits: most of it stays.
  mutating func edited(_ schema: CloudSchema) -> CloudSchema {
    var result = schema
    let other = self.schema()
    if chance(30) { result.roles = other.roles }
    result.recordTypes.removeAll { _ in chance(10) }
    for index in result.recordTypes.indices where chance(60) {
      result.recordTypes[index].fields.removeAll { _ in chance(15) }
      for field in result.recordTypes[index].fields.indices where chance(20) {
        let isSystem =
          SystemField(rawValue: result.recordTypes[index].fields[field].name) != nil
        if !isSystem { result.recordTypes[index].fields[field].type = type() }
        result.recordTypes[index].fields[field].options = options()
      }
      if chance(20) {
        result.recordTypes[index].fields.append(CloudSchema.Field("added", type(), options()))
      }
      if chance(30) { result.recordTypes[index].grants = recordType("", roles: []).grants }
    }
    for type in other.recordTypes where chance(20) {
      if result.recordType(named: type.name) == nil { result.recordTypes.append(type) }
    }
    return result
  }
}
