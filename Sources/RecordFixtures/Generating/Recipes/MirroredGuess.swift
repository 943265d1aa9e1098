import RecordModel
import RecordSchema

/// The facts of a Core Data or SwiftData model about the values of its records, beyond the schema.
///
/// All objects of a record type are of one entity, the first of its tree that is not abstract: an
/// object of another entity needs other fields.
struct MirroredGuess {
  private let model: MirroredModel
  /// The entity of each record type, with those that it inherits from, the root last.
  private var chains: [String: [MirroredModel.Entity]] = [:]

  /// The record types whose entities are all abstract.
  private(set) var empty: Set<String> = []

  /// - Returns: nil for a model of another library, whose record types are its tables.
  init?(_ model: MirroredModel) {
    guard model.kind != .sqliteData else { return nil }
    self.model = model
    // A root that is not abstract comes before its sub-entities.
    let entities = model.entities.filter { $0.parent == nil } + model.entities
    for entity in entities where !entity.isAbstract {
      let type = model.recordType(of: entity.name)
      if chains[type] == nil { chains[type] = model.ancestry(of: entity) }
    }
    empty = Set(entities.map { model.recordType(of: $0.name) }).subtracting(chains.keys)
  }

  /// Returns the values of a field; nil if the schema alone decides.
  func values(of field: String, in recordType: String) -> (any GeneratedValues)? {
    guard let chain = chains[recordType] else { return nil }
    if field == CoreDataNames.entityNameField { return ChoiceValues(.string(chain[0].name)) }
    guard let name = CoreDataNames.attributeName(field), CoreDataNames.valueField(of: field) == nil
    else { return nil }
    if let attribute = chain.lazy.flatMap(\.attributes).first(where: { $0.name == name }) {
      switch attribute.type {
      case .boolean: return IntegerValues(0...1)
      case .uuid: return KnownText.uuid
      case .uri: return KnownText.url
      // The library decodes what it encoded itself, and nothing else.
      case .transformable, .composite: return NoValues()
      case .string, .integer, .double, .decimal, .date, .binary, .textOrDate: return nil
      }
    }
    if let relationship = chain.lazy.flatMap(\.relationships).first(where: { $0.name == name }) {
      return values(of: relationship, in: recordType)
    }
    // A property of another entity of the tree, or of none.
    return NoValues()
  }

  /// Whether no two objects of a record type have the same value of a field.
  func isUnique(_ field: String, in recordType: String) -> Bool {
    guard let name = CoreDataNames.attributeName(field) else { return false }
    let chain = chains[recordType] ?? []
    // Of a constraint of several properties, the first attribute differs.
    return chain.flatMap(\.uniqueConstraints).contains { constraint in
      constraint.first { property in
        chain.contains { $0.attributes.contains { $0.name == property } }
      } == name
    }
  }

  /// The record type whose objects a relationship can lead to; nil if they are of another entity.
  private func target(of relationship: MirroredModel.Relationship) -> String? {
    let type = model.recordType(of: relationship.destination)
    return chains[type]?.contains { $0.name == relationship.destination } == true ? type : nil
  }

  private func values(
    of relationship: MirroredModel.Relationship, in recordType: String
  ) -> any GeneratedValues {
    guard !relationship.isToMany, let target = target(of: relationship) else { return NoValues() }
    let inverse = inverse(of: relationship)
    // Without an inverse, which a store on the device may have, any object will do.
    if inverse?.isToMany ?? (relationship.inverse == nil) { return ReferenceValues(target: target) }
    // The first object with the first; of one entity, that would be the object itself.
    return inverse == nil || target == recordType
      ? NoValues() : ReferenceValues(target: target, isPaired: true)
  }

  /// The many-to-many relationships between entities without a parent, each once.
  var links: [LinkValues.Pair] {
    var pairs: Set<LinkValues.Pair> = []
    for (type, chain) in chains where chain.count == 1 {
      for relationship in chain[0].relationships where relationship.isToMany {
        guard let inverse = inverse(of: relationship), inverse.isToMany,
          let target = target(of: relationship), chains[target]?.count == 1
        else { continue }
        pairs.insert(
          LinkValues.Pair(
            .init(type: type, relationship: relationship.name),
            .init(type: target, relationship: inverse.name)))
      }
    }
    return pairs.sorted()
  }

  private func inverse(
    of relationship: MirroredModel.Relationship
  ) -> MirroredModel.Relationship? {
    model.entities.first { $0.name == relationship.destination }?.relationships
      .first { $0.name == relationship.inverse }
  }
}
