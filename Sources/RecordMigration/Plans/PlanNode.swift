import Foundation
import RecordCoding
import RecordModel
import RecordSchema
import Yams

/// A value in the YAML of a plan or recipe, with its location.
package struct PlanNode {
  package let node: Node
  package let file: String

  package init(node: Node, file: String) {
    self.node = node
    self.file = file
  }

  /// Parses a document.
  ///
  /// - Parameters:
  ///   - yaml: The text.
  ///   - file: The name of the file in messages.
  ///   - maxSize: The most bytes that the text may have.
  ///   - noun: The kind of document in messages, such as `plan`.
  ///   - tagHint: An addition to the message about tags.
  /// - Throws: ``PlanError`` with line and column.
  package static func root(
    of yaml: String, file: String, maxSize: Int, noun: String, tagHint: String = ""
  ) throws -> PlanNode {
    do {
      let root = try BoundedYAML.root(of: yaml, maxSize: maxSize, noun: noun, tagHint: tagHint)
      if let root { return PlanNode(node: root, file: file) }
    } catch let fault as YAMLFault {
      throw PlanError(
        PlanLocation(file: file, line: fault.line, column: fault.column), fault.message)
    }
    throw PlanError(PlanLocation(file: file, line: 1, column: 1), "the \(noun) is empty")
  }

  package var location: PlanLocation {
    PlanLocation(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
  }

  package func error(_ message: String) -> PlanError { PlanError(location, message) }

  /// Whether this is a plain scalar that YAML reads as null.
  package var isNull: Bool {
    node.scalar.map { $0.style == .plain && ["", "~", "null", "Null", "NULL"].contains($0.string) }
      ?? false
  }

  /// The value as shown in messages.
  package var kind: String {
    if node.sequence != nil { return "a list" }
    if node.mapping != nil { return "a mapping" }
    return node.scalar.map { "'\($0.string.prefix(40))'" } ?? "something else"
  }

  package func text(_ what: String) throws -> String {
    let text = try anyText(what)
    guard !text.isEmpty else { throw error("\(what) is empty") }
    return text
  }

  /// Returns a string that may be empty, such as a separator.
  package func anyText(_ what: String) throws -> String {
    guard let text = node.scalar?.string else { throw error("\(what) is a string, not \(kind)") }
    return text
  }

  package func bool(_ what: String) throws -> Bool {
    switch node.scalar?.string {
    case "true": return true
    case "false": return false
    default: throw error("\(what) is true or false, not \(kind)")
    }
  }

  package func elements(_ what: String, each: String = "[a, b]") throws -> [PlanNode] {
    guard let sequence = node.sequence else {
      throw error("\(what) is a list, not \(kind): \(each)")
    }
    return sequence.map { PlanNode(node: $0, file: file) }
  }

  package func texts(_ what: String) throws -> [String] {
    if node.scalar != nil { return [try text(what)] }
    return try elements(what).map { try $0.text("an element of '\(what)'") }
  }

  /// Returns the case of an enumeration that the text names.
  package func one<Word: CaseIterable & RawRepresentable<String>>(_ what: String) throws -> Word {
    try word(text(what), what)
  }

  /// Returns the cases of an enumeration that the list names.
  package func several<Word: CaseIterable & RawRepresentable<String>>(
    _ what: String
  ) throws -> [Word] {
    try texts(what).map { try word($0, what) }
  }

  private func word<Word: CaseIterable & RawRepresentable<String>>(
    _ text: String, _ what: String
  ) throws -> Word {
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue)
      throw error("there is no \(what) '\(text)'" + NearWord.advice(text, among: known))
    }
    return word
  }

  package func members(_ what: String) throws -> PlanMembers {
    guard let mapping = node.mapping else {
      throw error("\(what) is a mapping of keys to values, not \(kind)")
    }
    return try PlanMembers(
      mapping.map {
        (PlanNode(node: $0.key, file: file), PlanNode(node: $0.value, file: file))
      }, location)
  }

  /// Parses an expression. Errors have the exact location if the text is on a single line.
  package func expression(_ what: String) throws -> RecordExpression {
    let source = try text(what)
    do {
      return try RecordExpression(source)
    } catch let error as ExpressionError {
      guard let location = location(ofColumn: error.column) else {
        throw PlanError(location, "\(what), \(error.description)")
      }
      let isCut = node.scalar?.style == .plain && error.message.contains("no closing")
      let hint = isCut ? "; ' #' begins a comment unless the value is quoted" : ""
      throw PlanError(location, "\(what): \(error.message)\(hint)")
    }
  }

  /// Returns the location of a character in the text, or `nil` if it is unknown.
  package func location(ofColumn column: Int) -> PlanLocation? {
    var location = location
    switch node.scalar?.style {
    case .plain: location.column += column - 1
    case .singleQuoted, .doubleQuoted: location.column += column
    default: return nil
    }
    return location
  }

  /// Returns the locations of the names in an expression.
  func locationsOfNames() -> [String: PlanLocation] {
    guard let source = node.scalar?.string, let tokens = try? ExpressionLexer.tokens(of: source)
    else { return [:] }
    var locations: [String: PlanLocation] = [:]
    for token in tokens {
      guard case .name(let name) = token.kind, locations[name] == nil else { continue }
      locations[name] = location(ofColumn: token.column) ?? location
    }
    return locations
  }

  func dateFormat(_ what: String) throws -> DateFormat {
    do {
      return try DateFormat(try text(what))
    } catch let error as ExpressionError {
      throw self.error("\(what): \(error.message)")
    }
  }

  /// Parses a type in schema notation: `STRING`, `LIST<REFERENCE>`, `ENCRYPTED STRING`.
  package func fieldType(_ what: String) throws -> CloudSchema.FieldType {
    let source = try text(what)
    var name = source.trimmingCharacters(in: .whitespaces)
    var isList = false
    var isEncrypted = false
    if name.hasPrefix("LIST<"), name.hasSuffix(">") {
      isList = true
      name = name.dropFirst(5).dropLast().trimmingCharacters(in: .whitespaces)
    }
    if name.hasPrefix("ENCRYPTED ") {
      isEncrypted = true
      name = name.dropFirst(10).trimmingCharacters(in: .whitespaces)
    }
    guard let primitive = CloudSchema.Primitive(rawValue: name), primitive != .number else {
      let known = CloudSchema.Primitive.allCases.map(\.rawValue).filter { $0 != "NUMBER" }
      throw error(
        "\(what): there is no type '\(source)'"
          + NearWord.advice(name, among: known, also: "LIST<…>, ENCRYPTED …"))
    }
    guard !isEncrypted || primitive.canBeEncrypted else {
      throw error("\(what): \(primitive.rawValue) cannot be encrypted")
    }
    return CloudSchema.FieldType(primitive, isList: isList, isEncrypted: isEncrypted)
  }

  /// Parses a constant: a number, a string, true or false, or a list of them.
  ///
  /// - Parameter type: The expected type. Dates are written in ISO 8601, bytes in Base64.
  package func constant(_ what: String, as type: ValueType? = nil) throws -> RecordValue {
    if let sequence = node.sequence {
      let elements = try sequence.map {
        try PlanNode(node: $0, file: file).constant(what, as: type?.elementType)
      }
      if elements.isEmpty { return type.map(RecordValue.empty) ?? .emptyList }
      guard let list = RecordValue(elements: elements) else {
        throw error("\(what): the elements of a list must have the same type")
      }
      return list
    }
    guard let scalar = node.scalar else { throw error("\(what) is a value or a list of values") }
    guard let type, type != .string else {
      let isText = scalar.style != .plain || type == .string
      return isText ? .string(scalar.string) : Self.plain(scalar.string)
    }
    let conversion = Conversion(to: type)
    let plain = scalar.style == .plain ? Self.plain(scalar.string) : .string(scalar.string)
    if type == .bytes {
      guard let data = Base64.data(from: scalar.string) else {
        throw error("\(what): bytes must be in Base64")
      }
      return .bytes(data)
    }
    do {
      return try conversion.convert(plain, assets: nil).value
    } catch let failure as Conversion.Failure {
      throw error("\(what) should be \(type.rawValue), and is \(failure.reason)")
    }
  }

  private static func plain(_ text: String) -> RecordValue {
    switch text {
    case "true": .int64(1)
    case "false": .int64(0)
    default: TextForm.number(from: text) ?? .string(text)
    }
  }
}

/// The members of a mapping.
package struct PlanMembers {
  private let list: [(key: PlanNode, value: PlanNode)]
  package let location: PlanLocation

  init(_ list: [(PlanNode, PlanNode)], _ location: PlanLocation) throws {
    self.list = list.map { (key: $0, value: $1) }
    self.location = location
    var seen: Set<String> = []
    for (key, _) in list {
      guard let name = key.node.scalar?.string else { throw key.error("a key must be a word") }
      guard seen.insert(name).inserted else { throw key.error("'\(name)' is repeated") }
    }
  }

  package subscript(_ name: String) -> PlanNode? {
    list.first { $0.key.node.scalar?.string == name }?.value
  }

  package func required(_ name: String, _ purpose: String) throws -> PlanNode {
    guard let value = self[name] else {
      throw PlanError(location, "'\(name)' is missing: \(purpose)")
    }
    return value
  }

  /// Returns a key that looks like a misspelling of a word.
  package func key(near word: String) -> PlanNode? {
    list.map(\.key).first { key in
      key.node.scalar.map { !NearWord.hint($0.string, among: [word]).isEmpty } ?? false
    }
  }

  package var names: [String] { list.compactMap { $0.key.node.scalar?.string } }

  /// Throws if there are other keys than these.
  package func allow(_ known: [String], in what: String) throws {
    for (key, _) in list {
      let name = key.node.scalar?.string ?? ""
      guard known.contains(name) else {
        throw key.error("\(what) has no '\(name)'" + NearWord.advice(name, among: known))
      }
    }
  }

  /// All members, for mappings whose keys are data.
  package var pairs: [(key: PlanNode, value: PlanNode)] { list }
}
