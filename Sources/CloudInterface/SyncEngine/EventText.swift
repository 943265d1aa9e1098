import RecordModel

/// Events in one line each. They name records and error codes, and never have values of fields.
enum EventText {
  /// The number of names that a line has.
  private static let maxNames = 20

  static func list(_ names: [some CustomStringConvertible]) -> String {
    let shown = names.prefix(maxNames).map { $0.description.escapingControls }
    let rest = names.count > maxNames ? " and \(names.count - maxNames) more" : ""
    return shown.joined(separator: ", ") + rest
  }

  /// Returns the parts that are not empty, each with its title.
  static func joined(_ parts: [(title: String, names: [String])]) -> String {
    let texts = parts.filter { !$0.names.isEmpty }.map { "\($0.title) \(list($0.names))" }
    return texts.isEmpty ? "nothing" : texts.joined(separator: "; ")
  }
}
