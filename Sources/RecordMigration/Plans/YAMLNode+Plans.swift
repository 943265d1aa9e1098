import Foundation
import RecordCoding
import RecordModel
import RecordSchema
import Yams

extension MigrationError {
  /// Reads a plan or another document, and converts errors in its YAML.
  package static func reading<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as YAMLError {
      throw MigrationError(
        PlanLocation(file: error.file, line: error.line, column: error.column), error.message)
    }
  }
}

extension YAMLMembers {
  package var location: PlanLocation { mapping.location }

  /// Returns the members of a document that begins with its kind and version, such as
  /// `recordpack-policy: 1`.
  ///
  /// - Parameters:
  ///   - key: The member with the version.
  ///   - noun: The kind of document in messages, such as `policy`.
  ///   - names: The members that the document may have besides.
  package static func document(
    _ yaml: String, file: String, maxSize: Int, key: String, noun: String, allowing names: [String],
    tagHint: String = ""
  ) throws -> YAMLMembers {
    let members = try YAMLNode.document(
      yaml, file: file, maxSize: maxSize, noun: noun, tagHint: tagHint
    ).members("a \(noun)")
    guard let version = members[key] else {
      let message = "this is not a \(noun): it should begin with '\(key): 1'"
      throw members.key(near: key)?.error(message)
        ?? YAMLError(file: file, line: 1, column: 1, message)
    }
    guard version.node.scalar?.string == "1" else {
      throw version.error("this version of RecordPack reads version 1 of a \(noun)")
    }
    try members.allow([key] + names, in: "a \(noun)")
    return members
  }
}

extension YAMLNode {
  /// Returns the root of a document, which must not be empty.
  package static func document(
    _ yaml: String, file: String, maxSize: Int, noun: String, tagHint: String = ""
  ) throws -> YAMLNode {
    let root = try root(of: yaml, file: file, maxSize: maxSize, noun: noun, tagHint: tagHint)
    guard let root else { throw YAMLError(file: file, line: 1, column: 1, "the \(noun) is empty") }
    return root
  }

  package var location: PlanLocation { PlanLocation(file: file, line: line, column: column) }

  /// Parses an expression. Errors have the exact location if the text is on a single line.
  package func expression(_ what: String) throws -> RecordExpression {
    let source = try text(what)
    do {
      return try RecordExpression(source)
    } catch let error as MigrationError {
      guard let place = error.column.flatMap(location(ofColumn:)) else {
        throw self.error("\(what), \(error.description)")
      }
      let isCut = node.scalar?.style == .plain && error.message.contains("no closing")
      let hint = isCut ? "; ' #' begins a comment unless the value is quoted" : ""
      throw YAMLError(
        file: file, line: place.line, column: place.column, "\(what): \(error.message)\(hint)")
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
    guard let source = node.scalar?.string, let tokens = try? ConditionLexer.tokens(of: source)
    else { return [:] }
    var locations: [String: PlanLocation] = [:]
    for token in tokens {
      switch token.content {
      case .word(let name), .name(let name):
        if locations[name] == nil { locations[name] = location(ofColumn: token.column) ?? location }
      default: continue
      }
    }
    return locations
  }

  func dateFormat(_ what: String) throws -> DateFormat {
    do {
      return try DateFormat(try text(what))
    } catch let error as MigrationError {
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
          + NearNames.advice(name, among: known, also: "LIST<…>, ENCRYPTED …"))
    }
    guard !isEncrypted || primitive.canBeEncrypted else {
      throw error("\(what): \(primitive.rawValue) cannot be encrypted")
    }
    return CloudSchema.FieldType(primitive, isList: isList, isEncrypted: isEncrypted)
  }

  /// Parses the type of single values or lists.
  func valueType(_ what: String) throws -> ValueType {
    guard let type = ValueType(try fieldType(what)) else {
      throw error("\(what): there is no such type of values")
    }
    return type
  }

  /// Parses a constant: a number, a string, true or false, or a list of them.
  ///
  /// - Parameter type: The expected type. Dates are written in ISO 8601, bytes in Base64.
  package func constant(_ what: String, as type: ValueType? = nil) throws -> RecordValue {
    if let sequence = node.sequence {
      let elements = try sequence.map {
        try YAMLNode(node: $0, file: file).constant(what, as: type?.elementType)
      }
      if elements.isEmpty { return type.map(RecordValue.empty) ?? .emptyList }
      guard let list = RecordValue(elements: elements) else {
        throw error("\(what): the elements of a list must have the same type")
      }
      return list
    }
    guard let scalar = node.scalar else { throw error("\(what) is a value or a list of values") }
    guard !isNull else {
      throw error("\(what): null is no value; quote a text: '\(scalar.string)'")
    }
    guard let type, type != .string else {
      let isText = scalar.style != .plain || type == .string
      return isText ? .string(scalar.string) : try plain(scalar.string)
    }
    if type == .bytes {
      guard let data = Base64.data(from: scalar.string) else {
        throw error("\(what): bytes must be in Base64")
      }
      return .bytes(data)
    }
    let conversion = Conversion(to: type)
    let plain = scalar.style == .plain ? try plain(scalar.string) : .string(scalar.string)
    do {
      return try conversion.convert(plain, assets: nil).value
    } catch let failure as Conversion.Failure {
      throw error("\(what) should be \(type.rawValue), and is \(failure.reason)")
    }
  }

  /// Returns the value of a scalar without quotes.
  private func plain(_ text: String) throws -> RecordValue {
    switch text {
    case "true", "True", "TRUE": return .int64(1)
    case "false", "False", "FALSE": return .int64(0)
    default: break
    }
    if let number = TextForm.integer(from: text) { return .int64(number) }
    guard let number = CanonicalNumber.double(from: text) else { return .string(text) }
    // A double would round it.
    guard text.utf8.contains(where: { [".", "e", "E"].contains(UnicodeScalar($0)) }) else {
      throw error(
        "\(text) exceeds 64 bits; for a double, write \(text).0; for a text, '\(text)'")
    }
    return .double(number)
  }
}
