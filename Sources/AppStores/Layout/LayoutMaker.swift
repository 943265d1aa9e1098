/// Derives the tables and columns of a model.
struct LayoutMaker {
  let model: StoreModel
  /// The columns of each table in the file.
  let columns: [String: [String]]
  private(set) var entities: [StoreLayout.Entity] = []
  private(set) var joins: [StoreLayout.Join] = []
  /// The columns that are explained, and those whose names are taken, in capitals.
  private var known: [String: Set<String>] = [:]
  /// The columns of a property, by the entity that declares it and its name.
  private var places: [[String]: [String]] = [:]
  private var byName: [String: Int] = [:]

  init(model: StoreModel, columns: [String: [String]]) {
    (self.model, self.columns) = (model, columns)
  }

  private static let fixed: Set = ["Z_PK", "Z_ENT", "Z_OPT"]

  var unexplained: [String] {
    known.flatMap { table, names in
      columns[table, default: []].filter { !names.contains($0.uppercased()) }
        .map { "\(table).\($0)" }
    }.sorted()
  }

  private func has(_ table: String, _ column: String) -> Bool {
    columns[table, default: []].contains { $0.uppercased() == column.uppercased() }
  }

  // MARK: Numbers

  /// Gives the entities their numbers and tables.
  mutating func number(_ keys: [StoreLayout.PrimaryKey], _ fail: (String) -> any Error) throws {
    let numbers = Dictionary(keys.map { ($0.name, $0.number) }, uniquingKeysWith: { a, _ in a })
    for entity in model.entities {
      // After a renaming, the row keeps the old name.
      let old = entity.renamingIdentifier ?? entity.name
      guard let number = numbers[entity.name] ?? numbers[old] else {
        throw fail("Z_PRIMARYKEY has no row of the entity '\(entity.name)' of its model")
      }
      let root = model.root(of: entity)
      let oldRoot = root.renamingIdentifier ?? root.name
      guard let rootNumber = numbers[root.name] ?? numbers[oldRoot] else {
        throw fail("Z_PRIMARYKEY has no row of the entity '\(root.name)' of its model")
      }
      let names = [root.name, oldRoot].map { "Z" + $0.uppercased() }
      guard let table = names.first(where: { columns[$0] != nil }) else {
        throw fail("there is no table '\(names[0])' for the entity '\(entity.name)' of its model")
      }
      for column in Self.fixed where !has(table, column) {
        throw fail("the table '\(table)' has no column '\(column)', which Core Data gives each")
      }
      known[table] = Self.fixed
      entities.append(.init(model: entity, number: number, root: rootNumber, table: table))
    }
    entities.sort { $0.number < $1.number }
    for (place, entity) in entities.enumerated() { byName[entity.model.name] = place }
    guard Set(entities.map(\.number)).count == entities.count else {
      throw fail("two entities have one number in Z_PRIMARYKEY")
    }
  }

  // MARK: Attributes and to-one relationships

  /// A property with a column of its own name.
  private enum Owner {
    case attribute(StoreAttribute, of: String)
    case toOne(StoreRelationship)
  }

  mutating func placeProperties(_ fail: (String) -> any Error) throws {
    for entity in entities {
      let parent = entity.model.superentity.flatMap(model.entity)
      for owner in Self.owners(in: entity.model, without: parent) {
        switch owner {
        case .attribute(let leaf, let property):
          let column = try take(leaf.name, in: entity, fail)
          places[[entity.model.name, property], default: []].append(column)
        case .toOne(let relationship):
          let column = try take(relationship.name, in: entity, fail)
          places[[entity.model.name, relationship.name]] = [column]
        }
      }
    }
    for place in entities.indices { fillColumns(of: place) }
  }

  /// The own attributes and to-one relationships of an entity, in the order in which Core Data takes
  /// names for their columns: by type, then by name.
  private static func owners(in entity: StoreEntity, without parent: StoreEntity?) -> [Owner] {
    var groups = [[Owner]](repeating: [], count: 9)
    for attribute in entity.attributes
    where !attribute.isTransient && parent?.has(attribute.name) != true {
      for leaf in attribute.leaves {
        groups[leaf.kind.group].append(.attribute(leaf, of: attribute.name))
      }
    }
    groups[1] = entity.relationships.filter {
      !$0.isToMany && !$0.isTransient && parent?.has($0.name) != true
    }.map(Owner.toOne)
    return groups.flatMap(\.self)
  }

  /// Takes the column of a property: `Z` and the name in capitals, and a number if it is taken.
  private mutating func take(
    _ name: String, in entity: StoreLayout.Entity, _ fail: (String) -> any Error
  ) throws -> String {
    let base = "Z" + name.uppercased()
    var column = base
    var number = 0
    while known[entity.table, default: []].contains(column) {
      number += 1
      column = base + String(number)
    }
    known[entity.table, default: []].insert(column)
    guard has(entity.table, column) else {
      throw fail(
        "the table '\(entity.table)' has no column '\(column)' for '\(name)' of "
          + "'\(entity.model.name)'; it was not written by Core Data, or not for this model")
    }
    return column
  }

  private func columns(of property: String, in entity: StoreEntity) -> [String] {
    places[[model.declarer(of: property, in: entity).name, property]] ?? []
  }

  private mutating func fillColumns(of place: Int) {
    let entity = entities[place]
    entities[place].attributes = entity.model.attributes.compactMap { attribute in
      let columns = columns(of: attribute.name, in: entity.model)
      // The columns of a composite attribute are in the order of their types.
      guard !attribute.isTransient, columns.count == attribute.leaves.count else { return nil }
      return .init(model: attribute, columns: inOrder(columns, of: attribute))
    }
    entities[place].toOnes = entity.model.relationships.compactMap { relationship in
      guard !relationship.isToMany, !relationship.isTransient,
        let column = columns(of: relationship.name, in: entity.model).first
      else { return nil }
      return toOne(relationship, column, in: entity)
    }
  }

  /// Returns the columns of the elements, which were taken by type, in the order of the elements.
  private func inOrder(_ columns: [String], of attribute: StoreAttribute) -> [String] {
    let leaves = attribute.leaves.enumerated().map { (place: $0, group: $1.kind.group) }
    let taken = leaves.sorted { ($0.group, $0.place) < ($1.group, $1.place) }
    var result = columns
    for (column, leaf) in zip(columns, taken) { result[leaf.place] = column }
    return result
  }

  private mutating func toOne(
    _ relationship: StoreRelationship, _ column: String, in entity: StoreLayout.Entity
  ) -> StoreLayout.ToOne {
    var result = StoreLayout.ToOne(model: relationship, column: column)
    let name = column.dropFirst()
    if let target = byName[relationship.destination].map({ entities[$0] }) {
      result.entityColumn = explained("Z\(target.number)_\(name)", in: entity.table)
    }
    result.orderColumn = explained("Z_FOK_\(name)", in: entity.table)
    return result
  }

  /// Notes that a column is explained; nil if the table does not have it.
  private mutating func explained(_ column: String, in table: String) -> String? {
    guard has(table, column) else { return nil }
    known[table, default: []].insert(column.uppercased())
    return column
  }

  // MARK: Relationships to many objects

  mutating func placeRelationships(_ fail: (String) -> any Error) throws {
    for place in entities.indices {
      for relationship in entities[place].model.relationships
      where relationship.isToMany && !relationship.isTransient {
        let entity = entities[place]
        let declarer = model.declarer(of: relationship.name, in: entity.model)
        guard let inverse = inverse(of: relationship) else {
          let hidden = try hidden(relationship, declarer, fail)
          entities[place].lists.append(.init(model: relationship, place: hidden))
          continue
        }
        if inverse.isToMany {
          let (join, side) = try join(relationship, inverse, declarer, fail)
          guard relationship.isOrdered else { continue }
          entities[place].lists.append(.init(model: relationship, place: .join(join, side: side)))
        } else if relationship.isOrdered, let list = ordered(relationship, inverse) {
          entities[place].lists.append(.init(model: relationship, place: list))
        }
      }
    }
  }

  private func inverse(of relationship: StoreRelationship) -> StoreRelationship? {
    guard let name = relationship.inverse else { return nil }
    return model.entity(relationship.destination)?.relationship(name)
  }

  private func entity(_ name: String, _ fail: (String) -> any Error) throws -> StoreLayout.Entity {
    guard let place = byName[name] else { throw fail("its model has no entity '\(name)'") }
    return entities[place]
  }

  /// The place of a relationship without an inverse: a column of its targets that the model does not
  /// show.
  private mutating func hidden(
    _ relationship: StoreRelationship, _ declarer: StoreEntity, _ fail: (String) -> any Error
  ) throws -> StoreLayout.List.Place {
    let owner = try entity(declarer.name, fail)
    let target = try entity(relationship.destination, fail)
    let name = "\(owner.number)\(relationship.name.uppercased())"
    guard let column = explained("Z\(name)", in: target.table) else {
      throw fail(
        "the table '\(target.table)' has no column 'Z\(name)' for '\(relationship.name)' of "
          + "'\(declarer.name)'")
    }
    return .column(
      table: target.table, column: column, order: explained("Z_FOK_\(name)", in: target.table),
      isHidden: true)
  }

  private func ordered(
    _ relationship: StoreRelationship, _ inverse: StoreRelationship
  ) -> StoreLayout.List.Place? {
    guard let target = byName[relationship.destination].map({ entities[$0] }),
      let toOne = target.toOnes.first(where: { $0.model.name == inverse.name })
    else { return nil }
    return .column(
      table: target.table, column: toOne.column, order: toOne.orderColumn, isHidden: false)
  }

  /// Finds the table of a many-to-many relationship, and which of its sides the relationship is.
  private mutating func join(
    _ relationship: StoreRelationship, _ inverse: StoreRelationship, _ declarer: StoreEntity,
    _ fail: (String) -> any Error
  ) throws -> (StoreLayout.Join, side: Int) {
    func matches(_ side: StoreLayout.Join.Side) -> Bool {
      side.entity == declarer.name && side.relationship.name == relationship.name
    }
    for join in joins {
      if let side = join.sides.firstIndex(where: matches) { return (join, side) }
    }
    guard let other = model.entity(relationship.destination) else {
      throw fail("its model has no entity '\(relationship.destination)'")
    }
    let far = model.declarer(of: inverse.name, in: other)
    let near = (number: try entity(declarer.name, fail).number, relationship)
    let away = (number: try entity(far.name, fail).number, inverse)
    for (first, second) in [(near, away), (away, near)] {
      let table = "Z_\(first.number)\(first.1.name.uppercased())"
      guard let columns = columns[table] else { continue }
      // The column with the objects of a side has the name of the other side's relationship.
      let own = column("Z_\(first.number)\(second.1.name.uppercased())", among: columns, but: nil)
      let isReflexive = near.number == away.number && near.1.name == away.1.name
      let its = column(
        isReflexive ? "REFLEXIVE" : "Z_\(second.number)\(first.1.name.uppercased())",
        among: columns, but: own)
      guard let own, let its else { continue }
      let isNear = first.1.name == relationship.name && first.number == near.number
      let mine = side(declarer, relationship, isNear ? own : its, isNear ? its : own, columns)
      let yours = side(far, inverse, isNear ? its : own, isNear ? own : its, columns)
      known[table] = Set(columns.map { $0.uppercased() })
      let isFirst = Self.precedes(mine, yours)
      let join = StoreLayout.Join(table: table, sides: isFirst ? [mine, yours] : [yours, mine])
      joins.append(join)
      return (join, isFirst ? 0 : 1)
    }
    throw fail(
      "there is no table for the relationship '\(relationship.name)' of '\(declarer.name)' with "
        + "'\(inverse.name)' of '\(far.name)'")
  }

  private func side(
    _ entity: StoreEntity, _ relationship: StoreRelationship, _ column: String, _ targets: String,
    _ columns: [String]
  ) -> StoreLayout.Join.Side {
    let order =
      targets.uppercased() == "REFLEXIVE" ? "FOK_REFLEXIVE" : "Z_FOK_" + targets.dropFirst(2)
    return .init(
      entity: entity.name, relationship: relationship, column: column,
      orderColumn: columns.first { $0.uppercased() == order.uppercased() })
  }

  /// Finds a column by its name, or by its name and a number behind it.
  private func column(_ name: String, among columns: [String], but other: String?) -> String? {
    func rest(_ column: String) -> Substring? {
      column.uppercased().hasPrefix(name.uppercased()) ? column.dropFirst(name.count) : nil
    }
    let candidates = columns.filter { $0 != other && !$0.uppercased().hasPrefix("Z_FOK_") }
    return candidates.first { rest($0)?.isEmpty == true }
      ?? candidates.first { rest($0)?.allSatisfy(\.isNumber) == true }
  }

  private static func precedes(
    _ a: StoreLayout.Join.Side, _ b: StoreLayout.Join.Side
  ) -> Bool {
    let (one, other) = (a.entity.lowercased(), b.entity.lowercased())
    return one != other ? one < other : a.relationship.name <= b.relationship.name
  }
}

extension StoreAttribute.Kind {
  /// The place of the columns of a type among those of an entity; to-one relationships have 1.
  fileprivate var group: Int {
    switch self {
    case .int16, .int32, .int64, .boolean: 0
    case .date, .double, .float: 2
    case .decimal: 3
    case .string: 4
    case .uri: 5
    case .uuid: 6
    case .transformable, .composite: 7
    case .data, .undefined, .objectID: 8
    }
  }
}
