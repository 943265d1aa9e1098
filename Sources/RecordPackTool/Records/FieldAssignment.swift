import Foundation
import RecordCoding

/// A field on the command line: `NAME=TEXT`, `NAME:=JSON` or `NAME@=FILE`.
enum FieldAssignment {
  /// Whether an argument has the form of an assignment.
  static func isOne(_ argument: String) -> Bool { argument.utf8.contains(sign) }

  // Bytes, because a combining mark after "=" would make it another character.
  private static let sign = UInt8(ascii: "=")

  /// Parses an argument.
  ///
  /// - Throws: `CommandError` that names the argument's field, never its value.
  static func parse(_ argument: String) throws -> (name: String, value: InputRecord.Value) {
    guard let end = argument.utf8.firstIndex(of: sign) else {
      throw CommandError(
        "'\(argument)' is not a field; expected NAME=TEXT, NAME:=JSON or NAME@=FILE")
    }
    var name = argument.unicodeScalars[..<end]
    let text = String(argument.unicodeScalars[argument.unicodeScalars.index(after: end)...])
    let form = name.last
    if form == ":" || form == "@" { name.removeLast() }
    guard !name.isEmpty else {
      throw CommandError("a field without a name; expected NAME=TEXT, NAME:=JSON or NAME@=FILE")
    }
    switch form {
    case ":": return (String(name), try json(text, of: String(name)))
    case "@":
      guard !text.isEmpty, text != "-" else {
        throw CommandError("field '\(name)': expected the path of a file after '@='")
      }
      // A URL would take ~ for a home folder; the shell has replaced what is meant so.
      let path = text.utf8.first == UInt8(ascii: "~") ? "./" + text : text
      return (String(name), .file(URL(fileURLWithPath: path)))
    default: return (String(name), .text(text))
    }
  }

  /// Reads a value, or a field of a record dictionary, which has the member `value`.
  private static func json(_ text: String, of name: String) throws -> InputRecord.Value {
    let json: JSONValue
    do {
      json = try JSONParser.parse(text)
    } catch {
      throw CommandError("field '\(name)': \(error); text is written '\(name)=TEXT'")
    }
    guard !json.isNull else { return .removed }
    return .json(json["value"] == nil ? .object([.init("value", json)]) : json)
  }
}
