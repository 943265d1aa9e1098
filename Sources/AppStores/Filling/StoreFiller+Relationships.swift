import Foundation
import RecordModel
import RecordStore

/// Relationships that are written when all objects have their rows.
extension StoreFiller {
  /// The first place in an order, and the distance to the next: Core Data's are 2048, 3072, 4096.
  private static let orderStep: Int64 = 1024

  /// Writes pairs, relationships without an inverse, and orders.
  func insertRelationships(_ keys: ObjectKeys) throws {
    var types = Set(
      store.layout.entities.filter { !$0.lists.isEmpty }.map {
        CoreDataNames.recordType(of: store.model.root(of: $0.model).name)
      })
    guard !types.isEmpty || hasLinks else { return }
    types.insert(CoreDataNames.linkType)
    // Pairs come first: an order is written into them.
    for isOfLinks in [true, false] {
      var filter = RecordFilter.all
      filter.recordTypes = NameSet(types.filter { CoreDataNames.isLink($0) == isOfLinks })
      guard filter.recordTypes?.names.isEmpty == false else { continue }
      try source.forEachRecord(filter) { record, scope in
        if isOfLinks {
          try insertLink(record, scope, keys)
        } else if let object = try keys.object(
          record.recordID.recordName, scope, record.recordID.zoneID)
        {
          for list in object.entity.lists {
            try write(list, of: object, record, scope, keys)
          }
        }
      }
    }
  }

  private func insertLink(
    _ record: ResultRecord, _ scope: DatabaseScope, _ keys: ObjectKeys
  ) throws {
    guard let link = record.mirroredLink else {
      return try note(
        "the link '\(record.recordID.recordName)' cannot be read: it needs the names of two "
          + "entities, records and relationships, each with a colon between them")
    }
    let objects = try link.sides.compactMap {
      try keys.object($0.recordID.recordName, scope, record.recordID.zoneID)
    }
    guard objects.count == 2 else {
      return try note(
        "the link '\(record.recordID.recordName)' leads to an object that is not among the records")
    }
    for join in store.layout.joins {
      for first in 0...1 {
        let sides = [join.sides[first], join.sides[1 - first]]
        let fits = (0...1).allSatisfy {
          sides[$0].relationship.name == link.sides[$0].relationship
            && store.model.isKind(objects[$0].entity.model, of: sides[$0].entity)
        }
        guard fits else { continue }
        try db.run(
          """
          INSERT OR IGNORE INTO \(join.table.quoted)
            (\(sides[0].column.quoted), \(sides[1].column.quoted)) VALUES (?, ?)
          """, [objects[0].key, objects[1].key])
        report.links += db.changesCount
        if join.isReflexive {
          try db.run(
            """
            INSERT OR IGNORE INTO \(join.table.quoted)
              (\(sides[0].column.quoted), \(sides[1].column.quoted)) VALUES (?, ?)
            """, [objects[1].key, objects[0].key])
        }
        return
      }
    }
    try note(
      "the link '\(record.recordID.recordName)' is one of '\(link.sides[0].relationship)' of "
        + "'\(link.sides[0].entity)' and '\(link.sides[1].relationship)' of "
        + "'\(link.sides[1].entity)', which the model does not have")
  }

  private func write(
    _ list: StoreLayout.List, of object: (entity: StoreLayout.Entity, key: Int64),
    _ record: ResultRecord, _ scope: DatabaseScope, _ keys: ObjectKeys
  ) throws {
    let name = CoreDataNames.field(of: list.model.name)
    guard let field = record.field(named: name) else { return }
    guard case .stringList(let names) = field.value else {
      return try note(
        "'\(name)' of '\(record.recordID.recordName)' is a \(field.value.typeName), and needs a "
          + "STRING_LIST of the names of records")
    }
    for (place, name) in names.enumerated() {
      // The targets refer to the object: one that is left out leaves nothing behind.
      guard try keys.object(name, scope, record.recordID.zoneID) != nil,
        let target = try target(name, list.model, of: record, scope, keys)
      else { continue }
      let order = Self.orderStep * Int64(place + 2)
      if try !write(list.place, from: object.key, to: target.key, order) {
        try note(
          "'\(list.model.name)' of '\(record.recordID.recordName)' lists '\(name)', which does not "
            + "lead back to it, or is in another list")
      }
    }
  }

  /// Writes one target of a list. Returns whether it fits.
  private func write(
    _ place: StoreLayout.List.Place, from owner: Int64, to target: Int64, _ order: Int64
  ) throws -> Bool {
    switch place {
    case .column(let table, let column, let orderColumn, let isHidden):
      var changes = isHidden ? [column.quoted + " = ?1"] : []
      if let orderColumn { changes.append(orderColumn.quoted + " = ?3") }
      guard !changes.isEmpty else { return true }
      try db.run(
        """
        UPDATE \(table.quoted) SET \(changes.joined(separator: ", "))
        WHERE Z_PK = ?2 AND \(column.quoted) IS \(isHidden ? "NULL" : "?1")
        """, [owner, target, order])
    case .join(let join, let side):
      let (own, other) = (join.sides[side], join.sides[1 - side])
      guard let orderColumn = own.orderColumn else { return true }
      try db.run(
        """
        UPDATE \(join.table.quoted) SET \(orderColumn.quoted) = ?3
        WHERE \(own.column.quoted) = ?1 AND \(other.column.quoted) = ?2
        """, [owner, target, order])
    }
    return db.changesCount == 1
  }

  // MARK: Other sides

  /// Writes the sides that records leave out, and checks those that must be there.
  func completeRelationships(_ keys: ObjectKeys) throws {
    var known: Set<[String]> = []
    for entity in store.layout.entities {
      for toOne in entity.toOnes {
        guard known.insert([entity.table, toOne.column]).inserted else { continue }
        if let inverse = inverse(of: toOne) { try complete(toOne, entity, inverse, keys) }
        if let order = toOne.orderColumn { try completeOrder(toOne, entity.table, order) }
      }
    }
    for entity in store.layout.entities where !entity.model.isAbstract {
      for toOne in entity.toOnes where !toOne.model.isOptional {
        let missing = try db.integer(
          """
          SELECT Z_PK FROM \(entity.table.quoted)
          WHERE Z_ENT = ? AND \(toOne.column.quoted) IS NULL LIMIT 1
          """, [entity.number])
        guard let missing else { continue }
        try note(
          "'\(try keys.name(entity.root, missing))' has no '\(toOne.model.name)', which each "
            + "'\(entity.model.name)' has; add 'CD_\(toOne.model.name)', the name of a record")
      }
    }
  }

  private func inverse(
    of toOne: StoreLayout.ToOne
  ) -> (entity: StoreLayout.Entity, toOne: StoreLayout.ToOne)? {
    guard let name = toOne.model.inverse,
      let target = store.layout.entity(toOne.model.destination),
      let back = target.toOnes.first(where: { $0.model.name == name })
    else { return nil }
    return (target, back)
  }

  /// Writes the other side of a one-to-one relationship, and checks that both agree.
  private func complete(
    _ toOne: StoreLayout.ToOne, _ entity: StoreLayout.Entity,
    _ inverse: (entity: StoreLayout.Entity, toOne: StoreLayout.ToOne), _ keys: ObjectKeys
  ) throws {
    let (near, far) = (entity.table.quoted, inverse.entity.table.quoted)
    let (x, y) = (toOne.column.quoted, inverse.toOne.column.quoted)
    func found(_ column: String) -> String {
      "(SELECT a.\(column) FROM \(near) a WHERE a.\(x) = \(far).Z_PK)"
    }
    var changes = "\(y) = \(found("Z_PK"))"
    if let entityColumn = inverse.toOne.entityColumn {
      changes += ", \(entityColumn.quoted) = \(found("Z_ENT"))"
    }
    try db.run(
      """
      UPDATE \(far) SET \(changes) WHERE \(y) IS NULL
        AND Z_PK IN (SELECT a.\(x) FROM \(near) a WHERE a.\(x) NOT NULL)
      """)
    let odd = try db.first(
      """
      SELECT a.Z_PK, b.Z_PK FROM \(near) a JOIN \(far) b ON b.Z_PK = a.\(x)
      WHERE b.\(y) IS NOT a.Z_PK LIMIT 1
      """
    ) { ($0.int64(0), $0.int64(1)) }
    guard let odd else { return }
    try note(
      "'\(toOne.model.name)' of '\(try keys.name(entity.root, odd.0))' leads to "
        + "'\(try keys.name(inverse.entity.root, odd.1))', whose '\(inverse.toOne.model.name)' leads "
        + "to another object; each has at most one")
  }

  /// Puts the objects without a place in an order behind the others, by their keys.
  private func completeOrder(
    _ toOne: StoreLayout.ToOne, _ table: String, _ order: String
  ) throws {
    let (column, order) = (toOne.column.quoted, order.quoted)
    try db.run(
      """
      UPDATE \(table.quoted) SET \(order) = n.place FROM (
        SELECT o.Z_PK AS key,
          max(\(Self.orderStep), ifnull((SELECT max(m.\(order)) FROM \(table.quoted) m
            WHERE m.\(column) = o.\(column)), 0))
          + \(Self.orderStep) * row_number() OVER (PARTITION BY o.\(column) ORDER BY o.Z_PK) AS place
        FROM \(table.quoted) o WHERE o.\(column) NOT NULL AND o.\(order) IS NULL) n
      WHERE Z_PK = n.key
      """)
  }
}
