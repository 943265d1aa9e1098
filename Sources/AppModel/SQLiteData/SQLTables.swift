import RecordSchema

/// The tables that an app's statements of SQL leave, as SQLite says.
struct SQLTables {
  struct Column: Sendable, Hashable {
    var name: String
    /// The declared type, in upper case.
    var type: String
    var isNotNull: Bool
    var hasDefault: Bool
    var isGenerated: Bool
  }

  struct ForeignKey: Sendable, Hashable {
    var columns: [String]
    var table: String
    /// The action where the other row is deleted, in upper case.
    var onDelete: String
  }

  struct Table: Sendable, Hashable {
    var name: String
    var columns: [Column]
    var primaryKey: [String]
    var uniques: [[String]]
    var foreignKeys: [ForeignKey]
  }

  typealias Statement = (text: String, location: SchemaLocation)

  private(set) var tables: [Table] = []
  /// The error for a statement that SQLite rejects, with the tables that it is about, if they are known.
  private(set) var problems: [(message: String, tables: Set<String>?, location: SchemaLocation)] =
    []

  /// How many statements are run, since each takes time with the number of tables.
  private static let maxStatements = 4_000

  /// Runs statements, separated by semicolons. Those that do not change tables have no effect.
  init(_ scripts: [Statement]) {
    guard let database = SQLDatabase() else { return }
    var pending: [Statement] = []
    for script in scripts {
      for text in Self.statements(in: script.text) where Self.changesTables(text) {
        pending.append((text, script.location))
      }
    }
    if pending.count > Self.maxStatements {
      problems.append(
        (
          "more than \(Self.maxStatements) statements of SQL", nil,
          pending[Self.maxStatements].location
        ))
      pending.removeLast(pending.count - Self.maxStatements)
    }
    // Files are not in the order of the migrations, so what fails is run again after the others.
    for _ in 0..<8 where !pending.isEmpty {
      let failed = pending.compactMap { statement in
        database.run(statement.text).map { (statement: statement, message: $0) }
      }
      problems.removeAll { $0.message.hasPrefix(Self.rejection) }
      problems += failed.map {
        (Self.rejection + $0.message, Self.tables(in: $0.statement.text), $0.statement.location)
      }
      guard failed.count < pending.count else { break }
      pending = failed.map(\.statement)
    }
    tables = database.tables
  }

  private static let rejection = "SQLite rejects a statement: "

  subscript(name: String) -> Table? {
    tables.first { $0.name.lowercased() == name.lowercased() }
  }

  // MARK: - Statements

  /// The tables that statements create, change or rename, in small letters; nil if a name is computed.
  static func tables(in text: String) -> Set<String>? {
    let words = words(in: text)
    var names: Set<String> = []
    for (index, word) in words.enumerated() where ["TABLE", "ON", "TO"].contains(word.uppercased())
    {
      let name = words[(index + 1)...].first { !["IF", "NOT", "EXISTS"].contains($0.uppercased()) }
      if name?.contains("\u{0}") == true { return nil }
      if let name { names.insert(name.lowercased()) }
    }
    return names.isEmpty ? nil : names
  }

  private static let quotes: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]

  /// The words and names outside of comments, without the names of databases before a dot.
  private static func words(in text: String) -> [String] {
    var words: [String] = []
    var rest = text[...]
    while let first = rest.first {
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "\u{0}" }
      if !word.isEmpty {
        words.append(String(word))
        rest = rest[word.endIndex...]
      } else if let end = quotes[first] {
        let name = rest.dropFirst().prefix { $0 != end }
        words.append(String(name))
        rest = rest[name.endIndex...].dropFirst()
      } else if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
      } else {
        if first == "." { _ = words.popLast() }
        rest = rest.dropFirst()
      }
    }
    return words
  }

  /// Whether a statement creates or changes tables, or the indexes that make values unique.
  static func changesTables(_ text: String) -> Bool {
    var words = text.utf8.prefix(2_000)[...]
    while let first = words.first {
      if first <= 0x20 {
        words = words.dropFirst()
      } else if words.starts(with: "--".utf8) {
        words = words.drop { $0 != 0x0A }
      } else if words.starts(with: "/*".utf8) {
        guard let end = words.indices.first(where: { words[$0...].starts(with: "*/".utf8) }) else {
          return false
        }
        words = words[end...].dropFirst(2)
      } else {
        break
      }
    }
    let start = String(decoding: words.prefix(40), as: UTF8.self).uppercased()
      .split { $0.isWhitespace || $0 == "(" }
    guard start.count > 1 else { return false }
    switch start[0] {
    case "CREATE": return ["TABLE", "UNIQUE", "INDEX"].contains(start[1])
    case "ALTER": return start[1] == "TABLE"
    case "DROP": return start[1] == "TABLE" || start[1] == "INDEX"
    default: return false
    }
  }

  /// Splits a text at the semicolons outside of texts, names and comments.
  static func statements(in text: String) -> [String] {
    let bytes = Array(text.utf8)
    var result: [String] = []
    var (start, index) = (0, 0)
    func skip(to end: UInt8) {
      index += 1
      while index < bytes.count, bytes[index] != end { index += 1 }
    }
    while index < bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch bytes[index] {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): skip(to: bytes[index])
      case UInt8(ascii: "["): skip(to: UInt8(ascii: "]"))
      case UInt8(ascii: "-") where next == UInt8(ascii: "-"): skip(to: 0x0A)
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        index += 2
        while index + 1 < bytes.count,
          bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/")
        {
          index += 1
        }
        index += 1
      case UInt8(ascii: ";"):
        result.append(String(decoding: bytes[start..<index], as: UTF8.self))
        start = index + 1
      default: break
      }
      index += 1
    }
    if start < bytes.count { result.append(String(decoding: bytes[start...], as: UTF8.self)) }
    return result
  }
}
