import Foundation
import RecordModel

/// Decoding of the values of a `CKEncryptedRecordValueStore`.
///
/// Such a value is an object of `CKEncryptedString`, `CKEncryptedLongLong` and others, subclasses of
/// `CKEncryptedData`. Its key `EncryptedData` has the value before encryption: the bytes of a
/// `CKEncryptedData` itself, otherwise a message of Protocol Buffers. A value that only has its
/// encrypted form has the key `ReallyEncryptedData`.
///
/// Source: class listings and disassemblies of CloudKit (iOS 16 to 26). No public archive has such
/// values.
extension KeyedArchiveNode {
  /// Returns the value of a `CKEncryptedData`; nil if the archive has only its encrypted form, or it is
  /// a reference or location.
  ///
  /// - Parameter limit: the maximum number of elements of a list.
  func encryptedValue(limit: Int) throws -> RecordValue? {
    guard let bytes = try child("EncryptedData")?.data() else { return nil }
    switch try className() {
    case "CKEncryptedData": return .bytes(bytes)
    case "CKEncryptedEmptyArray": return .emptyList
    default: break
    }
    var message = EncryptedValueMessage(limit: limit)
    guard message.read(bytes) else {
      throw RecordCodingError(
        path: path, found: "a message that is cut or damaged", expected: "an encrypted value")
    }
    guard message.list.count <= limit else {
      throw RecordCodingError.tooLarge(
        path: path, what: "an element count", found: UInt64(message.list.count),
        limit: UInt64(limit))
    }
    let values = message.list + [message.value].compactMap(\.self)
    guard values.allSatisfy(\.isFinite) else {
      throw RecordCodingError(
        path: path, found: "a number that is not finite", expected: "a finite number")
    }
    return try className()?.hasSuffix("Array") == true
      ? RecordValue(foundationList: message.list) : message.value
  }
}

/// The message `EncryptedValue`: one value, or the elements of a list.
private struct EncryptedValueMessage {
  /// The maximum number of elements; reading ends behind it.
  let limit: Int
  var value: RecordValue?
  var list: [RecordValue] = []

  /// Reads a message; false if it is damaged.
  mutating func read(_ bytes: Data) -> Bool {
    var reader = MessageReader(bytes[...])
    while list.count <= limit, let field = reader.next() {
      switch (field.number, field.content) {
      case (3, .number(let number)): value = .int64(Int64(bitPattern: number))
      case (4, .fixed(let bits)): value = .double(Double(bitPattern: bits))
      case (5, .bytes(let bytes)): value = Self.date(bytes)
      case (6, .bytes(let bytes)): value = Self.text(bytes)
      case (10, .number(let number)): list.append(.int64(Int64(bitPattern: number)))
      case (10, .bytes(let bytes)):
        var packed = MessageReader(bytes)
        while !packed.rest.isEmpty, list.count <= limit {
          guard let number = packed.varint() else { return false }
          list.append(.int64(Int64(bitPattern: number)))
        }
      case (11, .fixed(let bits)): list.append(.double(Double(bitPattern: bits)))
      case (11, .bytes(let bytes)):
        var packed = MessageReader(bytes)
        while !packed.rest.isEmpty, list.count <= limit {
          guard let bits = packed.fixed(8) else { return false }
          list.append(.double(Double(bitPattern: bits)))
        }
      case (12, .bytes(let bytes)):
        guard let date = Self.date(bytes) else { return false }
        list.append(date)
      case (13, .bytes(let bytes)):
        guard let text = Self.text(bytes) else { return false }
        list.append(text)
      default: break
      }
    }
    return reader.rest.isEmpty || list.count > limit
  }

  private static func text(_ bytes: Data.SubSequence) -> RecordValue? {
    String(validating: bytes, as: UTF8.self).map(RecordValue.string)
  }

  /// Reads the message `Date`: seconds since 2001.
  private static func date(_ bytes: Data.SubSequence) -> RecordValue? {
    var reader = MessageReader(bytes)
    guard let field = reader.next(), case (1, .fixed(let bits)) = (field.number, field.content)
    else { return nil }
    return .timestamp(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
  }
}

/// Reads the fields of a message of Protocol Buffers.
private struct MessageReader {
  enum Content {
    case number(UInt64)
    case fixed(UInt64)
    case bytes(Data.SubSequence)
  }

  private(set) var rest: Data.SubSequence

  init(_ bytes: Data.SubSequence) { rest = bytes }

  /// Returns the next field; nil at the end, or before what cannot be read.
  mutating func next() -> (number: UInt64, content: Content)? {
    let start = rest
    guard let tag = varint(), let content = content(tag & 7) else {
      rest = start
      return nil
    }
    return (tag >> 3, content)
  }

  private mutating func content(_ kind: UInt64) -> Content? {
    switch kind {
    case 0: varint().map(Content.number)
    case 1: fixed(8).map(Content.fixed)
    case 5: fixed(4).map(Content.fixed)
    case 2: varint().flatMap { Int(exactly: $0) }.flatMap { take($0) }.map(Content.bytes)
    default: nil
    }
  }

  private mutating func take(_ count: Int) -> Data.SubSequence? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func varint() -> UInt64? {
    var number: UInt64 = 0
    for (place, byte) in rest.prefix(10).enumerated() {
      number |= UInt64(byte & 0x7F) << (7 * UInt64(place))
      guard byte & 0x80 != 0 else {
        rest = rest.dropFirst(place + 1)
        return number
      }
    }
    return nil
  }

  mutating func fixed(_ count: Int) -> UInt64? {
    take(count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension RecordValue {
  fileprivate var isFinite: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .timestamp(let date): date.timeIntervalSinceReferenceDate.isFinite
    default: true
    }
  }
}
