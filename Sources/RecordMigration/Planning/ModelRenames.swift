import RecordModel
import RecordSchema

/// The parts of a model of Core Data or SwiftData that have other names in its next version.
///
/// A property or entity is renamed if the new version says so (`originalName:`, the renaming identifier),
/// or an entity if its record type is.
struct ModelRenames {
  let from: MirroredModel
  let to: MirroredModel
  /// The former names of the entities of the new version.
  private var former: [String: String] = [:]

  init?(from: MirroredModel?, to: MirroredModel?) {
    guard let from, let to, from.kind != .sqliteData, to.kind != .sqliteData else { return nil }
    (self.from, self.to) = (from, to)
    let old = Set(from.entities.map(\.name))
    for entity in to.entities {
      if let name = to.originalNames[[entity.name]], old.contains(name) {
        former[entity.name] = name
      } else if old.contains(entity.name) {
        former[entity.name] = entity.name
      }
    }
  }

  /// Adds the entity at the root of a record type that was renamed by a guess.
  mutating func rename(type: String, to newType: String) {
    let (name, newName) = (CoreDataNames.modelName(type), CoreDataNames.modelName(newType))
    if former[newName] == nil, to.entities.contains(where: { $0.name == newName }) {
      former[newName] = name
    }
  }

  /// The record types that the new version renames, by their former names.
  var types: [String: String] {
    var types: [String: String] = [:]
    for entity in to.entities where entity.parent == nil {
      guard let name = to.originalNames[[entity.name]], former[entity.name] == name else {
        continue
      }
      let (old, new) = (from.recordType(of: name), to.recordType(of: entity.name))
      if old != new { types[old] = new }
    }
    return types
  }

  /// The entities of a record type that were renamed.
  func entities(of type: String) -> [(from: String, to: String)] {
    to.entities.compactMap { entity in
      guard to.recordType(of: entity.name) == type, let name = former[entity.name],
        name != entity.name
      else { return nil }
      return (name, entity.name)
    }
  }

  /// The fields of a record type that were renamed, by their former names.
  func fields(of type: String) -> [String: String] {
    var fields: [String: String] = [:]
    for entity in to.entities where to.recordType(of: entity.name) == type {
      let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      for name in names {
        guard let old = to.originalNames[[entity.name, name]], old != name else { continue }
        let (from, to) = (CoreDataNames.field(of: old), CoreDataNames.field(of: name))
        fields[from] = to
        fields[CoreDataNames.assetField(of: from)] = CoreDataNames.assetField(of: to)
      }
    }
    return fields
  }

  /// A many-to-many relationship of the former version: the values of its links, and those that they
  /// become.
  struct Link {
    var entities: (from: [String], to: [String])
    var relationships: (from: [String], to: [String])
    /// Whether the new name of a relationship is the only one that it can be.
    var isGuess: Bool
  }

  /// The links whose names change.
  var links: [Link] {
    var links: [Link] = []
    let current = Dictionary(former.map { ($0.value, $0.key) }) { first, _ in first }
    for entity in from.entities {
      for relationship in entity.relationships where relationship.isToMany {
        guard let inverse = relationship.inverse,
          from.relationship(inverse, of: relationship.destination)?.isToMany == true,
          (entity.name, relationship.name) <= (relationship.destination, inverse),
          let owner = current[entity.name], let other = current[relationship.destination],
          let own = renamed(relationship, of: owner, leadingTo: other),
          let back = to.relationship(own.name, of: owner)?.inverse
        else { continue }
        let link = Link(
          entities: ([entity.name, relationship.destination], [owner, other]),
          relationships: ([relationship.name, inverse], [own.name, back]), isGuess: own.isGuess)
        if link.entities.from != link.entities.to
          || link.relationships.from != link.relationships.to
        {
          links.append(link)
        }
      }
    }
    return links
  }

  /// The relationship of the new version that a former one became.
  private func renamed(
    _ relationship: MirroredModel.Relationship, of owner: String, leadingTo other: String
  ) -> (name: String, isGuess: Bool)? {
    let all = to.entities.first { $0.name == owner }?.relationships ?? []
    if let named = all.first(where: {
      (to.originalNames[[owner, $0.name]] ?? $0.name) == relationship.name
    }) {
      return (named.name, false)
    }
    let candidates = all.filter { candidate in
      candidate.isToMany && candidate.destination == other
        && from.relationship(candidate.name, of: former[owner] ?? owner) == nil
    }
    return candidates.count == 1 ? (candidates[0].name, true) : nil
  }
}

extension MirroredModel {
  fileprivate func relationship(_ name: String, of entity: String) -> Relationship? {
    entities.first { $0.name == entity }?.relationships.first { $0.name == name }
  }
}
