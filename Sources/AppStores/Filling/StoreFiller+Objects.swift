import Foundation
import RecordCoding
import RecordModel
import RecordStore

extension StoreFiller {
  /// The row of an entity's objects: its statement, and the place of each field.
  private final class RowPlan {
    enum Place {
      case attribute(StoreLayout.Attribute, first: Int, isFile: Bool)
      case toOne(StoreLayout.ToOne, column: Int, entityColumn: Int?)
      /// Written when all objects are there.
      case list
      case ignored
    }

    let entity: StoreLayout.Entity
    let statement: SQLiteStatement
    private(set) var places: [String: Place] = [
      CoreDataNames.entityNameField: .ignored, CoreDataNames.moveReceiptField: .ignored,
      CoreDataNames.assetField(of: CoreDataNames.moveReceiptField): .ignored,
    ]
    private(set) var attributes: [(StoreLayout.Attribute, first: Int)] = []
    private(set) var columns: [String] = []

    init(_ entity: StoreLayout.Entity, _ db: SQLiteConnection) throws {
      self.entity = entity
      var columns: [String] = []
      for attribute in entity.attributes where !attribute.model.isDerived {
        let field = CoreDataNames.field(of: attribute.model.name)
        attributes.append((attribute, columns.count))
        places[field] = .attribute(attribute, first: columns.count, isFile: false)
        places[CoreDataNames.assetField(of: field)] =
          .attribute(attribute, first: columns.count, isFile: true)
        columns += attribute.columns
      }
      for attribute in entity.attributes where attribute.model.isDerived {
        places[CoreDataNames.field(of: attribute.model.name)] = .ignored
      }
      for toOne in entity.toOnes {
        places[CoreDataNames.field(of: toOne.model.name)] = .toOne(
          toOne, column: columns.count,
          entityColumn: toOne.entityColumn == nil ? nil : columns.count + 1)
        columns += [toOne.column] + (toOne.entityColumn.map { [$0] } ?? [])
      }
      for list in entity.lists { places[CoreDataNames.field(of: list.model.name)] = .list }
      self.columns = columns
      let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).map(\.quoted).joined(separator: ", ")
      let marks = [String](repeating: "?", count: columns.count + 2).joined(separator: ", ")
      statement = try SQLiteStatement.make(
        "INSERT INTO \(entity.table.quoted) (\(names)) VALUES (\(marks.prefix(4)), 1"
          + "\(marks.dropFirst(4)))", in: db)
    }
  }

  /// Adds the row of each object.
  func insertObjects(_ keys: ObjectKeys) throws {
    var plans: [Int64: RowPlan] = [:]
    try source.forEachRecord(.all) { record, scope in
      guard !CoreDataNames.isLink(record.recordType),
        let object = try keys.object(record.recordID.recordName, scope, record.recordID.zoneID)
      else { return }
      let plan = try plans[object.entity.number] ?? RowPlan(object.entity, db)
      plans[object.entity.number] = plan
      let cells = try cells(of: record, scope, object.key, plan, keys)
      let statement = plan.statement
      statement.bind(1, object.key)
      statement.bind(2, object.entity.number)
      for (place, cell) in cells.enumerated() {
        let index = Int32(place + 3)
        if let cell { try cell.bind(to: statement, at: index) } else { statement.bindNull(index) }
      }
      do {
        try statement.run()
      } catch let error as SQLiteError where error.primaryCode == 19 {
        try noteDuplicate(record, object.entity, error)
      }
    }
  }

  private func noteDuplicate(
    _ record: ResultRecord, _ entity: StoreLayout.Entity, _ error: SQLiteError
  ) throws {
    let ancestors = store.model.ancestry(of: entity.model)
    let constraints = Set(ancestors.flatMap(\.uniqueConstraints)).map {
      $0.joined(separator: " and ")
    }
    try note(
      "'\(record.recordID.recordName)' has the same "
        + (constraints.isEmpty ? "key" : constraints.sorted().joined(separator: ", or "))
        + " as another '\(entity.model.name)', which the model does not allow; change or leave out "
        + "one of the records")
  }

  private func cells(
    of record: ResultRecord, _ scope: DatabaseScope, _ key: Int64, _ plan: RowPlan,
    _ keys: ObjectKeys
  ) throws -> [StoreCell?] {
    var cells = [StoreCell?](repeating: nil, count: plan.columns.count)
    var given: Set<Int> = []
    for field in record.fields {
      switch plan.places[field.name] {
      case .ignored, .list: continue
      case .attribute(let attribute, let first, let isFile):
        // A value beside its file is the value.
        if isFile, given.contains(first) { continue }
        guard let values = try values(of: field, attribute, in: record, plan.entity) else {
          continue
        }
        given.insert(first)
        for (place, cell) in values.enumerated() { cells[first + place] = cell }
      case .toOne(let toOne, let column, let entityColumn):
        guard let target = try target(of: field, toOne, in: record, scope, plan.entity, keys) else {
          continue
        }
        cells[column] = .integer(target.key)
        if let entityColumn { cells[entityColumn] = .integer(target.entity.number) }
      case nil: try noteUnknown(field, of: record, plan.entity)
      }
    }
    for (attribute, first) in plan.attributes
    where !given.contains(first) && !attribute.model.isOptional {
      guard let value = attribute.model.defaultValue,
        let cell = attribute.model.kind.cell(of: value)
      else {
        if attribute.model.hasDefault { continue }
        if let sample = sample(attribute, of: plan.entity, key: key) {
          cells.replaceSubrange(first..<first + sample.count, with: sample)
          continue
        }
        try note(
          "'\(record.recordID.recordName)' has no '\(attribute.model.name)', which each "
            + "'\(plan.entity.model.name)' has; "
            + (source.takesValues
              ? "only the app can make one: name a store that has such an object"
              : "add 'CD_\(attribute.model.name)', " + attribute.model.kind.expectation))
        continue
      }
      cells[first] = cell
    }
    return cells
  }

  private func noteUnknown(
    _ field: Field, of record: ResultRecord, _ entity: StoreLayout.Entity
  ) throws {
    try note(
      "'\(record.recordID.recordName)' has the field '\(field.name)', and a '\(entity.model.name)' "
        + "has no property for it; remove the field, or take a store of the version that has it")
  }

  // MARK: Values

  /// Returns the cells of a value; nil if it does not fit.
  private func values(
    of field: Field, _ attribute: StoreLayout.Attribute, in record: ResultRecord,
    _ entity: StoreLayout.Entity
  ) throws -> [StoreCell?]? {
    func fail(_ found: String) throws -> [StoreCell?]? {
      try note(
        "'\(field.name)' of '\(record.recordID.recordName)' is \(found), and "
          + "'\(attribute.model.name)' of '\(entity.model.name)' needs "
          + attribute.model.kind.expectation)
      return nil
    }
    var value = field.value
    if case .asset(let asset) = value {
      guard attribute.model.hasFile, let digest = asset.sha256,
        let bytes = try source.asset(digest)
      else { return try fail("a file whose bytes are not in the source") }
      switch attribute.model.kind {
      case .string, .uri: value = .string(String(decoding: bytes, as: UTF8.self))
      default: value = .bytes(bytes)
      }
    }
    if attribute.model.kind == .composite {
      guard case .bytes(let bytes) = value else { return try fail(Self.found(field)) }
      do {
        return try CompositeArchive.decode(bytes, attribute.model)
      } catch let error as RecordCodingError {
        return try fail(field.isEncrypted ? "not such an archive" : "not one: \(error)")
      }
    }
    guard var cell = attribute.model.kind.cell(of: value) else {
      return try fail(Self.found(field))
    }
    if attribute.model.isExternal, case .blob(let bytes) = cell {
      // The byte 1 stands before a value that is in its cell, and not in a file beside the store.
      cell = .blob(Data([1]) + bytes)
    }
    return [cell]
  }

  /// A value in an error, without what is encrypted.
  private static func found(_ field: Field) -> String {
    guard !field.isEncrypted else { return "an encrypted \(field.value.typeName)" }
    let text = "\(field.value)"
    return "the \(field.value.typeName) \(text.count > 60 ? text.prefix(60) + "…" : text)"
  }

  private func target(
    of field: Field, _ toOne: StoreLayout.ToOne, in record: ResultRecord, _ scope: DatabaseScope,
    _ entity: StoreLayout.Entity, _ keys: ObjectKeys
  ) throws -> (entity: StoreLayout.Entity, key: Int64)? {
    guard case .string(let name) = field.value else {
      try note(
        "'\(field.name)' of '\(record.recordID.recordName)' is \(Self.found(field)), and "
          + "'\(toOne.model.name)' of '\(entity.model.name)' needs a STRING: the name of a record")
      return nil
    }
    return try target(name, toOne.model, of: record, scope, keys)
  }

  /// Returns the object that a relationship leads to; nil if it does not fit.
  func target(
    _ name: String, _ relationship: StoreRelationship, of record: ResultRecord,
    _ scope: DatabaseScope, _ keys: ObjectKeys
  ) throws -> (entity: StoreLayout.Entity, key: Int64)? {
    guard let target = try keys.object(name, scope, record.recordID.zoneID) else {
      try note(
        "'\(relationship.name)' of '\(record.recordID.recordName)' leads to '\(name)', which is not "
          + "among the records; add it ('recordpack fixture extract' takes what records need)")
      return nil
    }
    guard store.model.isKind(target.entity.model, of: relationship.destination) else {
      try note(
        "'\(relationship.name)' of '\(record.recordID.recordName)' leads to '\(name)', a "
          + "'\(target.entity.model.name)', and needs a '\(relationship.destination)'")
      return nil
    }
    return target
  }
}
