import RecordModel

/// The model of an app whose records a library writes: Core Data, SwiftData or SQLiteData.
///
/// It has what the library stores and sends to CloudKit: transient, derived and ephemeral properties
/// are not part of it. A schema follows from it: see ``fullSchema`` and ``neededSchema(for:)``.
package struct MirroredModel: Sendable, Hashable {
  /// The library that writes the records.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case coreData = "coredata"
    case swiftData = "swiftdata"
    case sqliteData = "sqlitedata"

    /// The name of the library.
    package var title: String {
      switch self {
      case .coreData: "Core Data"
      case .swiftData: "SwiftData"
      case .sqliteData: "SQLiteData"
      }
    }
  }

  /// The type of an attribute, or of a column.
  package enum AttributeType: String, Sendable, Hashable, CaseIterable {
    case string, integer, boolean, double, decimal, date, uuid, uri, binary, transformable
    /// A value of several parts: a Codable type or an array in SwiftData.
    case composite
    /// A column of text in a table that does not tell whether it has texts or dates.
    case textOrDate
  }

  /// An attribute, or a column.
  package struct Attribute: Sendable, Hashable {
    package var name: String
    package var type: AttributeType
    package var isOptional: Bool
    package var hasDefault: Bool
    /// Whether the app allows encryption in CloudKit.
    package var isEncrypted: Bool
    package var location: SchemaLocation?

    package init(
      _ name: String, _ type: AttributeType, isOptional: Bool = true, hasDefault: Bool = false,
      isEncrypted: Bool = false, location: SchemaLocation? = nil
    ) {
      (self.name, self.type) = (name, type)
      (self.isOptional, self.hasDefault) = (isOptional, hasDefault)
      (self.isEncrypted, self.location) = (isEncrypted, location)
    }
  }

  /// A relationship to objects of an entity.
  package struct Relationship: Sendable, Hashable {
    package var name: String
    /// The name of the other entity.
    package var destination: String
    package var isToMany: Bool
    package var isOptional: Bool
    /// The name of the relationship of the other entity that leads back; nil if there is none.
    package var inverse: String?
    /// Whether the objects have an order.
    package var isOrdered: Bool
    /// Whether an object cannot be deleted while the relationship leads to others. In SQLite, that
    /// is also the rule of a foreign key that has none.
    package var deniesDeletion: Bool
    package var location: SchemaLocation?

    package init(
      _ name: String, to destination: String, isToMany: Bool = false, isOptional: Bool = true,
      inverse: String?, isOrdered: Bool = false, deniesDeletion: Bool = false,
      location: SchemaLocation? = nil
    ) {
      (self.name, self.destination, self.isToMany) = (name, destination, isToMany)
      (self.isOptional, self.inverse, self.location) = (isOptional, inverse, location)
      (self.isOrdered, self.deniesDeletion) = (isOrdered, deniesDeletion)
    }
  }

  /// An entity of Core Data, a class of SwiftData, or a table of SQLiteData.
  package struct Entity: Sendable, Hashable {
    package var name: String
    /// The name of the entity that it inherits from.
    package var parent: String?
    /// Whether only objects of its sub-entities exist.
    package var isAbstract = false
    package var attributes: [Attribute]
    package var relationships: [Relationship]
    /// The properties of each constraint that values are unique, apart from primary keys.
    package var uniqueConstraints: [[String]]
    package var location: SchemaLocation?

    package init(
      _ name: String, parent: String? = nil, attributes: [Attribute] = [],
      relationships: [Relationship] = [], uniqueConstraints: [[String]] = [],
      location: SchemaLocation? = nil
    ) {
      (self.name, self.parent) = (name, parent)
      (self.attributes, self.relationships) = (attributes, relationships)
      (self.uniqueConstraints, self.location) = (uniqueConstraints, location)
    }
  }

  /// A container of CloudKit, with the place that names it.
  package struct Container: Sendable, Hashable {
    package var name: String
    package var location: SchemaLocation

    package init(_ name: String, location: SchemaLocation) {
      (self.name, self.location) = (name, location)
    }
  }

  /// A declaration that was not read, or that the library rejects.
  package struct Problem: Sendable, Hashable {
    package var rule: SchemaRule.ID
    /// The entity, if the problem is in one.
    package var entity: String?
    package var property: String?
    package var message: String
    package var location: SchemaLocation?

    package init(
      _ rule: SchemaRule.ID, entity: String? = nil, property: String? = nil, _ message: String,
      location: SchemaLocation? = nil
    ) {
      (self.rule, self.entity, self.property) = (rule, entity, property)
      (self.message, self.location) = (message, location)
    }
  }

  /// The display name of what it was read from, such as a path.
  package var name: String
  package var kind: Kind
  package private(set) var entities: [Entity]
  /// The roots of all entities with a parent.
  let roots: [String: String]
  /// The declarations that were not read, and the problems that the entities do not show.
  package var problems: [Problem]
  /// The place where the code shares the model's objects; nil if no code that was read does.
  package var sharing: SchemaLocation?
  /// The number of files that were read.
  package var fileCount: Int
  /// Notes for the reader of the findings, such as the classes that no container has.
  package var notes: [String] = []
  /// CloudKit's containers to which the app mirrors the model, as far as they are known.
  package var containers: [Container] = []
  /// The former names of entities and properties, by the path of the present name: `["Note"]`,
  /// `["Note", "title"]`.
  package var originalNames: [[String]: String] = [:]
  /// The comments that allow findings.
  package var comments: [SourceUses.Comment]

  package init(
    name: String, kind: Kind, entities: [Entity], problems: [Problem] = [],
    sharing: SchemaLocation? = nil, fileCount: Int = 1, comments: [SourceUses.Comment] = []
  ) {
    (self.name, self.kind, self.entities) = (name, kind, entities)
    roots = Self.roots(of: entities)
    (self.problems, self.sharing) = (problems, sharing)
    (self.fileCount, self.comments) = (fileCount, comments)
  }

  /// Whether no container mirrors the model to CloudKit.
  var isUnmirrored: Bool { problems.contains { $0.rule == SchemaRule.modelNotMirrored.id } }

  /// Changes the names of files in all places.
  package mutating func renameFiles(_ name: (String) -> String) {
    func rename(_ location: inout SchemaLocation?) {
      if let place = location {
        location = SchemaLocation(file: name(place.file), span: place.span)
      }
    }
    rename(&sharing)
    for index in entities.indices {
      rename(&entities[index].location)
      for number in entities[index].attributes.indices {
        rename(&entities[index].attributes[number].location)
      }
      for number in entities[index].relationships.indices {
        rename(&entities[index].relationships[number].location)
      }
    }
    for index in problems.indices { rename(&problems[index].location) }
    for index in containers.indices {
      containers[index].location.file = name(containers[index].location.file)
    }
    for index in comments.indices {
      let place = comments[index].location
      comments[index].location = SchemaLocation(file: name(place.file), span: place.span)
    }
  }

  /// Returns the name of the entity at the top of the tree of an entity: its own without a parent.
  package func root(of entity: String) -> String { roots[entity] ?? entity }

  /// Takes time linear in the entities, and in a circle of parents, which no library accepts, ends
  /// anywhere.
  private static func roots(of entities: [Entity]) -> [String: String] {
    let parents = Dictionary(
      entities.compactMap { entity in entity.parent.map { (entity.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    var roots: [String: String] = [:]
    for entity in entities where entity.parent != nil {
      var path: [String] = []
      var seen: Set<String> = []
      var name = entity.name
      while roots[name] == nil, let parent = parents[name], seen.insert(name).inserted {
        path.append(name)
        name = parent
      }
      let root = roots[name] ?? name
      for step in path { roots[step] = root }
    }
    return roots
  }

  /// Returns an entity and those that it inherits from, the root last.
  package func ancestry(of entity: Entity) -> [Entity] {
    var chain = [entity]
    while let name = chain[chain.count - 1].parent, chain.count <= entities.count,
      let next = entities.first(where: { $0.name == name })
    {
      chain.append(next)
    }
    return chain
  }

  /// Returns the name of the record type of an entity.
  package func recordType(of entity: String) -> String {
    kind == .sqliteData ? entity : CoreDataNames.recordType(of: root(of: entity))
  }
}
