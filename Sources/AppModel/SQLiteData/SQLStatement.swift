/// A statement of SQL.
enum SQLStatement {
  /// Whether a text creates or changes tables.
  static func changesTables(_ text: String) -> Bool {
    let start = text.drop { !$0.isLetter && $0 != "-" }.prefix(400).uppercased()
    return start.hasPrefix("CREATE TABLE") || start.hasPrefix("ALTER TABLE")
      || start.hasPrefix("DROP TABLE") || start.hasPrefix("CREATE UNIQUE INDEX")
      || start.hasPrefix("--") && start.contains("CREATE TABLE")
  }
}

/// The tables that statements of SQL leave.
struct SQLTables: Sendable {
  struct Column: Sendable, Hashable {
    var name: String
    /// The declared type, in upper case.
    var type = ""
    var isNotNull = false
    var hasDefault = false
    var isGenerated = false
  }

  struct ForeignKey: Sendable, Hashable {
    var columns: [String]
    var table: String
    /// The action where the other row is deleted, in upper case; empty if none is named.
    var onDelete = ""
  }

  struct Table: Sendable, Hashable {
    var name: String
    var columns: [Column] = []
    var primaryKey: [String] = []
    var uniques: [[String]] = []
    var foreignKeys: [ForeignKey] = []
  }

  private(set) var tables: [Table] = []
  /// The text that was not read.
  private(set) var problems: [String] = []
  private var tokens: [SQLToken] = []
  private var position = 0

  /// Applies statements, separated by semicolons. Others than those of tables have no effect.
  mutating func apply(_ text: String) {
    tokens = SQLLexer.read(text)
    position = 0
    while position < tokens.count {
      statement()
      while position < tokens.count, !tokens[position].isSymbol(";") { position += 1 }
      position += 1
    }
    tokens = []
  }

  subscript(name: String) -> Table? {
    tables.first { $0.name.lowercased() == name.lowercased() }
  }

  // MARK: - Tokens

  private var token: SQLToken? { position < tokens.count ? tokens[position] : nil }

  private mutating func skip(_ words: String...) -> Bool {
    for (offset, word) in words.enumerated() {
      guard position + offset < tokens.count, tokens[position + offset].isWord(word) else {
        return false
      }
    }
    position += words.count
    return true
  }

  /// Reads a name, without that of its database.
  private mutating func name() -> String? {
    guard let token, token.kind == .name || token.kind == .string else { return nil }
    position += 1
    if self.token?.isSymbol(".") == true, position + 1 < tokens.count {
      position += 2
      return tokens[position - 1].text
    }
    return token.text
  }

  /// The index after the parenthesis that closes the one at an index.
  private func end(of open: Int) -> Int {
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].isSymbol("(") { depth += 1 }
      if tokens[index].isSymbol(")") {
        depth -= 1
        if depth == 0 { return index + 1 }
      }
    }
    return tokens.count
  }

  /// Reads a list of names in parentheses.
  private mutating func names() -> [String] {
    guard token?.isSymbol("(") == true else { return [] }
    let close = end(of: position)
    let result = tokens[position..<close].filter {
      $0.kind == .name && !$0.isWord("ASC") && !$0.isWord("DESC")
    }
    .map(\.text)
    position = close
    return result
  }

  // MARK: - Statements

  private mutating func statement() {
    if skip("CREATE", "TABLE") { return createTable() }
    if skip("CREATE", "UNIQUE", "INDEX") {
      _ = skip("IF", "NOT", "EXISTS")
      _ = name()
      guard skip("ON"), let table = name() else { return }
      let columns = names()
      edit(table) { $0.uniques.append(columns) }
    } else if skip("DROP", "TABLE") {
      _ = skip("IF", "EXISTS")
      guard let table = name() else { return }
      tables.removeAll { $0.name.lowercased() == table.lowercased() }
    } else if skip("ALTER", "TABLE") {
      alterTable()
    }
  }

  private mutating func edit(_ name: String, _ body: (inout Table) -> Void) {
    guard let index = tables.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) else {
      problems.append("a statement changes the table '\(name)', which none creates")
      return
    }
    body(&tables[index])
  }

  private mutating func createTable() {
    let ignoresExisting = skip("IF", "NOT", "EXISTS")
    guard let name = name() else { return }
    guard token?.isSymbol("(") == true else {
      problems.append("the columns of the table '\(name)' were not read")
      return
    }
    if ignoresExisting, self[name] != nil { return }
    let close = end(of: position)
    position += 1
    var table = Table(name: name)
    while position < close - 1 {
      let start = position
      definition(in: &table, until: close - 1)
      if token?.isSymbol(",") == true { position += 1 }
      if position == start { position += 1 }
    }
    position = close
    tables.removeAll { $0.name.lowercased() == name.lowercased() }
    tables.append(table)
  }

  private mutating func alterTable() {
    guard let name = name() else { return }
    if skip("RENAME", "TO") {
      guard let new = self.name() else { return }
      edit(name) { $0.name = new }
    } else if skip("RENAME") {
      _ = skip("COLUMN")
      guard let old = self.name(), skip("TO"), let new = self.name() else { return }
      edit(name) { table in
        for index in table.columns.indices where table.columns[index].name == old {
          table.columns[index].name = new
        }
      }
    } else if skip("DROP") {
      _ = skip("COLUMN")
      guard let column = self.name() else { return }
      edit(name) { $0.columns.removeAll { $0.name.lowercased() == column.lowercased() } }
    } else if skip("ADD") {
      _ = skip("COLUMN")
      var table = self[name] ?? Table(name: name)
      column(in: &table, until: tokens.count)
      edit(name) { $0 = table }
    }
  }

  /// Reads a column, or a constraint of the table.
  private mutating func definition(in table: inout Table, until end: Int) {
    if skip("CONSTRAINT") { _ = name() }
    if skip("PRIMARY", "KEY") {
      table.primaryKey = names()
    } else if skip("UNIQUE") {
      table.uniques.append(names())
    } else if skip("FOREIGN", "KEY") {
      let columns = names()
      if let key = reference(from: columns, until: end) { table.foreignKeys.append(key) }
    } else if !skip("CHECK") {
      return column(in: &table, until: end)
    }
    skipToComma(until: end)
  }

  private mutating func skipToComma(until end: Int) {
    while position < end, let token, !token.isSymbol(","), !token.isSymbol(";") {
      position = token.isSymbol("(") ? self.end(of: position) : position + 1
    }
  }

  private static let constraintWords: Set<String> = [
    "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES",
    "GENERATED", "AS",
  ]

  private mutating func column(in table: inout Table, until end: Int) {
    guard let name = name() else { return skipToComma(until: end) }
    var column = Column(name: name)
    var words: [String] = []
    while position < end, let token, token.kind == .name,
      token.isQuoted || !Self.constraintWords.contains(token.text.uppercased())
    {
      words.append(token.text.uppercased())
      position += 1
      if self.token?.isSymbol("(") == true { position = self.end(of: position) }
    }
    column.type = words.joined(separator: " ")
    while position < end, let token, !token.isSymbol(","), !token.isSymbol(";") {
      if skip("PRIMARY", "KEY") {
        table.primaryKey = [name]
      } else if skip("NOT", "NULL") {
        column.isNotNull = true
      } else if skip("UNIQUE") {
        table.uniques.append([name])
      } else if skip("DEFAULT") {
        column.hasDefault = true
        if self.token?.isSymbol("(") == true { position = self.end(of: position) }
      } else if skip("GENERATED", "ALWAYS", "AS") || skip("AS") {
        column.isGenerated = true
      } else if token.isWord("REFERENCES") {
        if let key = reference(from: [name], until: end) { table.foreignKeys.append(key) }
      } else {
        position = token.isSymbol("(") ? self.end(of: position) : position + 1
      }
    }
    table.columns.append(column)
  }

  private mutating func reference(from columns: [String], until end: Int) -> ForeignKey? {
    guard skip("REFERENCES"), let table = name() else { return nil }
    _ = names()
    var key = ForeignKey(columns: columns, table: table)
    while position < end, let token, !token.isSymbol(",") {
      if skip("ON", "DELETE") {
        key.onDelete = self.token?.text.uppercased() ?? ""
        position += 1
        if key.onDelete == "SET" || key.onDelete == "NO" {
          key.onDelete += " " + (self.token?.text.uppercased() ?? "")
          position += 1
        }
      } else if skip("ON", "UPDATE") || skip("MATCH") {
        position += 1
      } else if Self.constraintWords.contains(token.text.uppercased()), !token.isWord("NOT") {
        break
      } else if token.isWord("NOT"), position + 1 < tokens.count,
        tokens[position + 1].isWord("NULL")
      {
        break
      } else {
        position += 1
      }
    }
    return key
  }
}
