import RecordModel

import struct Foundation.Data

/// A JSON value as a tree. Only white space and the form of escapes are lost.
///
/// The order of members and the text of numbers are preserved, so that JSON members the model has
/// no property for are written back unchanged.
package struct JSONValue: Sendable {
  /// The kind and content of a JSON value.
  package enum Content: Sendable {
    case null
    case bool(Bool)
    /// The exact text of a number, valid by RFC 8259.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in order, with unique names.
    case object([Member])
  }

  /// A member of an object.
  package struct Member: Sendable {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  package let content: Content
  /// -1 for a value that was not parsed; an optional would take eight more bytes per value.
  private let position: Int

  package init(_ content: Content, offset: Int? = nil) {
    self.content = content
    position = offset ?? -1
  }

  /// The byte offset of the value in the source; nil if it was not parsed.
  package var offset: Int? { position < 0 ? nil : position }

  package static let null = JSONValue(.null)
  package static func bool(_ value: Bool) -> JSONValue { JSONValue(.bool(value)) }
  package static func string(_ value: String) -> JSONValue { JSONValue(.string(value)) }
  package static func array(_ elements: [JSONValue]) -> JSONValue { JSONValue(.array(elements)) }
  package static func object(_ members: [Member]) -> JSONValue { JSONValue(.object(members)) }

  package static func integer(_ value: some BinaryInteger) -> JSONValue {
    JSONValue(.number(String(value)))
  }

  /// Creates a number from text, which must be a valid JSON number.
  package static func number(text: String) -> JSONValue { JSONValue(.number(text)) }

  /// Returns an error with the value's offset.
  ///
  /// - Parameter found: The thing found; nil for the kind of the value, such as "a string".
  package func error(found: String? = nil, expected: String) -> RecordCodingError {
    RecordCodingError(offset: offset, found: found ?? kind, expected: expected)
  }
}

extension JSONValue {
  /// The value of the member with this name; nil if there is none, or this is not an object.
  package subscript(name: String) -> JSONValue? {
    members?.first { $0.name.sameScalars(as: name) }?.value
  }

  /// The members of an object, or nil.
  package var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// Returns the object without these members; any other value unchanged.
  package func dropping(_ names: [String]) -> JSONValue {
    guard let members else { return self }
    let rest = members.filter { member in !names.contains { $0.sameScalars(as: member.name) } }
    return JSONValue(.object(rest), offset: offset)
  }

  /// Returns an object with other values of its members; any other value unchanged.
  package func mappingMembers(_ value: (Member) throws -> JSONValue) rethrows -> JSONValue {
    guard let members else { return self }
    return JSONValue(
      .object(try members.map { Member($0.name, try value($0)) }), offset: offset)
  }

  /// The elements of an array, or nil.
  package var elements: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The text of a string, or nil.
  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The text of a number, or nil.
  package var numberText: String? {
    if case .number(let text) = content { text } else { nil }
  }

  /// `true` or `false`, or nil.
  package var bool: Bool? {
    if case .bool(let value) = content { value } else { nil }
  }

  package var isNull: Bool {
    if case .null = content { true } else { false }
  }

  /// The kind of the value as a noun, for errors.
  package var kind: String {
    switch content {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// A description for errors in which values may appear: Booleans, short numbers and strings,
  /// otherwise the kind.
  package var shown: String {
    switch content {
    case .bool(let value): "\(value)"
    case .number(let text) where text.utf8.count <= 40: "the number \(text)"
    case .string(let text): "the string \(RecordCodingError.quoted(text))"
    default: kind
    }
  }
}

extension JSONValue: Hashable {
  /// Whether both are written as the same text; offsets are ignored.
  package static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
    switch (lhs.content, rhs.content) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.sameScalars(as: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch content {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let text), .string(let text): hasher.combine(text)
    case .array(let elements): hasher.combine(elements)
    case .object(let members): hasher.combine(members)
    }
  }
}

extension JSONValue.Member: Hashable {
  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.name.sameScalars(as: rhs.name) && lhs.value == rhs.value
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(value)
  }
}

// MARK: - Writing

extension JSONValue {
  /// Appends the value as compact canonical JSON: without white space, with minimal escapes,
  /// members and the text of numbers unchanged.
  package func write(to buffer: ByteBuffer) {
    switch content {
    case .null: buffer.append("null" as StaticString)
    case .bool(true): buffer.append("true" as StaticString)
    case .bool(false): buffer.append("false" as StaticString)
    case .number(let text): buffer.append(text: text)
    case .string(let text): buffer.appendJSONString(text)
    case .array(let elements):
      buffer.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        element.write(to: buffer)
      }
      buffer.append(UInt8(ascii: "]"))
    case .object(let members):
      buffer.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        buffer.appendJSONString(member.name)
        buffer.append(UInt8(ascii: ":"))
        member.value.write(to: buffer)
      }
      buffer.append(UInt8(ascii: "}"))
    }
  }

  /// The value as compact canonical JSON.
  package var compactText: String {
    let buffer = ByteBuffer()
    write(to: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// The value as compact canonical JSON in UTF-8.
  package var compactData: Data {
    let buffer = ByteBuffer()
    write(to: buffer)
    return Data(buffer.bytes)
  }

  /// The value as `RawJSON`.
  package var raw: RawJSON { RawJSON(compact: compactText) }

  /// Creates a value from raw JSON.
  ///
  /// - Throws: ``RecordCodingError`` if the text is not JSON, which requires a misuse of
  ///   `RawJSON.init(compact:)`.
  package init(raw: RawJSON) throws {
    let value = try JSONParser.parse(raw.text)
    self.init(value.content)
  }
}
