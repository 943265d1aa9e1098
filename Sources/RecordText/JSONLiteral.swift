import RecordCoding

/// A value that a JSON object written as a dictionary literal can have.
package protocol JSONLiteral {
  var literal: JSONValue { get }
}

extension JSONValue: JSONLiteral {
  package var literal: JSONValue { self }
}

extension String: JSONLiteral {
  package var literal: JSONValue { .string(self) }
}

extension Bool: JSONLiteral {
  package var literal: JSONValue { .bool(self) }
}

extension JSONLiteral where Self: BinaryInteger {
  package var literal: JSONValue { .integer(self) }
}

extension Int: JSONLiteral {}
extension Int32: JSONLiteral {}
extension Int64: JSONLiteral {}
extension UInt16: JSONLiteral {}
extension UInt64: JSONLiteral {}

extension Array: JSONLiteral where Element: JSONLiteral {
  package var literal: JSONValue { .array(map(\.literal)) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Creates an object with the members in this order. A member whose value is nil is left out.
  package init(dictionaryLiteral members: (String, (any JSONLiteral)?)...) {
    self = .object(members.compactMap { name, value in value.map { Member(name, $0.literal) } })
  }

  /// Returns an object with the members of several, in their order.
  package static func merging(_ objects: JSONValue...) -> JSONValue {
    .object(objects.flatMap { $0.members ?? [] })
  }

  /// Returns the object with the members of another one behind its own.
  package func adding(_ other: JSONValue) -> JSONValue { .merging(self, other) }
}
