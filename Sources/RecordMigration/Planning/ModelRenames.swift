import RecordModel
import RecordSchema

/// The parts of a model of Core Data or SwiftData that have other names in its next version.
///
/// A property or entity is renamed if the new version says so (`originalName:`, the renaming identifier),
/// or an entity if its record type is.
struct ModelRenames {
  let from: MirroredModel
  let to: MirroredModel
  /// The former names that the new version gives, as the former version has them.
  private var originalNames: [[String]: String] = [:]
  /// The former names of the entities of the new version.
  private var former: [String: String] = [:]
  /// The present names of entities of the former version.
  private var current: [String: String] = [:]
  /// The entities that the new version says had the name of a former one, if it says so of several.
  private var rivals: [String: [String]] = [:]
  /// The entities of the former version that have objects, by their record types.
  private let objects: [String: [String]]
  /// The entities of the former version that have objects, by each entity that they inherit from.
  private let entities: [String: [String]]

  init?(from: MirroredModel?, to: MirroredModel?) {
    guard let from, let to, from.kind != .sqliteData, to.kind != .sqliteData else { return nil }
    (self.from, self.to) = (from, to)
    let old = Set(from.entities.map(\.name))
    let concrete = from.entities.filter { !$0.isAbstract }
    objects = Dictionary(grouping: concrete.map(\.name), by: from.recordType)
    entities = concrete.reduce(into: [:]) { entities, entity in
      for ancestor in from.ancestry(of: entity) {
        entities[ancestor.name, default: []].append(entity.name)
      }
    }
    let identified = Self.identified(from)
    for entity in to.entities {
      guard let name = to.originalNames[[entity.name]].map({ identified[[$0]] ?? $0 }),
        old.contains(name)
      else { continue }
      rivals[name, default: []].append(entity.name)
      guard current[name] == nil else { continue }
      current[name] = entity.name
      (originalNames[[entity.name]], former[entity.name]) = (name, name)
    }
    rivals = rivals.filter { $1.count > 1 }
    // A name that another entity had before is one of a new entity.
    let told = current
    for entity in to.entities
    where former[entity.name] == nil && old.contains(entity.name) && told[entity.name] == nil {
      (former[entity.name], current[entity.name]) = (entity.name, entity.name)
    }
    for (path, name) in to.originalNames where path.count == 2 {
      originalNames[path] = identified[[former[path[0]] ?? path[0], name]] ?? name
    }
  }

  /// The properties and entities of the former version by the names that it says they had before:
  /// the next version may still say so.
  private static func identified(_ model: MirroredModel) -> [[String]: String] {
    let names = model.originalNames.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return Dictionary(
      names.compactMap { path, name in path.last.map { (path.dropLast() + [name], $0) } }
    ) { first, _ in first }
  }

  /// Adds the entity at the root of a record type that was renamed by a guess.
  mutating func rename(type: String, to newType: String) {
    let (name, newName) = (CoreDataNames.modelName(type), CoreDataNames.modelName(newType))
    if former[newName] == nil, current[name] == nil,
      to.entities.contains(where: { $0.name == newName })
    {
      (former[newName], current[name]) = (name, newName)
    }
  }

  /// The record types that the new version renames, by their former names.
  var types: [String: String] {
    var types: [String: String] = [:]
    let roots = Set(from.entities.filter { $0.parent == nil }.map(\.name))
    let newRoots = to.entities.filter { $0.parent == nil }
    let kept = Set(newRoots.map { to.recordType(of: $0.name) })
    // A sub-entity that became the root of a tree leaves the type to the former root.
    for areRoots in [true, false] {
      for entity in newRoots {
        guard let name = originalNames[[entity.name]], roots.contains(name) == areRoots else {
          continue
        }
        let (old, new) = (from.recordType(of: name), to.recordType(of: entity.name))
        if old != new, areRoots || !kept.contains(old), types[old] == nil { types[old] = new }
      }
    }
    return types
  }

  /// The entities of a record type that were renamed. `others` had the former name, too.
  func entities(of type: String) -> [(from: String, to: String, others: [String])] {
    to.entities.compactMap { entity in
      guard to.recordType(of: entity.name) == type, let name = former[entity.name],
        name != entity.name
      else { return nil }
      return (name, entity.name, rivals[name]?.filter { $0 != entity.name } ?? [])
    }
  }

  /// The fields of a record type that were renamed, by their former names: each with its new name,
  /// or with several if the model gives them one former name.
  func fields(of type: String) -> [String: [String]] {
    var fields: [String: [String]] = [:]
    let entities = to.entities.filter { to.recordType(of: $0.name) == type }.map { entity in
      // The former name of another property of the entity is that of a new one.
      let moved = to.ancestry(of: entity).flatMap(formerNames).filter { $0.name != $0.former }
      return (names: formerNames(of: entity), moved: Set(moved.map(\.former)))
    }
    // Another entity of the tree may still have the former name.
    let kept = Set(
      entities.flatMap { entity in
        entity.names.filter { $0.name == $0.former && !entity.moved.contains($0.name) }
          .map(\.name)
      })
    for (name, old) in entities.flatMap(\.names) where old != name && !kept.contains(old) {
      let (from, to) = (CoreDataNames.field(of: old), CoreDataNames.field(of: name))
      guard fields[from]?.contains(to) != true else { continue }
      fields[from, default: []].append(to)
      fields[CoreDataNames.assetField(of: from), default: []].append(
        CoreDataNames.assetField(of: to))
    }
    return fields
  }

  /// The properties of an entity of the new version, and their former names.
  private func formerNames(of entity: MirroredModel.Entity) -> [(name: String, former: String)] {
    (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map {
      ($0, originalNames[[entity.name, $0]] ?? $0)
    }
  }

  /// The record type in which the new version stores all objects of a former one, if the entities
  /// say so.
  func recordType(ofObjectsIn type: String) -> String? {
    let places = Set((objects[type] ?? []).map { current[$0].map(to.recordType) })
    return places.count == 1 ? places.first ?? nil : nil
  }

  /// The entities that had objects in a record type, and have none in it now: their names, and the
  /// record type that has their objects now.
  func strays(of type: String, now newType: String) -> [(entity: String, place: String?)] {
    (objects[type] ?? []).map { ($0, current[$0].map(to.recordType)) }.filter { $0.1 != newType }
  }

  /// The links of a many-to-many relationship of the former version between objects of two entities:
  /// their values, and those that they become.
  struct Link {
    /// The entities that declare the relationship and its inverse.
    var sides: [String]
    /// The entities of the objects, which may be sub-entities.
    var entities: (from: [String], to: [String])
    var relationships: (from: [String], to: [String])
    /// Whether the new name of a relationship is the only one that it can be.
    var isGuess = false

    /// Whether the new version does not have the relationship.
    var isLost: Bool { relationships.to.isEmpty }
  }

  /// The links of the former version.
  var links: [Link] {
    var links: [Link] = []
    for entity in from.entities {
      for relationship in entity.relationships where relationship.isToMany {
        let sides = [entity.name, relationship.destination]
        guard let inverse = from.inverse(of: relationship), inverse.isToMany,
          (entity.name, relationship.name) <= (relationship.destination, inverse.name)
        else { continue }
        let (owners, others) = (entities[sides[0]] ?? [], entities[sides[1]] ?? [])
        // The product of hostile trees has a limit.
        let areMany = owners.count * others.count + links.count > 10_000
        for owner in areMany ? [sides[0]] : owners {
          for other in areMany ? [sides[1]] : others {
            var link = Link(
              sides: sides, entities: ([owner, other], []),
              relationships: ([relationship.name, inverse.name], []))
            if let newOwner = current[owner], let newOther = current[other],
              let own = renamed(relationship, of: owner, leadingTo: newOther)
            {
              link.entities.to = [newOwner, newOther]
              link.relationships.to = [own.name, own.inverse]
              link.isGuess = own.isGuess
            }
            links.append(link)
          }
        }
      }
    }
    return links
  }

  /// The relationship of the new version that a former one became, if it is still many-to-many.
  private func renamed(
    _ relationship: MirroredModel.Relationship, of owner: String, leadingTo other: String
  ) -> (name: String, inverse: String, isGuess: Bool)? {
    let all = to.relationships(of: current[owner] ?? owner).compactMap { own in
      to.inverse(of: own.relationship).flatMap { back in
        own.relationship.isToMany && back.isToMany ? (own.entity, own.relationship, back) : nil
      }
    }
    // A new relationship may have the former name.
    let told = all.first { originalNames[[$0.0, $0.1.name]] == relationship.name }
    if let (_, own, back) = told
      ?? all.first(where: { entity, own, _ in
        originalNames[[entity, own.name]] == nil && own.name == relationship.name
      })
    {
      return (own.name, back.name, false)
    }
    let known = Set(from.relationships(of: owner).map(\.relationship.name))
    let places = Set(to.entities.first { $0.name == other }.map(to.ancestry)?.map(\.name) ?? [])
    let candidates = all.filter {
      places.contains($0.1.destination) && !known.contains($0.1.name)
    }
    return candidates.count == 1 ? (candidates[0].1.name, candidates[0].2.name, true) : nil
  }
}

extension MirroredModel {
  /// Returns the relationships of an entity, with the entity that declares them.
  fileprivate func relationships(of name: String) -> [(entity: String, relationship: Relationship)]
  {
    guard let entity = entities.first(where: { $0.name == name }) else { return [] }
    return ancestry(of: entity).flatMap { entity in
      entity.relationships.map { (entity.name, $0) }
    }
  }

  fileprivate func inverse(of relationship: Relationship) -> Relationship? {
    relationships(of: relationship.destination)
      .first { $0.relationship.name == relationship.inverse }?.relationship
  }
}
