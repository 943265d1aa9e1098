import RecordModel
import RecordSchema

/// The facts of a Core Data or SwiftData model about the values of its records, beyond the schema.
///
/// All objects of a record type are of its root entity: an object of a sub-entity needs other fields.
struct MirroredGuess {
  private let model: MirroredModel
  private let entities: [String: MirroredModel.Entity]

  /// - Returns: nil for a model of another library, whose record types are its tables.
  init?(_ model: MirroredModel) {
    guard model.kind != .sqliteData else { return nil }
    self.model = model
    entities = Dictionary(
      model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the values of a field; nil if the schema alone decides.
  func values(of field: String, in recordType: String) -> (any GeneratedValues)? {
    let entity = CoreDataNames.modelName(recordType)
    guard recordType.hasPrefix(CoreDataNames.prefix), let root = entities[entity],
      let name = CoreDataNames.attributeName(field),
      CoreDataNames.valueField(of: field) == nil
    else { return nil }
    if let attribute = root.attributes.first(where: { $0.name == name }) {
      switch attribute.type {
      case .boolean: return IntegerValues(0...1)
      case .uuid: return KnownText.uuid
      case .uri: return KnownText.url
      // The library decodes what it encoded itself, and nothing else.
      case .transformable, .composite: return NoValues()
      case .string, .integer, .double, .decimal, .date, .binary, .textOrDate: return nil
      }
    }
    if let relationship = root.relationships.first(where: { $0.name == name }) {
      return values(of: relationship, in: root)
    }
    // A property of a sub-entity, or of none.
    return NoValues()
  }

  private func values(
    of relationship: MirroredModel.Relationship, in entity: MirroredModel.Entity
  ) -> any GeneratedValues {
    guard let inverse = inverse(of: relationship), entities[relationship.destination]?.parent == nil
    else { return NoValues() }
    let target = CoreDataNames.recordType(of: relationship.destination)
    if inverse.isToMany { return ReferenceValues(target: target) }
    // The first object with the first; of one entity, that would be the object itself.
    return relationship.destination == entity.name
      ? NoValues() : ReferenceValues(target: target, isPaired: true)
  }

  /// The many-to-many relationships between root entities, each once.
  var links: [LinkValues.Pair] {
    var pairs: Set<LinkValues.Pair> = []
    for entity in model.entities where entity.parent == nil {
      for relationship in entity.relationships where relationship.isToMany {
        guard let inverse = inverse(of: relationship), inverse.isToMany,
          entities[relationship.destination]?.parent == nil
        else { continue }
        pairs.insert(
          LinkValues.Pair(
            .init(
              type: CoreDataNames.recordType(of: entity.name), relationship: relationship.name),
            .init(
              type: CoreDataNames.recordType(of: relationship.destination),
              relationship: inverse.name)))
      }
    }
    return pairs.sorted()
  }

  private func inverse(
    of relationship: MirroredModel.Relationship
  ) -> MirroredModel.Relationship? {
    entities[relationship.destination]?.relationships.first { $0.name == relationship.inverse }
  }
}
