import RecordModel

/// The schema that follows from a model, with the places in the model.
///
/// Core Data and SwiftData: Apple, "Reading CloudKit Records for Core Data"; OpenCloudData, a
/// reconstruction of the mirroring (`OCCloudKitSerializer`, `fullyMaterializeRecords`); indexes as in
/// the exports of containers. SQLiteData: its sources (`CloudKit+StructuredQueries.swift`).
struct MirroredSchema {
  /// Whether records can be saved without an element.
  enum Level: Sendable {
    /// Each object that has a value fails without it.
    case needed
    /// Written for large values only.
    case companion
    /// Written once an object moves to the zone of a share.
    case moveReceipt
    /// Written once two objects of a many-to-many relationship are linked.
    case link
  }

  struct Element: Sendable {
    var field: CloudSchema.Field
    var level: Level
    var location: SchemaLocation?
    /// The types that a field may have in place of its own.
    var alternatives: [CloudSchema.FieldType] = []
    /// Whether the value of a companion can be large by its type or its name.
    var mayBeLarge = false
  }

  /// The fields by record type, each in the order of the model.
  private(set) var elements: [(recordType: String, fields: [Element])] = []
  /// Fields of one record type that have one name and two types.
  private(set) var conflicts: [MirroredModel.Problem] = []
  private var positions: [String: Int] = [:]
  private var names: [String: [ExactString: Int]] = [:]
  private(set) var locations: [SchemaSubject: SchemaLocation] = [:]

  init(_ model: MirroredModel) {
    for entity in model.entities {
      let type = model.recordType(of: entity.name)
      if locations[.type(type)] == nil || entity.parent == nil, let location = entity.location {
        locations[.type(type)] = location
      }
      model.kind == .sqliteData ? addTable(entity) : addEntity(entity, to: type)
    }
    locations[.type(CloudSchema.RecordType.builtInShare.name)] = model.sharing
    guard model.kind != .sqliteData, let link = model.firstLink else { return }
    for name in CoreDataNames.linkFields {
      add(
        CloudSchema.Field(name, .string, [.queryable, .searchable, .sortable]), .link,
        to: CoreDataNames.linkType, at: link.location)
    }
  }

  // MARK: - Core Data and SwiftData

  private mutating func addEntity(_ entity: MirroredModel.Entity, to type: String) {
    add(
      Self.indexed(CoreDataNames.entityNameField, .string), .needed, to: type, at: entity.location)
    for attribute in entity.attributes {
      let name = CoreDataNames.field(of: attribute.name)
      let primitive = attribute.type.primitive
      let place = attribute.location ?? entity.location
      let fieldType = CloudSchema.FieldType(primitive, isEncrypted: attribute.isEncrypted)
      add(
        attribute.isEncrypted
          ? CloudSchema.Field(name, fieldType) : Self.indexed(name, fieldType),
        .needed, to: type, at: place, subject: (entity.name, attribute.name))
      guard attribute.type.hasCompanion else { continue }
      add(
        CloudSchema.Field(CoreDataNames.assetField(of: name), .asset), .companion, to: type,
        at: place, mayBeLarge: attribute.mayBeLarge)
    }
    for relationship in entity.relationships where !relationship.isToMany {
      add(
        Self.indexed(CoreDataNames.field(of: relationship.name), .string), .needed, to: type,
        at: relationship.location ?? entity.location, subject: (entity.name, relationship.name))
    }
    let receipt = CoreDataNames.moveReceiptField
    add(Self.indexed(receipt, .bytes), .moveReceipt, to: type, at: entity.location)
    add(
      CloudSchema.Field(CoreDataNames.assetField(of: receipt), .asset), .moveReceipt, to: type,
      at: entity.location)
  }

  /// A field with the indexes that it has when the first record creates it (466 fields of 7 exports).
  private static func indexed(_ name: String, _ type: CloudSchema.FieldType) -> CloudSchema.Field {
    CloudSchema.Field(
      name, type,
      type == .string ? [.queryable, .searchable, .sortable] : [.queryable, .sortable])
  }

  // MARK: - SQLiteData

  /// The beginning of the fields with the times of changes.
  private static let timePrefix = "sqlitedata_icloud_userModificationTime"

  private mutating func addTable(_ table: MirroredModel.Entity) {
    add(
      CloudSchema.Field(Self.timePrefix, .encrypted(.int64)), .needed, to: table.name,
      at: table.location)
    for column in table.attributes {
      let place = column.location ?? table.location
      let subject = (table.name, column.name)
      if column.type == .binary {
        add(CloudSchema.Field(column.name, .asset), .needed, to: table.name, at: place)
        add(
          CloudSchema.Field(column.name + "_hash", .encrypted(.bytes)), .needed, to: table.name,
          at: place, subject: subject)
      } else {
        add(
          CloudSchema.Field(column.name, .encrypted(column.type.primitive)), .needed,
          to: table.name, at: place, subject: subject,
          alternatives: column.type == .textOrDate ? [.encrypted(.timestamp)] : [])
      }
      add(
        CloudSchema.Field(Self.timePrefix + "_" + column.name, .encrypted(.int64)), .needed,
        to: table.name, at: place)
    }
  }

  // MARK: - Fields

  private mutating func add(
    _ field: CloudSchema.Field, _ level: Level, to type: String, at location: SchemaLocation?,
    subject: (entity: String, property: String)? = nil,
    alternatives: [CloudSchema.FieldType] = [], mayBeLarge: Bool = false
  ) {
    let position =
      positions[type]
      ?? {
        positions[type] = elements.count
        elements.append((type, []))
        return elements.count - 1
      }()
    if let known = names[type]?[ExactString(field.name)] {
      let other = elements[position].fields[known].field
      // Two sub-entities may have one attribute each of one name.
      if other.type != field.type, let subject {
        conflicts.append(
          MirroredModel.Problem(
            SchemaRule.modelFieldConflict.id, entity: subject.entity, property: subject.property,
            "'\(subject.property)' of '\(subject.entity)' is stored in '\(field.name)' of '\(type)' "
              + "as \(field.type), and another property there as \(other.type)", location: location)
        )
      }
      return
    }
    names[type, default: [:]][ExactString(field.name)] = elements[position].fields.count
    elements[position].fields.append(
      Element(
        field: field, level: level, location: location, alternatives: alternatives,
        mayBeLarge: mayBeLarge))
    if let location { locations[.field(field.name, of: type)] = location }
  }
}

extension MirroredModel.Attribute {
  /// Words of names whose texts have no usual length.
  private static let longTexts: Set<String> = [
    "text", "body", "content", "contents", "note", "notes", "description", "descriptions",
    "details", "html", "json", "xml", "csv", "markdown", "transcript", "summary", "message",
    "messages", "comment", "comments", "log", "data", "prompt", "instructions", "story", "script",
    "article", "document", "payload", "lyrics", "biography", "base64",
  ]
  /// Words at the end of names of short texts.
  private static let shortTexts: Set<String> = ["id", "identifier", "raw", "value", "type", "kind"]

  /// Whether a value can have so many bytes that Core Data stores it in a file.
  fileprivate var mayBeLarge: Bool {
    switch type {
    case .binary, .transformable: return true
    case .string:
      let words = NameWords(name).words.map { $0.lowercased() }
      return words.contains(where: Self.longTexts.contains)
        && !Self.shortTexts.contains(words.last ?? "")
    default: return false
    }
  }
}

extension MirroredModel.AttributeType {
  /// The type of the attribute's field.
  var primitive: CloudSchema.Primitive {
    switch self {
    case .string, .uuid, .uri, .textOrDate: .string
    case .integer, .boolean: .int64
    case .double, .decimal: .double
    case .date: .timestamp
    case .binary, .transformable, .composite: .bytes
    }
  }

  /// Whether large values are stored as files, in a field of their own. UUIDs never are (exports of
  /// two containers).
  var hasCompanion: Bool {
    switch self {
    case .string, .uri, .binary, .transformable, .composite: true
    default: false
    }
  }
}

extension MirroredModel {
  /// The first relationship with many objects on both sides.
  fileprivate var firstLink: Relationship? {
    var toMany: Set<[String]> = []
    for entity in entities {
      for relationship in entity.relationships where relationship.isToMany {
        toMany.insert([entity.name, relationship.name])
      }
    }
    let parents = Dictionary(
      entities.map { ($0.name, $0.parent) }, uniquingKeysWith: { first, _ in first })
    for entity in entities {
      for relationship in entity.relationships where relationship.isToMany {
        guard let inverse = relationship.inverse else { continue }
        // The inverse may be inherited.
        var name: String? = relationship.destination
        var seen: Set<String> = []
        while let current = name, seen.insert(current).inserted {
          if toMany.contains([current, inverse]) { return relationship }
          name = parents[current].flatMap { $0 }
        }
      }
    }
    return nil
  }

  /// The schema that the library creates when it creates all of it, as Core Data does with
  /// `initializeCloudKitSchema()`: with the fields of large values and of moved objects, and the type
  /// of links where a relationship has many objects on both sides.
  package var fullSchema: CloudSchema { schema(MirroredSchema(self).elements) { _ in true } }

  /// The record types and fields without which objects cannot be saved, and what production has
  /// besides of the full schema, with production's indexes and grants: libraries use none.
  package func neededSchema(for production: CloudSchema) -> CloudSchema {
    let index = SchemaIndex(production)
    let elements = MirroredSchema(self).elements
    var needed = schema(elements) { type, element in
      element.level == .needed || index.field(named: element.field.name, of: type) != nil
    }
    for position in needed.recordTypes.indices {
      let name = needed.recordTypes[position].name
      guard let known = index[name] else { continue }
      if SchemaNames.managedTypes.contains(name) {
        needed.recordTypes[position] = known
        continue
      }
      needed.recordTypes[position].grants = known.grants
      let alternatives = Dictionary(
        (elements.first { $0.recordType == name }?.fields ?? []).map {
          (ExactString($0.field.name), $0.alternatives)
        }, uniquingKeysWith: { first, _ in first })
      for number in needed.recordTypes[position].fields.indices {
        let field = needed.recordTypes[position].fields[number]
        guard let known = index.field(named: field.name, of: name) else { continue }
        needed.recordTypes[position].fields[number].options = known.options
        if alternatives[ExactString(field.name)]?.contains(known.type) == true {
          needed.recordTypes[position].fields[number].type = known.type
        }
      }
    }
    return needed
  }

  private func schema(
    _ elements: [(recordType: String, fields: [MirroredSchema.Element])],
    where isIncluded: (String, MirroredSchema.Element) -> Bool
  ) -> CloudSchema {
    var types = elements.compactMap { type, fields -> CloudSchema.RecordType? in
      let fields = fields.filter { isIncluded(type, $0) }.map(\.field)
      if fields.isEmpty { return nil }
      var result = CloudSchema.RecordType.justInTime(named: type)
      result.fields += fields
      return result
    }
    let own: [CloudSchema.RecordType] =
      sharing != nil ? [.builtInUsers, .builtInShare] : [.builtInUsers]
    types += own.filter { type in !types.contains { $0.name == type.name } }
    return CloudSchema(recordTypes: types).canonicalized()
  }

  private func schema(
    _ elements: [(recordType: String, fields: [MirroredSchema.Element])],
    where isIncluded: (MirroredSchema.Element) -> Bool
  ) -> CloudSchema {
    schema(elements) { _, element in isIncluded(element) }
  }
}
