import Synchronization

/// The name of a record's field, interned: the records of a type share one object per name.
package final class FieldName: Sendable {
  package let string: String
  /// How the field begins in canonical JSON: `"name":{"type":"`.
  package let opening: [UInt8]

  private init(_ string: String) {
    self.string = string
    var opening: [UInt8] = [UInt8(ascii: "\"")]
    opening.reserveCapacity(string.utf8.count + 12)
    appendEscaped(string, to: &opening)
    opening.append(contentsOf: "\":{\"type\":\"".utf8)
    self.opening = opening
  }

  private static let known = Mutex<[NameKey: FieldName]>([:])
  /// A container has some hundred field names; a hostile file must not fill the memory for good.
  private static let mostKnown = 16_384

  /// An object of its own for that name, for whoever reads many records on one thread: threads that
  /// count references to the same object slow each other down.
  package static func unshared(_ string: String) -> FieldName { FieldName(string) }

  /// The one object for that name, as long as the table of names has room.
  package static func interned(_ string: String) -> FieldName {
    known.withLock { known in
      let key = NameKey(string)
      if let name = known[key] { return name }
      let name = FieldName(string)
      if known.count < mostKnown { known[key] = name }
      return name
    }
  }
}

extension FieldName: Hashable {
  package static func == (lhs: FieldName, rhs: FieldName) -> Bool {
    lhs === rhs || lhs.string.sameScalars(as: rhs.string)
  }

  package func hash(into hasher: inout Hasher) {
    string.hashScalars(into: &hasher)
  }
}

/// Appends a string as the inside of a canonical JSON string: only what must be escaped is.
package func appendEscaped(_ string: String, to bytes: inout [UInt8]) {
  for byte in string.utf8 {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0x20...: bytes.append(byte)
    default: bytes.append(contentsOf: controlEscape(byte))
    }
  }
}

/// The escape of a control character: the short form where JSON has one, else `\u00xx`.
package func controlEscape(_ byte: UInt8) -> [UInt8] {
  switch byte {
  case 0x08: Array("\\b".utf8)
  case 0x09: Array("\\t".utf8)
  case 0x0A: Array("\\n".utf8)
  case 0x0C: Array("\\f".utf8)
  case 0x0D: Array("\\r".utf8)
  default: Array("\\u00".utf8) + [hexDigit(byte >> 4), hexDigit(byte & 15)]
  }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &- 10 &+ value
}
