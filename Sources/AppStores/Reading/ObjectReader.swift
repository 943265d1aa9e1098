import Foundation
import RecordModel
import RecordPlatform
import RecordStore

/// The records of a store's objects, one after the other: as Core Data's mirroring sends them.
///
/// A value that makes its record larger than ``maxRecordBytes`` is a file of the record, as in the
/// mirroring (OpenCloudData, a reconstruction of it). A relationship that Core Data cannot mirror,
/// because it has no inverse or an order, is a list of record names.
final class ObjectReader {
  /// The number of bytes of values above which a value is a file.
  static let maxRecordBytes = 700_000

  /// A record and the bytes of its files.
  struct Object {
    var record: ResultRecord
    var scope: DatabaseScope
    var files: [(digest: SHA256Digest, bytes: Data)] = []
  }

  private let store: CoreDataStore
  private let external: ExternalData
  /// The beginnings of made names, by the number of the root entity.
  private let prefixes: [Int64: UInt64]
  private let home: (scope: DatabaseScope, zoneID: ZoneID)
  private let entityName = FieldName.interned(CoreDataNames.entityNameField)
  private(set) var losses: [StoreLoss: Int] = [:]

  init(_ store: CoreDataStore) {
    self.store = store
    external = ExternalData(beside: store.path)
    home =
      store.mirroring?.isPublic == true
      ? (.public, .default) : (.private, ZoneID(zoneName: CoreDataNames.zoneName).shared())
    prefixes = Dictionary(
      store.layout.entities.filter { $0.root == $0.number }.map {
        ($0.number, store.names.prefix(of: $0.model.name))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The zones of the records.
  var zones: [(scope: DatabaseScope, zoneID: ZoneID)] {
    var zones = [home]
    for zone in store.mirroring?.zones.values.map({ $0 }) ?? []
    where !zones.contains(where: { $0 == zone }) {
      zones.append(zone)
    }
    return zones.sorted { ($0.scope.rawValue, $0.zoneID) < ($1.scope.rawValue, $1.zoneID) }
  }

  private func damaged(_ problem: String) -> AppStoreError {
    AppStoreError(.damaged, store.path, problem)
  }

  // MARK: Names

  private struct Identity {
    var name: CompactName
    var scope: DatabaseScope
    var zoneID: ZoneID
    /// The row of the zone in the tables of the mirroring.
    var zone: Int64?
  }

  /// Returns the name and zone of an object's record.
  private func identity(_ entity: StoreLayout.Entity, _ key: Int64) throws -> Identity {
    let found = try store.mirroring?.record(entity: entity.number, key: key)
    let zone = zone(found?.zone) ?? home
    return Identity(
      name: try found?.name ?? makeName(entity, key), scope: zone.scope, zoneID: zone.zoneID,
      zone: found?.zone)
  }

  /// Returns the zone of a row of zones.
  private func zone(_ row: Int64?) -> MirroringTables.Zone? {
    row.flatMap { store.mirroring?.zones[$0] }
  }

  /// Makes the name of an object that has none.
  private func makeName(_ entity: StoreLayout.Entity, _ key: Int64) throws -> CompactName {
    guard 0...RecordNames.maxKey ~= key, let prefix = prefixes[entity.root] else {
      throw damaged("the row \(key) of '\(entity.table)' has a key that Core Data does not give")
    }
    return RecordNames.name(prefix, key)
  }

  /// Checks that each object has a record of its own.
  private func checkNames() throws {
    let tables = Dictionary(
      store.layout.entities.map { ($0.number, $0.table) }, uniquingKeysWith: { first, _ in first })
    let repeated = try store.mirroring?.repeatedName(tables) { row in
      let zone = zone(row) ?? home
      return ZoneLocation(zone.scope, zone.zoneID)
    }
    guard let (name, rows) = repeated else { return }
    throw damaged(
      "'ANSCKRECORDMETADATA' gives several objects of a zone the record name '\(name)': "
        + "\(rows.prefix(4).joined(separator: ", ")); set ZCKRECORDNAME to NULL in all rows but one of "
        + "a copy of the store: these objects get names of their own")
  }

  // MARK: Objects

  /// A query for the rows of a table, and where each property of an entity is in its result.
  private struct Plan {
    struct Attribute {
      var model: StoreAttribute
      var field: FieldName
      var file: FieldName
      var columns: [Int32]
    }
    struct ToOne {
      var field: FieldName
      var column: Int32
      var entityColumn: Int32?
      var target: StoreLayout.Entity
    }

    var entity: StoreLayout.Entity
    var recordType: String
    var attributes: [Attribute] = []
    var toOnes: [ToOne] = []
    /// Whether two fields of a record can have one name, as those of the attributes `text` and
    /// `text_ckAsset`.
    var hasCollisions = false
  }

  private func plans(for root: Int64) -> (columns: [String], plans: [Int64: Plan]) {
    var columns = ["Z_PK", "Z_ENT"]
    var places: [String: Int32] = ["Z_PK": 0, "Z_ENT": 1]
    func place(_ column: String) -> Int32 {
      if let known = places[column] { return known }
      places[column] = Int32(columns.count)
      columns.append(column)
      return Int32(columns.count - 1)
    }
    var plans: [Int64: Plan] = [:]
    let rootName = store.layout.byNumber[root].map { store.layout.entities[$0].model.name } ?? ""
    for entity in store.layout.entities where entity.root == root && !entity.model.isAbstract {
      var plan = Plan(entity: entity, recordType: CoreDataNames.recordType(of: rootName))
      for attribute in entity.attributes where attribute.model.isMirrored {
        let field = CoreDataNames.field(of: attribute.model.name)
        plan.attributes.append(
          .init(
            model: attribute.model, field: .interned(field),
            file: .interned(CoreDataNames.assetField(of: field)),
            columns: attribute.columns.map(place)))
      }
      for toOne in entity.toOnes {
        guard let target = store.layout.entity(toOne.model.destination) else { continue }
        plan.toOnes.append(
          .init(
            field: .interned(CoreDataNames.field(of: toOne.model.name)),
            column: place(toOne.column), entityColumn: toOne.entityColumn.map(place),
            target: target))
      }
      let names =
        [entityName]
        + plan.attributes.flatMap { $0.model.hasFile ? [$0.field, $0.file] : [$0.field] }
        + plan.toOnes.map(\.field)
      plan.hasCollisions = Set(names.map { ExactString($0.string) }).count < names.count
      plans[entity.number] = plan
    }
    return (columns, plans)
  }

  /// Calls `body` with each object: by record type, then by the keys of the rows.
  func forEachObject(_ body: (Object) throws -> Void) throws {
    try checkNames()
    let tables = store.layout.tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for (table, root) in tables {
      let (columns, plans) = plans(for: root)
      let list = columns.map(\.quoted).joined(separator: ", ")
      try store.connection.forEachRow("SELECT \(list) FROM \(table.quoted) ORDER BY Z_PK") { row in
        guard let plan = plans[row.int64(1)] else {
          throw damaged(
            "the row \(row.int64(0)) of '\(table)' has the entity number \(row.int64(1)), which no "
              + "entity with objects in this table has")
        }
        try body(object(row, plan))
      }
    }
  }

  private func object(_ row: SQLiteStatement, _ plan: Plan) throws -> Object {
    let key = row.int64(0)
    let identity = try identity(plan.entity, key)
    if let row = identity.zone, zone(row) == nil {
      losses.add(
        .noZone, plan.entity.model.name,
        example: "row \(key) of '\(plan.entity.table)': ZRECORDZONE is \(row)")
    }
    var fields: [Field] = [
      Field(interned: entityName, value: .string(plan.entity.model.name), isEncrypted: false)
    ]
    var object: (size: Int, files: [(digest: SHA256Digest, bytes: Data)]) = (0, [])
    for attribute in plan.attributes {
      guard let value = value(of: attribute, row, plan.entity) else { continue }
      fields.append(field(attribute, value, &object.size, &object.files))
    }
    for toOne in plan.toOnes {
      guard let target = try reference(row, toOne.column, plan.entity.table) else { continue }
      var entity = toOne.target
      if let column = toOne.entityColumn, let place = store.layout.byNumber[row.int64(column)] {
        entity = store.layout.entities[place]
      }
      let name = try self.identity(entity, target).name.string
      fields.append(Field(interned: toOne.field, value: .string(name), isEncrypted: false))
    }
    for list in plan.entity.lists {
      let names = try targets(list, of: key)
      guard !names.isEmpty else { continue }
      fields.append(
        Field(name: CoreDataNames.field(of: list.model.name), value: .stringList(names)))
    }
    if plan.hasCollisions { removeCollisions(&fields, plan.entity) }
    let recordID = RecordID(packedName: identity.name, zoneID: identity.zoneID)
    let record = ResultRecord(
      systemFields: SystemFields(recordID: recordID, recordType: plan.recordType), fields: fields)
    return Object(record: record, scope: identity.scope, files: object.files)
  }

  /// Keeps the first field of each name.
  private func removeCollisions(_ fields: inout [Field], _ entity: StoreLayout.Entity) {
    var known: Set<ExactString> = []
    fields.removeAll { field in
      if known.insert(ExactString(field.name)).inserted { return false }
      losses.add(.nameTaken, "\(entity.model.name).\(CoreDataNames.modelName(field.name))")
      return true
    }
  }

  /// Returns the key of the row that a cell refers to; nil for NULL.
  private func reference(_ row: SQLiteStatement, _ column: Int32, _ table: String) throws -> Int64?
  {
    switch row.cell(column) {
    case .null: return nil
    case .integer(let key): return key
    case .real, .text, .blob:
      throw damaged(
        "the row \(row.int64(0)) of '\(table)' refers to an object by a value that is not a whole "
          + "number; a reference is the key of a row")
    }
  }

  private func value(
    of attribute: Plan.Attribute, _ row: SQLiteStatement, _ entity: StoreLayout.Entity
  ) -> RecordValue? {
    func note() { losses.add(.notDecoded, "\(entity.model.name).\(attribute.model.name)") }
    var leaves: [RecordValue?] = []
    for (leaf, column) in zip(attribute.model.leaves, attribute.columns) {
      let cell = row.cell(column)
      if leaf.isExternal || attribute.model.isExternal, case .blob(let bytes) = cell {
        let found = external.value(bytes)
        if found == nil { note() }
        leaves.append(.bytes(found ?? Data(bytes)))
        continue
      }
      let found = leaf.kind.value(cell)
      if found?.isDecoded == false { note() }
      leaves.append(found?.value)
    }
    guard attribute.model.kind == .composite else { return leaves.first ?? nil }
    var rest = leaves[...]
    return CompositeArchive.encode(attribute.model, &rest).map { .bytes($0) }
  }

  /// Returns the field of a value: its file, if the record would be too large.
  private func field(
    _ attribute: Plan.Attribute, _ value: RecordValue, _ size: inout Int,
    _ files: inout [(digest: SHA256Digest, bytes: Data)]
  ) -> Field {
    let bytes: Data? =
      switch value {
      case .string(let text) where size + text.utf8.count > Self.maxRecordBytes: Data(text.utf8)
      case .bytes(let bytes) where size + bytes.count > Self.maxRecordBytes: bytes
      default: nil
      }
    guard let bytes, attribute.model.hasFile else {
      size += value.byteCount
      return Field(interned: attribute.field, value: value, isEncrypted: false)
    }
    let digest = bytes.withUnsafeBytes { SHA256Digest(of: $0) }
    files.append((digest, bytes))
    let asset = Asset(sha256: digest.description, size: Int64(bytes.count))
    return Field(interned: attribute.file, value: .asset(asset), isEncrypted: false)
  }

  /// The names of the records that a list leads to, in the order of the list or by their keys.
  private func targets(_ list: StoreLayout.List, of key: Int64) throws -> [String] {
    guard let destination = store.layout.entity(list.model.destination) else { return [] }
    let sql: String
    switch list.place {
    case .column(let table, let column, let order, _):
      sql = """
        SELECT Z_PK, Z_ENT FROM \(table.quoted) WHERE \(column.quoted) = ?
        ORDER BY \(order.map { $0.quoted + ", " } ?? "")Z_PK
        """
    case .join(let join, let side):
      let (own, other) = (join.sides[side], join.sides[1 - side])
      sql = """
        SELECT t.Z_PK, t.Z_ENT FROM \(join.table.quoted) j
        JOIN \(destination.table.quoted) t ON t.Z_PK = j.\(other.column.quoted)
        WHERE j.\(own.column.quoted) = ?
        ORDER BY \(own.orderColumn.map { "j." + $0.quoted + ", " } ?? "")t.Z_PK
        """
    }
    return try store.connection.all(sql, [key]) { row in
      let place = store.layout.byNumber[row.int64(1)]
      let entity = place.map { store.layout.entities[$0] } ?? destination
      return try identity(entity, row.int64(0)).name.string
    }
  }

  // MARK: Links

  /// Calls `body` with the record of each link of a many-to-many relationship. A link to an object
  /// that is missing stays a link, as a reference to one does.
  func forEachLink(_ body: (Object) throws -> Void) throws {
    try store.mirroring?.indexLinks()
    for join in store.layout.joins {
      let declared = join.sides.compactMap { store.layout.entity($0.entity) }
      guard declared.count == 2 else { continue }
      let columns = join.sides.map { "j." + $0.column.quoted }
      // A relationship that is its own inverse has a link in both directions, which are one record.
      let condition =
        join.isReflexive
        ? """
        WHERE \(columns[0]) <= \(columns[1]) OR NOT EXISTS (SELECT 1 FROM \(join.table.quoted) k
          WHERE k.\(join.sides[0].column.quoted) = \(columns[1])
            AND k.\(join.sides[1].column.quoted) = \(columns[0]))
        """ : ""
      try store.connection.forEachRow(
        """
        SELECT j.rowid, \(columns[0]), a.Z_ENT, \(columns[1]), b.Z_ENT FROM \(join.table.quoted) j
        LEFT JOIN \(declared[0].table.quoted) a ON a.Z_PK = \(columns[0])
        LEFT JOIN \(declared[1].table.quoted) b ON b.Z_PK = \(columns[1])
        \(condition)
        """
      ) { row in
        let keys = try [1, 3].compactMap { try reference(row, $0, join.table) }
        let entities = zip([2, 4], declared).compactMap { column, declared in
          row.isNull(column)
            ? declared
            : store.layout.byNumber[row.int64(column)].map { store.layout.entities[$0] }
        }
        guard keys.count == 2, entities.count == 2 else {
          throw damaged(
            "the row \(row.int64(0)) of '\(join.table)' links objects of entities that the model does "
              + "not have, or none")
        }
        try body(link(join, entities, keys))
      }
    }
  }

  private func link(
    _ join: StoreLayout.Join, _ entities: [StoreLayout.Entity], _ keys: [Int64]
  ) throws -> Object {
    // Core Data writes the sides by the names of the objects' entities, then by those of their
    // relationships, without regard to case (OpenCloudData).
    let places = zip(entities, join.sides).map {
      [$0.model.name.lowercased(), $1.relationship.name.lowercased()]
    }
    let order = places[1].lexicographicallyPrecedes(places[0]) ? [1, 0] : [0, 1]
    let identities = try order.map { try identity(entities[$0], keys[$0]) }
    let names = identities.map(\.name.string)
    let relationships = order.map { join.sides[$0].relationship.name }
    let found = try identities.lazy.compactMap {
      try store.mirroring?.link(names, relationships, in: $0.zone)
    }.first
    let zone = zone(found?.zone) ?? (identities[0].scope, identities[0].zoneID)
    let name = found?.name ?? store.names.link(join.table, keys[0], keys[1])
    let values = [order.map { entities[$0].model.name }, names, relationships]
    let separator = String(CoreDataNames.linkSeparator)
    let fields = zip(CoreDataNames.linkFields, values).map {
      Field(name: $0, value: .string($1.joined(separator: separator)))
    }
    let recordID = RecordID(packedName: name, zoneID: zone.zoneID)
    return Object(
      record: ResultRecord(
        systemFields: SystemFields(recordID: recordID, recordType: CoreDataNames.linkType),
        fields: fields), scope: zone.scope)
  }
}

extension RecordValue {
  /// The size that counts towards the limit of a record.
  fileprivate var byteCount: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    default: 8
    }
  }
}
