import Foundation
import RecordCoding
import RecordModel

/// Reads the archive of a compiled model. Any bytes are accepted; what is wrong is an error.
struct StoreModelReader {
  /// The maximum number of properties, elements of composites included. An archive could give each
  /// of its entities the same properties, and so grow without bound.
  private static let maxProperties = 100_000
  private static let maxEntities = 4_000
  private static let maxDepth = 8

  private var count = 0

  /// - Throws: `RecordCodingError`.
  static func read(_ data: Data) throws -> StoreModel {
    var reader = StoreModelReader()
    return try reader.model(KeyedArchive(decoding: data).top.required("root"))
  }

  private mutating func model(_ root: KeyedArchiveNode) throws -> StoreModel {
    try root.instance(of: "NSManagedObjectModel")
    var entities: [StoreEntity] = []
    let table = try root.required("NSEntities")
    if let values = try table.child("values") {
      // Core Data's own dictionary: the names are also in the entities.
      for node in try values.elements({ $0 }) { entities.append(try entity(node)) }
    } else {
      try table.forEachEntry { entities.append(try entity($1)) }
    }
    let identifiers = try root.child("NSVersionIdentifiers")?.elements { try $0.string() } ?? []
    let model = StoreModel(entities: entities, versionIdentifiers: identifiers.sorted())
    try check(model, at: root.path)
    return model
  }

  private func check(_ model: StoreModel, at path: String) throws {
    guard model.entities.count <= Self.maxEntities else {
      throw RecordCodingError(
        path: path, found: "\(model.entities.count) entities",
        expected: "at most \(Self.maxEntities)")
    }
    try checkSpellings(of: model, at: path)
    var names: Set<String> = []
    for entity in model.entities {
      guard names.insert(entity.name).inserted else {
        throw RecordCodingError(
          path: path, found: "two entities '\(entity.name)'", expected: "one of each name")
      }
      if let parent = entity.superentity, model.entity(parent) == nil {
        throw RecordCodingError(
          path: path, found: "the superentity '\(parent)' of '\(entity.name)'",
          expected: "an entity of the model")
      }
      for relationship in entity.relationships
      where model.entity(relationship.destination) == nil {
        throw RecordCodingError(
          path: path,
          found: "'\(relationship.name)' of '\(entity.name)' leads to "
            + "'\(relationship.destination)'", expected: "an entity of the model")
      }
      guard model.ancestry(of: entity).count <= model.entities.count else {
        throw RecordCodingError(
          path: path, found: "'\(entity.name)', which inherits from itself",
          expected: "a tree of entities")
      }
    }
  }

  /// Checks that names with different bytes are different in Swift, which compares characters. SQLite
  /// compares bytes, so a property could be read from the column of another.
  private func checkSpellings(of model: StoreModel, at path: String) throws {
    var spellings: [String: String] = [:]
    func check(_ name: String) throws {
      let known = spellings[name, default: name]
      spellings[name] = known
      guard known.utf8.elementsEqual(name.utf8) else {
        throw RecordCodingError(
          path: path,
          found: "two names '\(name)' that differ only in their Unicode normalization",
          expected: "one of them: Swift compares them as equal")
      }
    }
    func check(_ attributes: [StoreAttribute]) throws {
      for attribute in attributes {
        try check(attribute.name)
        try check(attribute.elements)
      }
    }
    for entity in model.entities {
      try check(entity.name)
      try check(entity.attributes)
      for relationship in entity.relationships { try check(relationship.name) }
    }
  }

  private mutating func entity(_ node: KeyedArchiveNode) throws -> StoreEntity {
    try node.instance(of: "NSEntityDescription")
    var entity = StoreEntity(
      name: try node.required("NSEntityName").string(),
      superentity: try node.child("NSSuperentity")?.required("NSEntityName").string(),
      isAbstract: try flag("NSIsAbstract", node),
      renamingIdentifier: try node.child("NSRenamingIdentifier")?.string(), attributes: [],
      relationships: [],
      uniqueConstraints: try node.child("NSUniqueTuples")?.elements { tuple in
        // A constraint has names of properties, or the properties themselves.
        try tuple.elements { try $0.child("NSPropertyName")?.string() ?? $0.string() }
      } ?? [])
    guard !entity.name.isEmpty else {
      throw RecordCodingError(path: node.path, found: "an empty name", expected: "a name")
    }
    try node.child("NSProperties")?.forEachEntry { try add($1, named: $0, to: &entity) }
    entity.attributes.sort { Self.precedes($0.name, $1.name) }
    entity.relationships.sort { Self.precedes($0.name, $1.name) }
    return entity
  }

  /// The order of properties in Core Data's tables.
  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf16.lexicographicallyPrecedes(b.utf16)
  }

  private mutating func add(
    _ described: KeyedArchiveNode, named name: String, to entity: inout StoreEntity
  ) throws {
    var node = described
    // A proxy stands for an inherited property.
    for _ in 0..<Self.maxDepth {
      guard let property = try node.child("NSUnderlyingProperty") else { break }
      node = property
    }
    let classes = try node.classNames()
    if classes.contains("NSRelationshipDescription") {
      try countOne(node)
      entity.relationships.append(try relationship(node, named: name))
    } else if classes.contains("NSAttributeDescription") {
      entity.attributes.append(try attribute(node, named: name, depth: 0))
    }
  }

  private mutating func countOne(_ node: KeyedArchiveNode) throws {
    count += 1
    guard count <= Self.maxProperties else {
      throw RecordCodingError(
        path: node.path, found: "more than \(Self.maxProperties) properties",
        expected: "a model of an app")
    }
  }

  private func flag(_ key: String, _ node: KeyedArchiveNode) throws -> Bool {
    try node.child(key)?.bool() ?? false
  }

  private mutating func attribute(
    _ node: KeyedArchiveNode, named name: String, depth: Int
  ) throws -> StoreAttribute {
    try countOne(node)
    let isTransient = try flag("NSIsTransient", node)
    // An attribute without a column may have any type, and none.
    let number =
      isTransient
      ? try node.child("NSAttributeType")?.integer() ?? 0
      : try node.required("NSAttributeType").integer()
    guard let kind = StoreAttribute.Kind(rawValue: number), depth < Self.maxDepth else {
      throw RecordCodingError(
        path: node.path, found: "the attribute type \(number)", expected: "a type of Core Data")
    }
    var attribute = StoreAttribute(name: name, kind: kind)
    attribute.isOptional = try flag("NSIsOptional", node)
    attribute.isTransient = isTransient
    attribute.isDerived =
      try flag("NSIsReadOnly", node)
      || node.classNames().contains("NSDerivedAttributeDescription")
    attribute.isExternal = (try node.child("NSFlagsKey")?.integer() ?? 0) & 4 != 0
    attribute.isIgnored = try isIgnored(node)
    if let value = try node.child("NSDefaultValue") {
      attribute.hasDefault = true
      attribute.defaultValue = defaultValue(value, kind)
    }
    if kind == .composite {
      attribute.elements =
        try node.child("NSCompositeElements")?.elements { element in
          let name = try element.required("NSPropertyName").string()
          return try self.attribute(element, named: name, depth: depth + 1)
        } ?? []
    }
    return attribute
  }

  private func isIgnored(_ node: KeyedArchiveNode) throws -> Bool {
    var isIgnored = false
    try node.child("NSUserInfo")?.forEachEntry { key, value in
      guard key == "NSCloudKitMirroringDelegateIgnoredPropertyKey" else { return }
      let text = (try? value.string())?.uppercased()
      isIgnored = try text.map { !["NO", "FALSE", "0"].contains($0) } ?? value.bool()
    }
    return isIgnored
  }

  /// The value of a default; nil for one of another form, such as a decimal number.
  private func defaultValue(
    _ node: KeyedArchiveNode, _ kind: StoreAttribute.Kind
  ) -> RecordValue? {
    switch kind {
    case .int16, .int32, .int64, .boolean:
      (try? node.integer()).map { .int64($0) } ?? (try? node.bool()).map { .int64($0 ? 1 : 0) }
    case .double, .float, .decimal: (try? node.double()).map { .double($0) }
    case .string: (try? node.string()).map { .string($0) }
    case .uri: (try? node.url()).map { .string($0) }
    case .date: (try? node.date()).map { .timestamp($0) }
    case .data: (try? node.data()).map { .bytes($0) }
    case .uuid: (try? node.child("NS.uuidbytes")?.data()).flatMap(\.self).flatMap(UUIDText.value)
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }

  private func relationship(
    _ node: KeyedArchiveNode, named name: String
  ) throws -> StoreRelationship {
    StoreRelationship(
      name: name,
      destination: try node.child("_NSDestinationEntityName")?.string()
        ?? node.required("NSDestinationEntity").required("NSEntityName").string(),
      inverse: try node.child("_NSInverseRelationshipName")?.string(),
      isToMany: try node.child("NSMaxCount")?.integer() != 1,
      isOptional: try flag("NSIsOptional", node), isOrdered: try flag("NSIsOrdered", node),
      isDenied: try node.child("NSDeleteRule")?.integer() == 3,
      isTransient: try flag("NSIsTransient", node))
  }
}

/// UUIDs as records and stores have them.
enum UUIDText {
  /// Returns the text of 16 bytes.
  static func value(_ bytes: Data) -> RecordValue? {
    bytes.withUnsafeBytes(text).map { .string($0) }
  }

  static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.count == 16 else { return nil }
    let high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return CompactName.upperUUID(high, low).string
  }

  static func bytes(_ text: String) -> Data? {
    guard let uuid = UUID(uuidString: text) else { return nil }
    return withUnsafeBytes(of: uuid.uuid) { Data($0) }
  }
}
