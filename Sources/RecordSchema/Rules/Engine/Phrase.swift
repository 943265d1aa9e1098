/// Phrases for messages.
package enum Phrase {
  static func role(_ name: String) -> String {
    switch name {
    case "_world": "anyone (_world)"
    case "_icloud": "any signed-in account (_icloud)"
    case "_creator": "the record's creator (_creator)"
    default: "the role '\(name)'"
    }
  }

  /// Returns a list as a phrase: `A`, `A and B`, `A, B and C`.
  package static func list(_ items: [String], _ conjunction: String = "and") -> String {
    guard items.count > 1, let last = items.last else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  static func field(_ field: CloudSchema.Field) -> String {
    let options = field.options.isEmpty ? "" : " " + field.options.description
    return "'\(field.name)' (\(field.type)\(options))"
  }

  /// Returns a number with a noun in singular or plural: `3 fields`, `1 field`.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  static func isOpenToMany(_ role: String) -> Bool { role == "_world" || role == "_icloud" }
}
