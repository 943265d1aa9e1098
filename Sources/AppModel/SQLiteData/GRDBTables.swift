/// GRDB's calls that make tables, as statements of SQL: `create(table:)`, `alter(table:)`,
/// `create(index:)`, `rename(table:to:)` and `drop(table:)`.
///
/// Source: groue/GRDB.swift, `TableDefinition.swift`, `ColumnDefinition.swift`.
struct GRDBTables {
  private let file: SourceFile
  private let arguments: [SourceFile.Argument]
  /// Whether a part is computed, so that there is no statement.
  private var isComputed = false

  /// The statements of a call whose name is at an index; nil if it is not one of GRDB's.
  static func statements(at index: Int, in file: SourceFile) -> [SwiftDeclarations.SQLText]? {
    guard file.isSymbol(index - 1, "."), file.isOpen(index + 1, "("), let word = file.name(index),
      ["create", "alter", "drop", "rename"].contains(word)
    else { return nil }
    var call = GRDBTables(file: file, arguments: file.arguments(of: index + 1))
    guard let label = call.arguments.first?.label, label == "table" || label == "index" else {
      return nil
    }
    let open = file.after(index + 1)
    let body = file.isOpen(open, "{") ? open : call.token("body") { file.isOpen($0, "{") }
    let sql = call.statements(word, label, body: body)
    let location = file.location(of: index)
    if call.isComputed { return [.init(text: nil, location: location)] }
    return sql.map { .init(text: $0, location: location) }
  }

  private init(file: SourceFile, arguments: [SourceFile.Argument]) {
    (self.file, self.arguments) = (file, arguments)
  }

  private mutating func statements(_ word: String, _ label: String, body: Int?) -> [String] {
    let name = text(arguments[0])
    switch (word, label) {
    case ("drop", "table"): return ["DROP TABLE IF EXISTS \(name)"]
    case ("drop", _): return ["DROP INDEX IF EXISTS \(name)"]
    case ("rename", "table"): return ["ALTER TABLE \(name) RENAME TO \(text("to"))"]
    case ("create", "index"):
      let unique = has("unique") && !has("false") ? "UNIQUE " : ""
      let columns = list(argument("columns"))
      return ["CREATE \(unique)INDEX IF NOT EXISTS \(name) ON \(text("on")) (\(columns))"]
    case ("create", "table"):
      guard let body, !has("temporary") else { return [] }
      // SQL has the constraints of a table behind its columns.
      let all = definitions(in: body)
      let isConstraint = { (part: String) in
        ["UNIQUE (", "PRIMARY KEY (", "FOREIGN KEY ("].contains { part.hasPrefix($0) }
      }
      let parts = all.filter { !isConstraint($0) } + all.filter(isConstraint)
      return [
        "CREATE TABLE \(has("ifNotExists") ? "IF NOT EXISTS " : "")\(name) (\(parts.joined(separator: ", ")))"
      ]
    case ("alter", "table"):
      guard let body else { return [] }
      return definitions(in: body).map { "ALTER TABLE \(name) \($0)" }
    default: return []
    }
  }

  // MARK: - Arguments

  private func argument(_ label: String) -> SourceFile.Argument? {
    arguments.first { $0.label == label }
  }

  private func token(_ label: String, where condition: (Int) -> Bool) -> Int? {
    argument(label)?.tokens.first(where: condition)
  }

  private func has(_ word: String) -> Bool {
    arguments.dropFirst().contains { argument in
      argument.label == word || argument.tokens.contains { file.isName($0, word) }
    }
  }

  private mutating func text(_ label: String) -> String { text(argument(label)) }

  /// A literal as a quoted name.
  private mutating func text(_ argument: SourceFile.Argument?) -> String {
    guard let argument, argument.tokens.count == 1, let token = file[argument.tokens.lowerBound],
      token.kind == .string, token.isPlain
    else {
      isComputed = true
      return "\"\""
    }
    return Self.quoted(token.text)
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// A list of literals as quoted names.
  private mutating func list(_ argument: SourceFile.Argument?) -> String {
    let tokens = (argument?.tokens ?? 0..<0).filter { file.tokens[$0].kind == .string }
    let names = tokens.filter { file.tokens[$0].isPlain }.map { Self.quoted(file.tokens[$0].text) }
    if names.isEmpty || names.count < tokens.count { isComputed = true }
    return names.joined(separator: ", ")
  }

  // MARK: - Columns

  /// The definitions in the block of a table: `t.column("title", .text).notNull()`.
  private mutating func definitions(in body: Int) -> [String] {
    let end = min(file.matches[body], file.tokens.count)
    var parameter = "$0"
    var index = body + 1
    if let name = file.name(index), file.isName(index + 1, "in") {
      parameter = name
      index += 2
    }
    var result: [String] = []
    while index < end {
      guard file.isName(index, parameter), file.isSymbol(index + 1, "."),
        let method = file.name(index + 2)
      else {
        // `if`, `for` and the like decide about columns.
        if file.isOpen(index, "{") { isComputed = true }
        index = file.after(index)
        continue
      }
      let open = index + 3
      guard file.isOpen(open, "(") || file.isOpen(open, "{") else {
        isComputed = true
        return []
      }
      var call = GRDBTables(
        file: file, arguments: file.isOpen(open, "(") ? file.arguments(of: open) : [])
      index = file.after(open)
      let inner = file.isOpen(open, "{") ? open : file.isOpen(index, "{") ? index : nil
      if method == "primaryKey", let inner {
        // A key of several columns, in a block of its own.
        let columns = definitions(in: inner)
        result += columns
        let names = columns.compactMap { $0.split(separator: " ").first.map(String.init) }
        result.append("PRIMARY KEY (\(names.joined(separator: ", ")))")
        index = file.after(inner)
        continue
      }
      var definition = call.definition(method)
      while file.isSymbol(index, "."), let modifier = file.name(index + 1),
        file.isOpen(index + 2, "(")
      {
        var next = GRDBTables(file: file, arguments: file.arguments(of: index + 2))
        definition += next.modifier(modifier)
        isComputed = isComputed || next.isComputed
        index = file.after(index + 2)
      }
      isComputed = isComputed || call.isComputed
      if !definition.isEmpty { result.append(definition) }
    }
    return result
  }

  private mutating func definition(_ method: String) -> String {
    let first = arguments.first
    switch method {
    case "column",
      "primaryKey" where arguments.count > 1 || first?.label == nil:
      if method == "primaryKey", first?.tokens.count != 1 { return "PRIMARY KEY (\(list(first)))" }
      if first?.label == "sql" || first?.label == "literal" { return literal(first) }
      return column() + (method == "primaryKey" ? " PRIMARY KEY NOT NULL" : "")
    case "autoIncrementedPrimaryKey": return text(first) + " INTEGER PRIMARY KEY AUTOINCREMENT"
    case "uniqueKey": return "UNIQUE (\(list(first)))"
    case "foreignKey": return "FOREIGN KEY (\(list(first)))" + references(argument("references"))
    case "belongsTo":
      let name = text(first)
      return "\"" + name.dropFirst().dropLast() + "Id\""
        + references(argument("inTable") ?? first)
    case "check", "constraint": return ""
    case "add" where first?.label == "column": return "ADD COLUMN " + column()
    case "rename": return "RENAME COLUMN \(text(first)) TO \(text("to"))"
    case "drop": return "DROP COLUMN \(text(first))"
    case "addColumn": return "ADD COLUMN " + literal(first)
    default:
      isComputed = true
      return ""
    }
  }

  private mutating func literal(_ argument: SourceFile.Argument?) -> String {
    guard let range = argument?.tokens, range.count == 1, let token = file[range.lowerBound],
      token.kind == .string, token.isPlain
    else {
      isComputed = true
      return ""
    }
    return token.text
  }

  private static let types = [
    "text": "TEXT", "jsonText": "TEXT", "integer": "INTEGER", "double": "DOUBLE", "real": "REAL",
    "numeric": "NUMERIC", "boolean": "BOOLEAN", "blob": "BLOB", "jsonb": "BLOB", "date": "DATE",
    "datetime": "DATETIME", "any": "ANY",
  ]

  private mutating func column() -> String {
    let type = arguments.dropFirst().first.flatMap { argument in
      argument.tokens.compactMap { file.name($0) }.compactMap { Self.types[$0] }.last
    }
    return text(arguments.first) + (type.map { " " + $0 } ?? "")
  }

  private mutating func modifier(_ name: String) -> String {
    switch name {
    case "notNull": " NOT NULL"
    case "unique": " UNIQUE"
    case "primaryKey": " PRIMARY KEY"
    case "defaults": " DEFAULT 1"
    case "generatedAs": " GENERATED ALWAYS AS (NULL)"
    case "references": references(arguments.first)
    default: ""
    }
  }

  private mutating func references(_ table: SourceFile.Argument?) -> String {
    var sql = " REFERENCES " + text(table)
    let action = argument("onDelete")?.tokens.compactMap { file.name($0) }.last
    let words = [
      "cascade": "CASCADE", "setNull": "SET NULL", "setDefault": "SET DEFAULT",
      "restrict": "RESTRICT",
    ]
    if let action, let word = words[action] { sql += " ON DELETE " + word }
    return sql
  }
}
