import RecordModel

extension ContainerTransaction {
  /// Returns the state of a record type, which is added if the container does not have it.
  package func type(_ name: String) throws -> TypeState {
    let db = try db
    if let known = types[name], known.name.sameScalars(as: name) { return known }
    // Another name, with which the dictionary takes it for the same, may have replaced it there.
    let isAbsent = isNew && types[name] == nil
    var id = isAbsent ? nil : try intactType(name)
    if id == nil, !isNew {
      // The row of the type may be damaged.
      try repairTypes()
      id = try intactType(name)
    }
    if id == nil {
      let next = isNew ? addedTypes &+ 1 : try nextID(in: "recordType")
      addedTypes &+= 1
      try db.insert([next, name], into: .recordType)
      id = next
    }
    let state = TypeState(id: id ?? 0, name: name)
    types[name] = state
    return state
  }

  func type(withID id: Int64) throws -> TypeState {
    if let known = typesByID[id] { return known }
    func name() throws -> String? {
      try db.first("\(CheckedTable.recordType.select) WHERE id = ?", [id]) { row in
        row.isIntact(.recordType) ? row.string(1) : nil
      } ?? nil
    }
    var found = try name()
    if found == nil {
      try repairTypes()
      found = try name()
    }
    guard let found else {
      throw ContainerStoreError.damaged(detail: "the record type number \(id) has no readable name")
    }
    let type = try type(found)
    typesByID[id] = type
    return type
  }

  /// Forgets the record types that were read: their rows have changed.
  func forgetTypes() { (types, typesByID) = ([:], [:]) }

  /// Gives record types whose rows are damaged or missing the names that their records have.
  func repairTypes() throws {
    guard !hasRepairedTypes else { return }
    hasRepairedTypes = true
    let damaged = try db.all(CheckedTable.recordType.select) { row in
      row.isIntact(.recordType) ? nil : row.int64(0)
    }.compactMap(\.self)
    for id in damaged { try db.run("DELETE FROM recordType WHERE id = ?", [id]) }
    let lost = try db.all(
      "SELECT DISTINCT type FROM section WHERE type NOT IN (SELECT id FROM recordType)"
    ) { $0.int64(0) }
    if damaged.isEmpty && lost.isEmpty { return }
    for id in lost {
      guard let name = try intactRecord("type", id)?.recordType else { continue }
      try db.insert([id, name], into: .recordType, or: .ignore)
    }
    forgetTypes()
  }

  /// Returns the number of a record type; nil if there is none, or if its row is damaged.
  func intactType(_ name: String) throws -> Int64? {
    try db.first("\(CheckedTable.recordType.select) WHERE name = ?", [name]) { row in
      row.isIntact(.recordType) ? row.int64(0) : nil
    } ?? nil
  }

  /// Returns the first intact record with a number in a column.
  func intactRecord(_ column: String, _ id: Int64) throws -> ResultRecord? {
    let rows = try SQLiteStatement.make(
      "\(CheckedTable.record.select) NOT INDEXED WHERE \(column) = ?", in: db)
    defer { rows.reset() }
    rows.bind(1, id)
    while try rows.step() {
      if rows.isIntact(.record), let record = try? reader.read(rows.bytes(5)) { return record }
    }
    return nil
  }
}
