import RecordSchema

/// Makes the model of an app's `@Model` classes.
struct SwiftDataModelReader {
  private typealias DeclaredType = SwiftDeclarations.DeclaredType

  private var names: DeclaredTypes
  private let files: [SwiftDeclarations]
  private var problems: [MirroredModel.Problem] = []
  private var entities: [MirroredModel.Entity] = []
  private var originalNames: [[String]: String] = [:]
  /// The explicit inverses: of entity and property, the property that leads back.
  private var explicit: [[String]: [String]] = [:]

  /// - Parameter version: The name of a `VersionedSchema`; nil for the current one.
  static func read(
    _ files: [SwiftDeclarations], names: DeclaredTypes, named name: String, version: String?
  ) -> MirroredModel {
    var reader = SwiftDataModelReader(names: names, files: files)
    return reader.model(named: name, version)
  }

  private init(names: DeclaredTypes, files: [SwiftDeclarations]) {
    (self.names, self.files) = (names, files)
  }

  private mutating func model(named name: String, _ version: String?) -> MirroredModel {
    for file in files {
      for problem in file.problems { notRead(problem.message, at: problem.location) }
    }
    let choice = ModelChoice(names, files, version: version)
    names = choice.names
    problems += choice.problems
    let models = choice.models
    for type in models { add(type) }
    pairInverses()
    var model = MirroredModel(
      name: name, kind: .swiftData, entities: entities, problems: problems,
      sharing: files.contains { $0.mentions["NSPersistentCloudKitContainer"] != nil }
        ? files.lazy.compactMap { $0.mentions["CKShare"] }.first : nil,
      fileCount: files.count,
      comments: files.flatMap(\.comments))
    model.originalNames = originalNames
    let chosen = Set(models.compactMap(\.path.last))
    let others = Set(files.flatMap(\.types).filter(\.isModel).compactMap(\.path.last))
      .subtracting(chosen).sorted()
    if !others.isEmpty {
      model.notes.append(
        "not in the mirrored containers, or of older versions, and not checked: "
          + others.prefix(10).joined(separator: ", ") + (others.count > 10 ? ", …" : ""))
    }
    let containers = files.map(\.containers)
    if version == nil, !models.isEmpty,
      containers.allSatisfy({ $0.containers.isEmpty && $0.schemas.isEmpty })
    {
      model.notes.append("no container of the app was read, so all classes are checked")
    }
    return model
  }

  private mutating func notRead(
    _ message: String, at location: SchemaLocation, entity: String? = nil, property: String? = nil
  ) {
    problems.append(
      .init("MODEL_NOT_READ", entity: entity, property: property, message, location: location))
  }

  // MARK: - Classes

  private mutating func add(_ type: DeclaredType) {
    let name = type.path.last ?? ""
    guard type.keyword == "class" else {
      return notRead("'@Model' stands before the \(type.keyword) '\(name)'", at: type.location)
    }
    for problem in type.problems { notRead(problem.message, at: problem.location, entity: name) }
    var entity = MirroredModel.Entity(
      name, parent: parent(of: type), location: type.location)
    for unique in type.uniques { entity.uniqueConstraints.append(unique.properties) }
    var known: [String: (type: PropertyType, isOptional: Bool)] = [:]
    for member in type.members where isStored(member, of: name) {
      guard let meaning = meaning(of: member, in: type.path) else { continue }
      if let other = known[member.name] {
        // Both branches of #if.
        if other != meaning {
          notRead(
            "'\(member.name)' of '\(name)' is declared twice, with different types",
            at: member.location, entity: name, property: member.name)
        }
        continue
      }
      known[member.name] = meaning
      add(member, meaning, to: &entity)
    }
    entities.append(entity)
  }

  /// The entity that a class inherits from.
  private mutating func parent(of type: DeclaredType) -> String? {
    guard case .named(let path, _)? = type.inherited.first else { return nil }
    if let base = names.type(named: path, in: Array(type.path.dropLast())) {
      return base.isModel ? base.path.last : nil
    }
    let name = path.last ?? ""
    guard !Self.isKnownProtocol(name) else { return nil }
    notRead(
      "'\(type.path.last ?? "")' inherits from '\(name)', which is declared in no file that was read",
      at: type.location, entity: type.path.last)
    return nil
  }

  /// Whether a name is that of a protocol: a well-known one, or by its form.
  private static func isKnownProtocol(_ name: String) -> Bool {
    let known: Set<String> = [
      "PersistentModel", "Sendable", "Error", "Observable", "ObservableObject", "NSObject",
    ]
    let endings = ["able", "ible", "Protocol", "Providing", "Representation"]
    return known.contains(name) || endings.contains { name.hasSuffix($0) }
  }

  private static let macros: Set<String> = [
    "Attribute", "Relationship", "Transient", "available", "MainActor", "objc", "nonobjc",
    "usableFromInline", "inlinable", "preconcurrency", "NSManaged",
  ]

  private mutating func isStored(_ member: ModelMember, of entity: String) -> Bool {
    if member.modifiers.contains("static") || member.macro("Transient") != nil { return false }
    if let macro = member.macros.first(where: { !Self.macros.contains($0.name) }) {
      notRead(
        "'@\(macro.name)' before '\(member.name)' of '\(entity)' is not known", at: member.location,
        entity: entity, property: member.name)
      return false
    }
    // A constant is stored: the store of a public app has the column of `let id = UUID()`.
    if member.modifiers.contains("lazy") {
      notRead(
        "'\(member.name)' of '\(entity)' is lazy, which SwiftData does not store; mark it "
          + "@Transient, or give it a value", at: member.location, entity: entity,
        property: member.name)
      return false
    }
    return true
  }

  // MARK: - Properties

  private mutating func meaning(
    of member: ModelMember, in path: [String]
  ) -> (type: PropertyType, isOptional: Bool)? {
    if let options = member.macro("Attribute") {
      let words = options.arguments.filter { $0.label == nil }.flatMap(\.words)
      if words.contains("ephemeral") { return nil }
      if words.contains("transformable") {
        let isOptional = member.type.map { names.meaning(of: $0, in: path).isOptional } ?? false
        return (.attribute(.transformable), isOptional)
      }
    }
    var found: (type: PropertyType, isOptional: Bool)?
    if let type = member.type {
      found = names.meaning(of: type, in: path)
    } else if let value = member.value {
      found = (names.meaning(of: value, in: path), false)
    }
    guard let found else {
      notRead(
        "'\(member.name)' has neither a type nor a value", at: member.location,
        entity: path.last, property: member.name)
      return nil
    }
    if case .unknown(let reason) = found.type {
      notRead(
        "the type of '\(member.name)' of '\(path.last ?? "")' is not known: \(reason)",
        at: member.location, entity: path.last, property: member.name)
      return nil
    }
    return found
  }

  private static let options: Set<String> = [
    "unique", "externalStorage", "spotlight", "preserveValueOnDeletion", "allowsCloudEncryption",
    "ephemeral", "transformable", "by", "self", "Schema", "Attribute", "Option",
  ]

  private mutating func add(
    _ member: ModelMember, _ meaning: (type: PropertyType, isOptional: Bool),
    to entity: inout MirroredModel.Entity
  ) {
    let words =
      (member.macro("Attribute")?.arguments ?? []).filter { $0.label == nil }.flatMap(\.words)
    let relation = member.macro("Relationship")?.arguments ?? []
    if words.contains("unique")
      || relation.contains(where: { $0.label == nil && $0.words.contains("unique") })
    {
      entity.uniqueConstraints.append([member.name])
    }
    let original =
      ((member.macro("Attribute")?.arguments ?? []) + relation).first { $0.label == "originalName" }
    if let name = original?.words.first, original?.words.count == 1 {
      originalNames[[entity.name, member.name]] = name
    }
    switch meaning.type {
    case .attribute(let type):
      if member.macro("Relationship") != nil {
        notRead(
          "'\(member.name)' of '\(entity.name)' is a relationship to no model that was read",
          at: member.location, entity: entity.name, property: member.name)
      }
      if !words.contains("transformable"),
        let option = words.first(where: { $0.first?.isLetter == true && !Self.options.contains($0) }
        )
      {
        notRead(
          "the option '\(option)' of '\(member.name)' is not known", at: member.location,
          entity: entity.name, property: member.name)
      }
      entity.attributes.append(
        .init(
          member.name, type, isOptional: meaning.isOptional, hasDefault: member.value != nil,
          isEncrypted: words.contains("allowsCloudEncryption"), location: member.location))
    case .toOne(let path), .toMany(let path):
      var isToMany = false
      if case .toMany = meaning.type { isToMany = true }
      if words.contains("allowsCloudEncryption") {
        problems.append(
          .init(
            "MODEL_PROPERTY_IGNORED", entity: entity.name, property: member.name,
            "the relationship '\(member.name)' of '\(entity.name)' is encrypted; Core Data rejects the "
              + "model at launch", location: member.location))
      }
      let destination = path.last ?? ""
      if let inverse = Self.keyPath(relation.first { $0.label == "inverse" }?.words ?? []) {
        explicit[[entity.name, member.name]] = [destination, inverse]
        explicit[[destination, inverse]] = [entity.name, member.name]
      }
      let rule = relation.first { $0.label == "deleteRule" }?.words ?? []
      entity.relationships.append(
        .init(
          member.name, to: destination, isToMany: isToMany, isOptional: meaning.isOptional,
          inverse: nil, deniesDeletion: rule.contains("deny"), location: member.location))
    case .unknown: break
    }
  }

  /// The property of a key path such as `\Folder.items`.
  private static func keyPath(_ words: [String]) -> String? {
    guard words.contains("\\") else { return nil }
    return words.last { $0.first.map { $0.isLetter || $0 == "_" } ?? false }
  }

  // MARK: - Inverses

  /// Gives each relationship the one that leads back: the one that `inverse:` names, or the only one
  /// of the other class that leads to this class and has none of its own.
  private mutating func pairInverses() {
    let roots = Dictionary(
      entities.compactMap { entity in entity.parent.map { (entity.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    // The candidates by the class that has them, and the class that they lead to.
    var candidates: [[String]: [String]] = [:]
    for entity in entities {
      for relationship in entity.relationships
      where explicit[[entity.name, relationship.name]] == nil {
        candidates[[entity.name, relationship.destination], default: []].append(relationship.name)
      }
    }
    func family(_ name: String) -> [String] {
      var result = [name]
      while let parent = roots[result[result.count - 1]], !result.contains(parent),
        result.count < 64
      {
        result.append(parent)
      }
      return result
    }
    for position in entities.indices {
      let name = entities[position].name
      for number in entities[position].relationships.indices {
        let relationship = entities[position].relationships[number]
        if let inverse = explicit[[name, relationship.name]] {
          entities[position].relationships[number].inverse = inverse[1]
          continue
        }
        var found: [String] = []
        for other in family(relationship.destination) {
          for own in family(name) {
            found += (candidates[[other, own]] ?? []).filter {
              other != name || $0 != relationship.name
            }
          }
        }
        // Two relationships to one class: each could be the inverse.
        let rivals = candidates[[name, relationship.destination]]?.count ?? 0
        if found.count == 1, rivals == 1 || name == relationship.destination {
          entities[position].relationships[number].inverse = found[0]
        }
      }
    }
  }
}
