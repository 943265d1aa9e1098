import RecordSchema
import TestSupport
import Testing

@testable import AppModel

/// A model made at random, which can be written in both languages.
struct RandomModel {
  struct Attribute {
    var name: String
    /// The type in XML, and in Swift with a value.
    var type: (xml: String, swift: String, value: String)
    var isOptional: Bool
    var isEncrypted: Bool
    var isTransient: Bool
  }

  struct Relationship {
    var name: String
    var destination: String
    var inverse: String
    var isToMany: Bool
    /// Whether the Swift code names the inverse.
    var namesInverse: Bool
  }

  struct Entity {
    var name: String
    var parent: String?
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
  }

  private(set) var entities: [Entity] = []

  private static let types = [
    ("String", "String", "\"a\""), ("Integer 64", "Int", "1"), ("Integer 16", "Int16", "2"),
    ("Boolean", "Bool", "true"), ("Double", "Double", "0.5"), ("Float", "Float", "0"),
    ("Decimal", "Decimal", "Decimal(1)"), ("Date", "Date", "Date.now"), ("UUID", "UUID", "UUID()"),
    ("URI", "URL", "URL(string: \"a\")!"), ("Binary", "Data", "Data()"),
    ("Composite", "[String]", "[\"a\"]"), ("Composite", "State", "State.open"),
  ]

  init(_ random: inout SeededGenerator) {
    for number in 0...random.below(5) {
      var entity = Entity(name: "E\(number)")
      if number > 0, random.below(4) == 0 { entity.parent = "E\(random.below(number))" }
      for property in 0..<random.below(7) {
        // Names differ between entities, as those of one tree share a record type.
        entity.attributes.append(
          Attribute(
            name: "a\(number)_\(property)", type: random.pick(Self.types),
            isOptional: random.below(2) == 0, isEncrypted: random.below(6) == 0,
            isTransient: random.below(8) == 0))
      }
      entities.append(entity)
    }
    for number in 0..<random.below(5) {
      let (one, other) = (random.below(entities.count), random.below(entities.count))
      if one == other { continue }
      let names = ("r\(number)a", "r\(number)b")
      let named = random.below(2)
      entities[one].relationships.append(
        Relationship(
          name: names.0, destination: entities[other].name, inverse: names.1,
          isToMany: random.below(2) == 0, namesInverse: named == 0))
      entities[other].relationships.append(
        Relationship(
          name: names.1, destination: entities[one].name, inverse: names.0,
          isToMany: random.below(2) == 0, namesInverse: named == 1))
    }
  }

  var xml: String {
    var text = "<?xml version=\"1.0\"?>\n<model type=\"com.apple.IDECoreDataModeler.DataModel\">\n"
    for entity in entities {
      let parent = entity.parent.map { " parentEntity=\"\($0)\"" } ?? ""
      text += "<entity name=\"\(entity.name)\"\(parent)>\n"
      for attribute in entity.attributes {
        text += "<attribute name=\"\(attribute.name)\" attributeType=\"\(attribute.type.xml)\""
        text += attribute.isOptional ? " optional=\"YES\"" : " defaultValueString=\"x\""
        if attribute.isEncrypted { text += " allowsCloudEncryption=\"YES\"" }
        if attribute.isTransient { text += " transient=\"YES\"" }
        text += "/>\n"
      }
      for relationship in entity.relationships {
        text += "<relationship name=\"\(relationship.name)\" optional=\"YES\" "
        text += relationship.isToMany ? "toMany=\"YES\"" : "maxCount=\"1\""
        text += " destinationEntity=\"\(relationship.destination)\""
        text += " inverseName=\"\(relationship.inverse)\"/>\n"
      }
      text += "</entity>\n"
    }
    return text + "</model>\n"
  }

  func swift(_ random: inout SeededGenerator) -> String {
    var text = "import SwiftData\nenum State: String, Codable { case open }\n"
    for entity in entities {
      text += random.pick(["@Model ", "@SwiftData.Model\n", "@Model // {\n"])
      text += random.pick(["final ", "public ", ""]) + "class \(entity.name)"
      text += (entity.parent.map { ": \($0)" } ?? "") + random.pick([" {\n", "\n{\n"])
      for attribute in entity.attributes { text += declaration(of: attribute, &random) + "\n" }
      for relationship in entity.relationships {
        if relationship.namesInverse {
          text += "@Relationship(inverse: \\\(relationship.destination).\(relationship.inverse)) "
        }
        text += "var \(relationship.name): "
        text +=
          relationship.isToMany ? "[\(relationship.destination)]?" : "\(relationship.destination)?"
        text += random.pick(["\n", " = nil\n", "\n  var c\(relationship.name): Int { 1 }\n"])
      }
      text += "init() {}\n}\n"
    }
    return text
  }

  /// The code of a container in a random form, beside containers and classes that do not count.
  func container(_ random: inout SeededGenerator) -> String {
    let list = entities.map { "\($0.name).self" }.joined(separator: random.pick([", ", ",\n  "]))
    let configuration = random.pick([
      "", ", configurations: config", ", configurations: [config]",
      ", configurations: ModelConfiguration(cloudKitDatabase: on ? .automatic : .none)",
      ", configurations: .init(cloudKitDatabase: .private(\"iCloud.x\"))",
      ", migrationPlan: Plan.self",
    ])
    var text = random.pick([
      "let config = ModelConfiguration(\"a\", isStoredInMemoryOnly: false)\n",
      "let config: ModelConfiguration = .init(allowsSave: true)\n",
      "var config: ModelConfiguration { ModelConfiguration(groupContainer: .none) }\n",
    ])
    text += random.pick([
      "let c = try ModelContainer(for: \(list)\(configuration))\n",
      "let schema = Schema([\(list)])\nlet c = try ModelContainer(for: schema\(configuration))\n",
      "enum All { static let types: [any PersistentModel.Type] = [\(list)] }\n"
        + "let c: ModelContainer = try .init(for: Schema(All.types)\(configuration))\n",
      "struct MyApp: App { var body: some Scene { G {}.modelContainer(for: [\(list)]) } }\n",
      "enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [\(list)] } }\n"
        + "typealias Now = V1\n"
        + "let c = try ModelContainer(for: Schema(versionedSchema: Now.self)\(configuration))\n",
      "func make(_ schema: Schema) throws -> ModelContainer {\n"
        + "  try ModelContainer(for: schema\(configuration))\n}\n"
        + "let c = try make(Schema([\(list)]))\n",
    ])
    text += "@Model class Other { var other = 0; init() {} }\n"
    for _ in 0..<random.below(3) {
      text += random.pick([
        "#Preview { V().modelContainer(for: Other.self) }\n",
        "let m = try ModelContainer(for: Other.self, configurations: "
          + "ModelConfiguration(isStoredInMemoryOnly: true))\n",
        "let l = try ModelContainer(for: Other.self, E0.self, configurations: "
          + "ModelConfiguration(cloudKitDatabase: .none))\n",
        "func f() { let schema = Schema([E0.self]); _ = try! ModelContainer(for: schema, "
          + "configurations: ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)) }\n",
      ])
    }
    return text
  }

  private func declaration(of attribute: Attribute, _ random: inout SeededGenerator) -> String {
    var text = attribute.isTransient ? "@Transient " : ""
    if attribute.isEncrypted { text += "@Attribute(.allowsCloudEncryption) " }
    text += random.pick(["", "public ", "private(set) "]) + "var \(attribute.name)"
    let type = attribute.type.swift
    if attribute.isOptional {
      return text + ": " + random.pick(["\(type)?", "Optional<\(type)>", "(\(type))?"])
    }
    if random.below(2) == 0, !["Int16", "Float"].contains(type) {
      return text + " = " + attribute.type.value
    }
    return text + ": \(type) = \(attribute.type.value)"
      + random.pick(["", " { didSet { var z = 0 } }"])
  }
}

@Suite("Properties of models")
struct ModelPropertyTests {
  @Test("a model has the same schema as XML and as Swift code, in every form of container")
  func bothLanguages() {
    for seed in SeededGenerator.seeds(300) {
      var random = SeededGenerator(seed)
      let model = RandomModel(&random)
      var source = model.swift(&random)
      if seed % 4 > 0 { source += model.container(&random) }
      let read = swiftModel(source)
      let other = CoreDataModel.read(Array(model.xml.utf8), file: "m", named: "m")
      #expect(read.problems == [], "\(seed): \(source)")
      #expect(other.problems == [], "\(seed)")
      #expect(read.fullSchema == other.fullSchema, "\(seed): \(source)")
      let reports = [read, other].map { try? SchemaChecker().validate(SchemaDocument($0)) }
      #expect(reports[0]?.findings.map(\.rule) == reports[1]?.findings.map(\.rule), "\(seed)")
    }
  }

  @Test("a schema that is derived passes all rules, and its model needs nothing more")
  func derivedSchemasAreValid() throws {
    for seed in SeededGenerator.seeds(60) {
      var random = SeededGenerator(seed)
      let model = CoreDataModel.read(
        Array(RandomModel(&random).xml.utf8), file: "m", named: "m")
      let full = model.fullSchema
      let printed = SchemaDocument(parsing: SchemaPrinter().print(full), name: "full.ckdb")
      #expect(try SchemaChecker().validate(printed).findings == [], "\(seed)")
      let report = try SchemaChecker().compare(
        from: printed, to: SchemaDocument(model), kind: .drift)
      #expect(report.findings == [], "\(seed)")
    }
  }

  @Test("production without one field gives one finding, at the property")
  func missingField() throws {
    for seed in SeededGenerator.seeds(60) {
      var random = SeededGenerator(seed)
      let source = RandomModel(&random).swift(&random)
      let document = SchemaDocument(swiftModel(source))
      var production = document.schema
      let types = production.recordTypes.indices.filter {
        production.recordTypes[$0].name.hasPrefix("CD_")
      }
      let type = random.pick(types)
      let fields = production.recordTypes[type].fields.indices.filter {
        let name = production.recordTypes[type].fields[$0].name
        return name.hasPrefix("CD_") && !name.contains("moveReceipt")
      }
      let removed = production.recordTypes[type].fields.remove(at: random.pick(fields))
      let report = try SchemaChecker().compare(
        from: SchemaDocument(production, name: "p"), to: document, kind: .drift)
      #expect(report.findings.count == 1, "\(seed)")
      #expect(report.findings.first?.location?.file == "0.swift")
      let isAsset = removed.name.hasSuffix("_ckAsset")
      #expect(report.findings.first?.subject.field == (isAsset ? nil : removed.name))
      #expect(report.findings.first?.message.contains(removed.name) == true)
      #expect(report.fails(at: .error) != isAsset && report.fails(at: .note))
    }
  }

  @Test("changed code never loses a property in silence")
  func mutations() {
    let pieces = [
      "{", "}", "(", ")", "[", "]", "\"", ",", ":", "=", "?", "@", "#if A\n", "#endif\n", "\n", ";",
      " var ", " let ", "static ", "/*", "*/", "//", "<", ">", "class ", "func ",
    ]
    for seed in SeededGenerator.seeds(200) {
      var random = SeededGenerator(seed)
      let model = RandomModel(&random)
      var bytes = Array(model.swift(&random).utf8)
      for _ in 0...random.below(3) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(0x20 + random.below(0x5F))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(12)))
        default: bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: place)
        }
      }
      var sources = SwiftModelSources()
      sources.add("0.swift", bytes)
      let read = sources.swiftData(named: "m")
      if !read.problems.isEmpty { continue }
      // Without a problem, each property whose declaration is whole is read.
      let names = Set(
        properties(read).map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) })
      for name in Self.wholeDeclarations(bytes) {
        #expect(
          names.contains(name), "\(seed): \(name) in \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  /// The names behind `var` at the beginning of a line that is code in the body of a model's class, by
  /// the tokens alone.
  private static func wholeDeclarations(_ bytes: [UInt8]) -> [String] {
    let file = SourceFile(name: "0.swift", bytes: bytes)
    var result: [String] = []
    var end = 0
    for index in file.tokens.indices {
      if index < end { continue }
      guard file.isSymbol(index, "@"), file.isName(index + 1, "Model"),
        let open = file.first(from: index, where: { file.isOpen($0, "{") })
      else { continue }
      guard file.tokens[index..<open].contains(where: { $0.isName("class") }) else { continue }
      end = min(file.matches[open], file.tokens.count)
      var position = open + 1
      while position < end {
        if file.isName(position, "var"), file.tokens[position].followsLineBreak,
          let name = file.name(position + 1),
          file.isSymbol(position + 2, ":") || file.isSymbol(position + 2, "="),
          !file.isName(position - 1, "Transient"),
          let stop = file.first(
            from: position + 2, to: end,
            where: { file.tokens[$0].followsLineBreak || file.isOpen($0, "{") }),
          !file.isOpen(stop, "{")
        {
          result.append(name)
        }
        position = file.after(position)
      }
    }
    return result
  }

  @Test(
    "deep and long code takes linear time",
    arguments: [
      "@Model class A {", "@Model class A: ", "var a: [", "var a: A<", "var a: (", "var a = ",
      "var a, ", "@Attribute(", "#Unique<A>(", "typealias A = ", "case a, ", "#if A\n", "class A {",
      "extension A {", "Schema([A.self, ", "ModelConfiguration(", "ModelContainer(for: ",
      "{ didSet ",
      "let a = ModelContainer(for: a, configurations: a)\n", "let a: Schema = a + a\n",
      "func a(a: Schema) { a(a: a) }\n", "ModelContainer(for: Schema(a), ", "typealias A = A.A\n",
      "let a: ModelConfiguration = .init(cloudKitDatabase: a)\n", "CREATE TABLE ",
    ])
  func depth(_ piece: String) {
    let text = "@Model class Book {\n" + String(repeating: piece, count: 2_000)
    let time = ThreadTime.measure { _ = swiftModel(text) }
    #expect(time < .seconds(10), "\(time)")
    let sql = ThreadTime.measure {
      let text = "CREATE TABLE a (b);" + String(repeating: piece, count: 2_000)
      _ = SQLiteDataModel.read(text, file: "a", named: "a")
    }
    #expect(sql < .seconds(10))
  }
}
