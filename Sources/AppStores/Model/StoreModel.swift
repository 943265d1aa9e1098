import Foundation
import RecordModel

/// The model of an app as its store has it: a compiled model of Core Data, which SwiftData also makes.
package struct StoreModel: Sendable {
  /// The entities, in the order of the archive.
  var entities: [StoreEntity]
  /// The identifiers of the model's version, such as `1.0.0`.
  package var versionIdentifiers: [String]

  private let places: [String: Int]

  init(entities: [StoreEntity], versionIdentifiers: [String]) {
    (self.entities, self.versionIdentifiers) = (entities, versionIdentifiers)
    places = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func entity(_ name: String) -> StoreEntity? { places[name].map { entities[$0] } }

  /// The entity and those that it inherits from, the root last. The reader rejects cycles.
  func ancestry(of entity: StoreEntity) -> [StoreEntity] {
    var chain = [entity]
    while let name = chain.last?.superentity, let next = self.entity(name),
      chain.count <= entities.count
    {
      chain.append(next)
    }
    return chain
  }

  func root(of entity: StoreEntity) -> StoreEntity { ancestry(of: entity).last ?? entity }

  /// Whether an object of an entity is one of another entity.
  func isKind(_ entity: StoreEntity, of name: String) -> Bool {
    ancestry(of: entity).contains { $0.name == name }
  }

  /// The entity that declares a property which an entity has.
  func declarer(of property: String, in entity: StoreEntity) -> StoreEntity {
    ancestry(of: entity).last { $0.has(property) } ?? entity
  }
}

/// An entity, with the properties that it inherits.
struct StoreEntity: Sendable {
  var name: String
  var superentity: String?
  var isAbstract: Bool
  /// The name of the entity in an earlier version.
  var renamingIdentifier: String?
  var attributes: [StoreAttribute]
  var relationships: [StoreRelationship]
  /// The properties of each constraint that values are unique.
  var uniqueConstraints: [[String]]

  func has(_ property: String) -> Bool {
    attributes.contains { $0.name == property } || relationships.contains { $0.name == property }
  }

  func relationship(_ name: String) -> StoreRelationship? {
    relationships.first { $0.name == name }
  }
}

/// An attribute, or an element of a composite one.
struct StoreAttribute: Sendable {
  /// The type, with its number in a model.
  enum Kind: Int64, Sendable {
    case undefined = 0
    case int16 = 100
    case int32 = 200
    case int64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case data = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800
    case objectID = 2000
    case composite = 2100
  }

  var name: String
  var kind: Kind
  var isOptional = true
  var isTransient = false
  /// Whether the store computes the value.
  var isDerived = false
  /// Whether large values are files beside the store.
  var isExternal = false
  /// Whether the mirroring leaves the attribute out (`NSCloudKitMirroringDelegateIgnoredPropertyKey`).
  var isIgnored = false
  var hasDefault = false
  /// The default value, if it is of a kind that is read.
  var defaultValue: RecordValue?
  /// The elements of a composite attribute, in their order.
  var elements: [StoreAttribute] = []

  /// The attributes with columns of their own: itself, or the elements of a composite one.
  var leaves: [StoreAttribute] {
    kind == .composite ? elements.flatMap(\.leaves) : [self]
  }
}

struct StoreRelationship: Sendable {
  var name: String
  var destination: String
  var inverse: String?
  var isToMany: Bool
  var isOptional: Bool
  var isOrdered: Bool
  var isDenied: Bool
  var isTransient: Bool

  /// Whether Core Data cannot mirror it, so that its targets are a list in the record of the object.
  var isList: Bool { isToMany && (inverse == nil || isOrdered) }
}
