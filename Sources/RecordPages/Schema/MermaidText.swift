import RecordSchema
import RecordText

/// A diagram as an entity relationship diagram of Mermaid.
///
/// Its names of attributes and types are words of letters, digits, `_` and `-`; what a name has
/// beyond them is replaced, and the name follows as a comment. In texts, everything but letters,
/// digits and harmless marks is written by its number (`#34;`).
struct MermaidText {
  private let content: DiagramContent
  private let title: String

  init(_ content: DiagramContent, title: String) {
    self.content = content
    self.title = title
  }

  var text: String {
    var lines = ["---", "title: \(Self.quoted(title))", "---", "erDiagram"]
    for (index, box) in content.boxes.enumerated() {
      var name = box.name
      if let count = box.countText { name += " (\(count))" }
      lines.append("  t\(index)[\(Self.quoted(name))]" + (box.rows.isEmpty ? "" : " {"))
      lines += box.rows.map { "    " + Self.attribute($0) }
      if !box.rows.isEmpty { lines.append("  }") }
    }
    lines += content.edges.map { edge in
      let line = edge.isGuess ? ".." : "--"
      let label = Self.quoted(content.boxes[edge.source].rows[edge.row].name)
      return "  t\(edge.source) }o\(line)\(edge.isList ? "o{" : "o|") t\(edge.target) : \(label)"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The words that mark keys.
  private static let keys: Set<String> = ["PK", "FK", "UK"]

  private static func attribute(_ row: DiagramContent.Row) -> String {
    let isPlain = SchemaNames.isPlain(row.name) && !keys.contains(row.name.uppercased())
    var notes = isPlain ? [] : [row.name]
    if row.isEncrypted { notes.append("ENCRYPTED") }
    notes += row.options.keywords
    if let change = row.change { notes.append(change.rawValue) }
    let isList = row.type.hasPrefix("LIST<")
    let type = isList ? row.type.dropFirst(5).dropLast() + "[]" : row.type[...]
    let comment = notes.isEmpty ? "" : " " + quoted(notes.joined(separator: " "))
    let name = isPlain ? row.name : word(row.name)
    return "\(type.isEmpty ? "REFERENCE" : type) \(name)\(comment)"
  }

  /// The name as a word.
  private static func word(_ name: String) -> String {
    let letters = name.unicodeScalars.prefix(80).map { scalar -> Character in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? Character(scalar) : "_"
    }
    return "f_" + String(letters)
  }

  /// A text in quotation marks, in which nothing ends it or is markup.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.visible.unicodeScalars {
      let isHarmless =
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || " ._,()-:/→".unicodeScalars.contains(scalar)
      quoted += isHarmless ? String(scalar) : "#\(scalar.value);"
    }
    return quoted + "\""
  }
}
