/// The names in the SQL of an app that its code gives: constants, and the names of tables.
struct SQLNames {
  let types: DeclaredTypes
  private var constants: [String: [(path: [String], value: String)]] = [:]

  /// How many constants of one name are looked at.
  private static let maxSameName = 64

  init(_ files: [SwiftDeclarations], _ types: DeclaredTypes) {
    self.types = types
    for constant in files.flatMap(\.constants) {
      let name = constant.path.last ?? ""
      guard constants[name, default: []].count < Self.maxSameName else { continue }
      constants[name, default: []].append(constant)
    }
  }

  /// The text of a statement; nil if a part is computed.
  func text(of statement: SwiftDeclarations.SQLText) -> String? {
    guard let text = statement.text, text.contains("\u{0}") else { return statement.text }
    var result = ""
    for (number, part) in text.split(separator: "\u{0}", omittingEmptySubsequences: false)
      .enumerated()
    {
      if number.isMultiple(of: 2) {
        result += part
      } else if let value = value(
        of: part.split(separator: ".").map(String.init), in: statement.scope)
      {
        result += value
      } else {
        return nil
      }
    }
    return result
  }

  /// The value of a name: the text of a constant, `Tag.tableName`, or `Tag.self`.
  private func value(of names: [String], in scope: [String]) -> String? {
    guard let last = names.last else { return nil }
    let isOwn = names[0] == "Self" || names[0] == "self"
    let path = isOwn ? scope + names.dropFirst() : names
    let found = (constants[last] ?? []).filter { $0.path.suffix(path.count) == path[...] }
    let nearest = found.filter { scope.starts(with: $0.path.dropLast()) }
    // A name alone may be that of a parameter, so a constant of another type does not tell it.
    let values = Set((nearest.isEmpty && path.count > 1 ? found : nearest).map(\.value))
    if values.count == 1 { return values.first }
    guard values.isEmpty, last == "tableName" || last == "self", path.count > 1,
      let type = types.type(named: Array(path.dropLast()), in: scope), type.isTable
    else { return nil }
    let name = SQLiteDataModelReader.tableName(of: type)
    return last == "self" ? "\"\(name)\"" : name
  }
}
