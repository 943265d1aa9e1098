import Foundation
import RecordCoding
import RecordModel
import RecordText

/// A record to save, as a file or the command line gives it.
struct InputRecord {
  /// A field to set or to remove.
  enum Value {
    /// A field of a record dictionary, `{"type":…,"value":…}`; the type may be missing.
    case json(JSONValue)
    /// Text, which the type of the field decides about.
    case text(String)
    /// The file of an asset.
    case file(URL)
    case removed
  }

  /// Where the record stands, for errors.
  var place: String
  /// The file and line of the record; nil for the command line.
  var line: (file: String, number: Int)?
  var database: DatabaseScope?
  var zoneID: ZoneID?
  var recordName: String?
  var recordType: String?
  var fields: [(name: String, value: Value)] = []
  /// The members of the dictionary without its fields; nil for the command line.
  var dictionary: JSONValue?

  /// Returns an error of this record.
  func failure(_ problem: String) -> CommandError {
    CommandError(
      place + (recordName.map { ", record '\($0)'" } ?? "") + ": " + problem,
      at: ["file": line?.file, "line": line?.number, "record": recordName])
  }
}

extension InputRecord {
  /// Creates it from a record dictionary, or from a record line of a bundle.
  init(json: JSONValue, in file: String, line: Int) throws {
    place = "'\(file)', line \(line)"
    self.line = (file, line)
    guard json.members != nil else {
      throw failure("found \(json.kind), expected an object: a record")
    }
    recordName = try text("recordName", of: json)
    recordType = try text("recordType", of: json)
    for name in ["records", "operations"] where json["recordName"] == nil && json[name] != nil {
      throw failure(
        "found an object with '\(name)', expected a record; 'recordpack import --from "
          + "web-services' reads responses")
    }
    if let kind = json["kind"], kind.string != "record" {
      throw failure(
        "found a line of the kind \(kind.string.map { "'\($0)'" } ?? kind.kind), expected a record"
          + "; 'recordpack import' reads bundles")
    }
    if let deleted = json["deleted"], deleted.bool != false, !deleted.isNull {
      throw failure("found a deleted record; 'recordpack delete' deletes records")
    }
    if let database = json["database"] {
      guard let scope = database.string.flatMap(DatabaseScope.init(rawValue:)) else {
        throw failure("database: found \(database.shown), expected public, private or shared")
      }
      self.database = scope
    }
    try reading {
      zoneID = try json["zoneID"].map { json in
        do {
          return try ZoneID(json: json)
        } catch let error as RecordCodingError {
          throw error.inside(member: "zoneID")
        }
      }
    }
    dictionary = json.dropping(["kind", "database", "fields", "deleted", "keyedArchive"])
    guard let fields = json["fields"] else {
      throw failure(
        "it has no member 'fields'; 'recordpack show --json' and 'recordpack query --json' write "
          + "records with fields, and \"fields\":{} is a record without any")
    }
    guard let members = fields.members else {
      throw failure("fields: found \(fields.kind), expected an object")
    }
    self.fields = try members.map { ($0.name, try value($0)) }
  }

  /// Returns a member that must be a string; nil if there is none.
  private func text(_ name: String, of json: JSONValue) throws -> String? {
    guard let value = json[name] else { return nil }
    guard let text = value.string else {
      throw failure("\(name): found \(value.kind), expected a string")
    }
    return text
  }

  /// Reads a field. As in Web Services, null removes it.
  private func value(_ member: JSONValue.Member) throws -> Value {
    if member.value.isNull { return .removed }
    guard member.value.members != nil else {
      throw failure(
        "fields.\(member.name): found \(member.value.kind), expected an object with the member "
          + "'value'")
    }
    return .json(member.value)
  }

  /// Runs `body`, and adds the place of the record to its errors.
  func reading<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch var error as RecordCodingError {
      // The place names the line.
      error.offset = nil
      throw failure("\(error)")
    } catch let error as CloudError {
      throw failure("\(error)")
    }
  }
}

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
      // A URL would read ~ as a home folder; the shell has replaced what is meant so.
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

/// Reads records from JSON: a record dictionary, an array of them, or one after another, as in JSON
/// Lines.
enum RecordInput {
  /// The limit of the text in bytes; it is read into memory.
  static let maxSize = 1 << 30

  /// Reads a file; `-` is standard input.
  static func data(at path: String) throws -> Data {
    guard path != "-" || isatty(STDIN_FILENO) == 0 else {
      throw CommandError(
        "standard input is a terminal; name a file, or give --type or --name and fields")
    }
    let bytes = try Inputs.bytes(
      of: path, "a file with records in JSON", atMost: maxSize, beginningWith: Array("{[".utf8))
    guard bytes.count <= maxSize else {
      throw CommandError("'\(path)' is larger than \(Numbers.size(maxSize)); split it")
    }
    return Data(bytes)
  }

  /// Calls `body` with each record, in order.
  ///
  /// - Parameter name: The name of the text in errors, which also have the line.
  static func forEachRecord(
    in data: Data, named name: String, _ body: (InputRecord) throws -> Void
  ) throws {
    try data.withUnsafeBytes { bytes in
      var parser = JSONParser(bytes)
      guard !parser.isAtEnd() else {
        throw CommandError("'\(name)' is empty; expected records in JSON")
      }
      var lines = LineCounter(bytes)
      do {
        repeat {
          try parser.forEachObject("a record") { parser in
            let line = lines.line(at: parser.position)
            try body(InputRecord(json: parser.separateValue(), in: name, line: line))
          }
        } while !parser.isAtEnd()
      } catch let error as RecordCodingError {
        let line = lines.line(at: error.offset ?? parser.position)
        throw CommandError(
          "'\(name)', line \(line): \(error)",
          at: ["file": name, "line": line])
      }
    }
  }
}

/// Counts lines of a text, for increasing offsets.
private struct LineCounter {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var line = 1

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The number of the line with the byte at an offset, from 1.
  mutating func line(at end: Int) -> Int {
    while offset < min(end, bytes.count) {
      if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
      offset += 1
    }
    return line
  }
}
