import RecordSchema

/// Makes the model of an app with SQLiteData: of its `@Table` types, or of SQL.
///
/// Source: pointfreeco/sqlite-data, `CloudKit+StructuredQueries.swift` (each column is an encrypted
/// value under its own name, with the time of its change; bytes are an asset and a hash),
/// `SyncEngine.validateSchema`, and swift-structured-queries for the names of tables.
struct SQLiteDataModelReader {
  private typealias DeclaredType = SwiftDeclarations.DeclaredType

  private let names: DeclaredTypes
  private var problems: [MirroredModel.Problem] = []
  private var entities: [MirroredModel.Entity] = []
  private let sql: SQLTables

  static func read(
    _ files: [SwiftDeclarations], names: DeclaredTypes, named name: String
  ) -> MirroredModel {
    let names = SQLNames(files, names)
    var scripts: [SQLTables.Statement] = []
    var unread: [SwiftDeclarations.SQLText] = []
    for statement in files.flatMap(\.statements) {
      if let text = names.text(of: statement) {
        scripts.append((text, statement.location))
      } else {
        unread.append(statement)
      }
    }
    var reader = SQLiteDataModelReader(names: names.types, sql: SQLTables(scripts))
    return reader.model(files, unread, named: name)
  }

  /// Makes the model of the tables that SQL creates.
  ///
  /// - Parameter location: The place of the SQL.
  static func read(sql text: String, at location: SchemaLocation, named name: String)
    -> MirroredModel
  {
    var reader = SQLiteDataModelReader(
      names: DeclaredTypes([]), sql: SQLTables([(text, location)]))
    for table in reader.sql.tables where !isInternal(table.name) {
      reader.addTable(table, at: location)
    }
    for problem in reader.sql.problems { reader.notRead(problem.message, at: problem.location) }
    return MirroredModel(
      name: name, kind: .sqliteData, entities: reader.entities, problems: reader.problems)
  }

  private init(names: DeclaredTypes, sql: SQLTables) {
    self.names = names
    self.sql = sql
  }

  /// Whether a table is SQLite's, GRDB's or the library's own.
  private static func isInternal(_ name: String) -> Bool {
    name.hasPrefix("sqlite_") || name.hasPrefix("sqlitedata_icloud") || name == "grdb_migrations"
  }

  private mutating func model(
    _ files: [SwiftDeclarations], _ unread: [SwiftDeclarations.SQLText], named name: String
  ) -> MirroredModel {
    let all = files.flatMap(\.types).filter(\.isTable)
    let synced = Set(
      files.flatMap(\.containers.synced).flatMap(\.types).compactMap {
        names.type(named: $0.path, in: $0.scope)?.path
      })
    let chosen = all.filter { synced.contains($0.path) }
    let tables = Set(chosen.map { Self.tableName(of: $0).lowercased() })
    let isSynced = { (names: Set<String>?) in
      tables.isEmpty || names.map { !$0.isDisjoint(with: tables) } ?? true
    }
    let computed = unread.map { (tables: $0.text.flatMap(SQLTables.tables), $0.location) }
      .filter { isSynced($0.tables) }
    for (_, location) in computed {
      notRead("a statement of SQL is computed in part and was not read", at: location)
    }
    for file in files {
      for problem in file.problems { notRead(problem.message, at: problem.location) }
    }
    for problem in sql.problems where isSynced(problem.tables) {
      let missing = problem.message.firstRange(of: "no such table: ")
        .map { problem.message[$0.upperBound...].split(separator: ".").last?.lowercased() ?? "" }
      // The statement that creates the table was not read, and has its own problem.
      if let missing, computed.contains(where: { $0.tables?.contains(missing) ?? true }) {
        continue
      }
      notRead(problem.message, at: problem.location)
    }
    for type in chosen.isEmpty ? all : chosen { add(type) }
    var model = MirroredModel(
      name: name, kind: .sqliteData, entities: entities, problems: problems,
      sharing: files.lazy.compactMap(\.sharing).first, fileCount: files.count,
      comments: files.flatMap(\.comments))
    if chosen.isEmpty, !all.isEmpty {
      model.notes.append("no sync engine of the app was read, so all tables are checked")
    }
    return model
  }

  private mutating func notRead(
    _ message: String, at location: SchemaLocation?, entity: String? = nil, property: String? = nil
  ) {
    problems.append(
      .init("MODEL_NOT_READ", entity: entity, property: property, message, location: location))
  }

  // MARK: - Types with @Table

  private mutating func add(_ type: DeclaredType) {
    guard type.keyword == "struct" else {
      return notRead(
        "'@Table' before the \(type.keyword) '\(type.path.last ?? "")' was not read",
        at: type.location)
    }
    let name = Self.tableName(of: type)
    var table = MirroredModel.Entity(name, location: type.location)
    var primaryKey: [String] = []
    addColumns(of: type, to: &table, &primaryKey, depth: 0)
    if let declared = sql[name] {
      table.uniqueConstraints = declared.uniques
      table.relationships = declared.relationships(at: type.location)
      primaryKey = declared.primaryKey
    }
    if primaryKey.isEmpty, table.attributes.contains(where: { $0.name == "id" }) {
      primaryKey = ["id"]
    }
    checkKey(primaryKey, of: name, at: type.location)
    entities.append(table)
  }

  private mutating func checkKey(_ key: [String], of table: String, at location: SchemaLocation?) {
    if key.count == 1, !table.contains(":") { return }
    problems.append(
      .init(
        "MODEL_PRIMARY_KEY", entity: table,
        table.contains(":")
          ? "the name of the table '\(table)' has a colon; SQLiteData's engine throws an error"
          : "the table '\(table)' has "
            + (key.isEmpty ? "no primary key" : "a primary key of \(key.count) columns")
            + "; SQLiteData's engine does not sync it", location: location))
  }

  /// The name in `@Table("…")`, or the plural of the type's name with a small letter.
  static func tableName(of type: SwiftDeclarations.DeclaredType) -> String {
    if let argument = type.macro?.arguments.first, argument.label == nil,
      let name = argument.words.first, argument.words.count == 1
    {
      return name
    }
    return plural(of: type.path.last ?? "")
  }

  static func plural(of typeName: String) -> String {
    var capitals = typeName.prefix(while: \.isUppercase)
    if capitals.count > 1 { capitals = capitals.dropLast() }
    let name = capitals.lowercased() + typeName.dropFirst(capitals.count)
    let last = name.last
    let before = name.dropLast().last
    if last == "h", before == "c" || before == "s" { return name + "es" }
    if last == "s" || last == "x" || last == "z" { return name + "es" }
    if last == "y", let before, !"aeiouy".contains(before) { return name.dropLast() + "ies" }
    return name.isEmpty ? name : name + "s"
  }

  private static let macros: Set<String> = [
    "Column", "Columns", "Ephemeral", "available", "usableFromInline", "inlinable",
  ]

  private mutating func addColumns(
    of type: DeclaredType, to table: inout MirroredModel.Entity, _ primaryKey: inout [String],
    depth: Int
  ) {
    let owner = type.path.last ?? ""
    for problem in type.problems {
      notRead(problem.message, at: problem.location, entity: table.name)
    }
    for member in type.members {
      if member.modifiers.contains("static") || member.macro("Ephemeral") != nil { continue }
      if let macro = member.macros.first(where: { !Self.macros.contains($0.name) }) {
        notRead(
          "'@\(macro.name)' before '\(member.name)' of '\(owner)' is not known",
          at: member.location, entity: table.name, property: member.name)
        continue
      }
      if member.macro("Columns") != nil {
        addGroup(member, of: type, to: &table, &primaryKey, depth)
        continue
      }
      let column = member.macro("Column")
      if column?.arguments.contains(where: { $0.label == "generated" }) == true { continue }
      let name =
        column?.arguments.first.flatMap { $0.label == nil ? $0.words.first : nil } ?? member.name
      if column?.arguments.contains(where: { $0.label == "primaryKey" && $0.words == ["true"] })
        == true
      {
        primaryKey.append(name)
      }
      let found: (type: MirroredModel.AttributeType, isOptional: Bool)?
      if let representation = column?.arguments.first(where: { $0.label == "as" }) {
        found = columnType(represented: representation.words, member, in: type.path)
      } else {
        found = columnType(of: member, in: type.path)
      }
      // The statement that creates the table has the types that only the compiler knows.
      let declared = sql[table.name]?.columns.first { $0.name.lowercased() == name.lowercased() }
      let known =
        found
        ?? declared.flatMap { column in
          column.attributeType.map { ($0, !column.isNotNull) }
        }
      guard let found = known else {
        notRead(
          "the type of the column '\(name)' of '\(table.name)' is not known", at: member.location,
          entity: table.name, property: name)
        continue
      }
      guard !table.attributes.contains(where: { $0.name == name }) else { continue }
      table.attributes.append(
        .init(
          name, found.type, isOptional: found.isOptional, hasDefault: member.value != nil,
          location: member.location))
    }
  }

  /// Adds the columns of a type that a table has as a group.
  private mutating func addGroup(
    _ member: ModelMember, of type: DeclaredType, to table: inout MirroredModel.Entity,
    _ primaryKey: inout [String], _ depth: Int
  ) {
    guard depth < 8, case .named(let path, _)? = member.type,
      let group = names.type(named: path, in: type.path), group.macro != nil
    else {
      return notRead(
        "the columns of '\(member.name)' of '\(table.name)' were not read", at: member.location,
        entity: table.name, property: member.name)
    }
    addColumns(of: group, to: &table, &primaryKey, depth: depth + 1)
  }

  private func columnType(
    represented words: [String], _ member: ModelMember, in scope: [String]
  ) -> (MirroredModel.AttributeType, Bool)? {
    let isOptional = words.contains("?") || words.contains("Optional")
    let known: [String: MirroredModel.AttributeType] = [
      "JSONRepresentation": .string, "JSONBRepresentation": .binary,
      "UnixTimeRepresentation": .integer, "JulianDayRepresentation": .double,
      "ISO8601Representation": .string, "LowercasedRepresentation": .uuid,
      "UppercasedRepresentation": .uuid, "BytesRepresentation": .binary,
    ]
    if let type = words.compactMap({ known[$0] }).last { return (type, isOptional) }
    return words.contains("RawRepresentation") ? columnType(of: member, in: scope) : nil
  }

  private func columnType(
    of member: ModelMember, in scope: [String]
  ) -> (MirroredModel.AttributeType, Bool)? {
    if let type = member.type { return columnType(of: type, in: scope, 0) }
    guard let value = member.value else { return nil }
    switch value {
    case .call(let type): return columnType(of: type, in: scope, 0)
    case .member(let path) where names.type(named: Array(path.dropLast()), in: scope) != nil:
      return columnType(of: .named(Array(path.dropLast()), []), in: scope, 0)
    default:
      guard case .attribute(let type) = names.meaning(of: value, in: scope), type != .composite
      else {
        return nil
      }
      return (type, false)
    }
  }

  private func columnType(
    of type: SwiftType, in scope: [String], _ depth: Int
  ) -> (MirroredModel.AttributeType, Bool)? {
    guard depth < SwiftType.maxDepth else { return nil }
    switch type {
    case .optional(let wrapped):
      return columnType(of: wrapped, in: scope, depth + 1).map { ($0.0, true) }
    case .array(.named(["UInt8"], _)): return (.binary, false)
    case .named(let path, let arguments):
      if path.last == "Tagged", let raw = arguments.last {
        return columnType(of: raw, in: scope, depth + 1)
      }
      // `RemindersList.ID`, the type of the other table's primary key.
      if path.last == "ID", path.count > 1,
        let owner = names.type(named: Array(path.dropLast()), in: scope),
        let key = owner.members.first(where: { $0.name == "id" }) ?? owner.members.first,
        key.name == "id" || key.macro("Column") != nil
      {
        return key.type.flatMap { columnType(of: $0, in: owner.path, depth + 1) }
      }
      switch names.meaning(of: path, in: scope) {
      case .alias(let target, let next): return columnType(of: target, in: next, depth + 1)
      case .type(let declared):
        guard declared.keyword == "enum", let raw = declared.inherited.first else { return nil }
        return columnType(of: raw, in: Array(declared.path.dropLast()), depth + 1)
      case nil: break
      }
      let meaning = names.meaning(of: type, in: scope)
      // Decimal has no representation.
      guard case .attribute(let found) = meaning.type, found != .composite, found != .decimal else {
        return nil
      }
      return (found, meaning.isOptional)
    default: return nil
    }
  }

  // MARK: - Tables of SQL

  private mutating func addTable(_ declared: SQLTables.Table, at location: SchemaLocation) {
    var table = MirroredModel.Entity(
      declared.name, relationships: declared.relationships(at: location),
      uniqueConstraints: declared.uniques, location: location)
    for column in declared.columns where !column.isGenerated {
      guard let type = column.attributeType else {
        notRead(
          "the type '\(column.type)' of the column '\(column.name)' of '\(declared.name)' is not known",
          at: location, entity: declared.name, property: column.name)
        continue
      }
      table.attributes.append(
        .init(
          column.name, type, isOptional: !column.isNotNull, hasDefault: column.hasDefault,
          location: location))
    }
    checkKey(declared.primaryKey, of: declared.name, at: location)
    entities.append(table)
  }
}

extension SQLTables.Table {
  /// The relationships of the foreign keys. The engine rejects the action of a table's only one.
  fileprivate func relationships(at location: SchemaLocation?) -> [MirroredModel.Relationship] {
    foreignKeys.map { key in
      .init(
        key.columns.joined(separator: ", "), to: key.table, inverse: nil,
        deniesDeletion: foreignKeys.count == 1
          && ["", "RESTRICT", "NO ACTION"].contains(key.onDelete), location: location)
    }
  }
}

extension SQLTables.Column {
  /// The type of the values, by SQLite's rules for the names of types.
  fileprivate var attributeType: MirroredModel.AttributeType? {
    if type.contains("INT") || type.contains("BOOL") { return .integer }
    if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
      return .textOrDate
    }
    if type.contains("BLOB") { return .binary }
    if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") { return .double }
    if type.contains("DATE") || type.contains("TIMESTAMP") { return .textOrDate }
    return nil
  }
}
