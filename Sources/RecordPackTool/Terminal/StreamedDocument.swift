import RecordCoding
import RecordText

/// A JSON object that ends with a list and what follows it. Each item of the list is written as it is
/// found, as there may be millions.
struct StreamedDocument {
  private let output: StandardOutput
  private var isEmpty = true

  /// Writes what is before the list.
  ///
  /// - Parameter list: the name of the list.
  init(_ head: JSONValue, list: String, to output: StandardOutput) throws {
    self.output = output
    try output.write(
      head.visibleText.dropLast() + ",\(JSONValue.string(list).visibleText):[")
  }

  mutating func add(_ item: JSONValue) throws {
    try output.write((isEmpty ? "\n" : ",\n") + item.visibleText)
    isEmpty = false
  }

  /// Writes what follows the list: at least one member.
  func end(_ members: [JSONValue.Member]) throws {
    try output.line((isEmpty ? "]," : "\n],") + JSONValue.object(members).visibleText.dropFirst())
  }
}
