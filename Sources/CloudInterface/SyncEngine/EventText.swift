import RecordModel

/// Events in one line each. They name records and error codes, and never have values of fields.
enum EventText {
  /// The number of names that a line has.
  private static let maxNames = 20

  static func list(_ names: [some CustomStringConvertible]) -> String { list(names) { "\($0)" } }

  /// Returns the names of items. Items that the line does not show are not named.
  static func list<Item>(_ items: [Item], _ name: (Item) -> String) -> String {
    let shown = items.prefix(maxNames).map { name($0).escapingControls }
    let rest = items.count > maxNames ? " and \(items.count - maxNames) more" : ""
    return shown.joined(separator: ", ") + rest
  }

  /// Returns the lists that are not empty, each with its title.
  static func joined(_ parts: [(title: String, list: String)]) -> String {
    let texts = parts.filter { !$0.list.isEmpty }.map { "\($0.title) \($0.list)" }
    return texts.isEmpty ? "nothing" : texts.joined(separator: "; ")
  }
}
