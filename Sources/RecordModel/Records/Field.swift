import Synchronization

/// A field of a record.
public struct Field: Sendable, Hashable {
  package let interned: FieldName
  /// The value.
  public let value: RecordValue
  /// Whether the value is one of the record's `encryptedValues`: end-to-end encrypted, not indexed,
  /// and never part of logs, messages or reports.
  public let isEncrypted: Bool
  /// The JSON members of the field that this model has no property for.
  public let otherMembers: OtherMembers

  /// Creates a field.
  public init(
    name: String, value: RecordValue, isEncrypted: Bool = false, otherMembers: OtherMembers = []
  ) {
    self.init(
      interned: FieldName.interned(name), value: value, isEncrypted: isEncrypted,
      otherMembers: otherMembers)
  }

  package init(
    interned: FieldName, value: RecordValue, isEncrypted: Bool, otherMembers: OtherMembers = []
  ) {
    self.interned = interned
    self.value = value
    self.isEncrypted = isEncrypted
    self.otherMembers = otherMembers
  }

  /// Returns the field with other assets; fields of other types as they are.
  package func replacingAssets(_ body: (Asset) throws -> Asset) rethrows -> Field {
    guard value.isOfAssets else { return self }
    return Field(
      interned: interned, value: try value.replacingAssets(body), isEncrypted: isEncrypted,
      otherMembers: otherMembers)
  }

  /// The name of the field: a letter, then letters, digits and underscores, 1 to 255 characters.
  public var name: String { interned.string }
}

/// An interned field name: all records share one object per name.
package final class FieldName: Sendable {
  package let string: String
  /// The start of the field in canonical JSON: `"name":{"type":"`. Valid during the lifetime of this
  /// object; reading an array would retain it.
  nonisolated(unsafe) package let opening: UnsafeRawBufferPointer

  private init(_ string: String) {
    self.string = string
    var opening: [UInt8] = [UInt8(ascii: "\"")]
    opening.reserveCapacity(string.utf8.count + 12)
    appendEscaped(string, to: &opening)
    opening.append(contentsOf: "\":{\"type\":\"".utf8)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: opening.count, alignment: 1)
    memory.copyBytes(from: opening)
    self.opening = UnsafeRawBufferPointer(memory)
  }

  deinit { opening.deallocate() }

  private static let known = Mutex<[ExactString: FieldName]>([:])
  /// A container has some hundred field names; the limit keeps untrusted input from filling memory.
  private static let maxCount = 16_384

  /// Creates an object that is not interned, for reading many records on one thread.
  ///
  /// Threads that retain and release the same object slow each other down.
  package static func unshared(_ string: String) -> FieldName { FieldName(string) }

  /// Returns the interned object for a name, or a new one if the table is full.
  package static func interned(_ string: String) -> FieldName {
    known.withLock { known in
      let key = ExactString(string)
      if let name = known[key] { return name }
      let name = FieldName(string)
      if known.count < maxCount { known[key] = name }
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

/// Appends a string as canonical JSON, without quotes; escapes only what JSON requires.
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

/// Returns the escape of a control character: the short form if JSON has one, otherwise `\u00xx`.
package func controlEscape(_ byte: UInt8) -> [UInt8] {
  switch byte {
  case 0x08: Array("\\b".utf8)
  case 0x09: Array("\\t".utf8)
  case 0x0A: Array("\\n".utf8)
  case 0x0C: Array("\\f".utf8)
  case 0x0D: Array("\\r".utf8)
  default: Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
  }
}
