import RecordModel

import struct Foundation.Data
import struct Foundation.Date

extension RecordView {
  /// Returns the text of a field.
  public mutating func string(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> String? {
    try read(name, .string, isEncrypted) { scanner, _ in scanner.textValue() }
  }

  /// Returns the integer of a field.
  public mutating func int64(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Int64? {
    try read(name, .int64, isEncrypted) { scanner, _ in scanner.integerValue() }
  }

  /// Returns the number of a field; also an integer that a double represents exactly.
  public mutating func double(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Double? {
    try read(name, .double, isEncrypted) { scanner, _ in scanner.doubleValue() }
  }

  /// Returns the date of a field.
  public mutating func date(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Date? {
    try read(name, .timestamp, isEncrypted) { scanner, _ in scanner.dateValue() }
  }

  /// Returns the bytes of a field.
  public mutating func data(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Data? {
    try read(name, .bytes, isEncrypted) { scanner, _ in scanner.dataValue() }
  }

  /// Returns the reference in a field.
  public mutating func reference(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Reference? {
    try read(name, .reference, isEncrypted) { scanner, envelope in
      scanner.referenceValue(in: envelope)
    }
  }

  /// Returns the location in a field.
  public mutating func location(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Location? {
    try read(name, .location, isEncrypted) { scanner, envelope in
      scanner.decoded(.location, in: envelope) { $0.location() }
    }
  }

  /// Returns the asset in a field.
  public mutating func asset(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Asset? {
    try read(name, .asset, isEncrypted) { scanner, envelope in
      scanner.decoded(.asset, in: envelope) { $0.asset() }
    }
  }
}

extension RecordView {
  /// Reads the value of a field.
  ///
  /// - Parameter parse: Passes the value and returns it; nil if the bytes are not canonical.
  @inline(__always)
  mutating func read<T: RecordValueConvertible>(
    _ name: StaticString, _ type: ValueType, _ isEncrypted: Bool,
    _ parse: (inout CanonicalScanner, RecordEnvelope) -> T?
  ) throws -> T? {
    let place = try find(name, type, isEncrypted)
    switch place {
    case .absent: return nil
    case .value(let value):
      if let value = T(recordValue: value) { return value }
      throw inexact(name)
    case .bytes:
      let start = scanner.position
      guard let value = parse(&scanner, envelope) else {
        scanner.position = start
        return try readOther(place, name)
      }
      endField()
      return value
    }
  }

  /// Reads a value of a type that can be converted.
  private mutating func readOther<T: RecordValueConvertible>(
    _ place: Place, _ name: StaticString
  ) throws -> T? {
    let start = scanner.position
    guard case .bytes(let type) = place, scanner.value(type, in: envelope) else {
      fail()
      return nil
    }
    var decoder = CanonicalDecoder(
      scanner.bytes(start..<scanner.position), zoneID: envelope.zoneID)
    let value = T(recordValue: decoder.value(type, named: type.rawValue))
    endField()
    guard let value else { throw inexact(name) }
    return value
  }

  /// The error for an integer that a double does not represent.
  private func inexact(_ name: StaticString) -> TypedRecordError {
    error(
      .outOfRange, "\(name)", found: "an integer that a double does not represent exactly",
      expected: ValueType.double.rawValue)
  }
}

extension CanonicalScanner {
  /// Passes a text and returns it; nil if it is not canonical.
  @inline(__always)
  mutating func textValue() -> String? {
    guard take(0x22) else { return nil }
    let start = position
    var place = position
    while place &+ 8 <= end {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let mask = escapeMask(word)
      if mask == 0 {
        place &+= 8
        continue
      }
      place &+= mask.trailingZeroBitCount &>> 3
      guard base.load(fromByteOffset: place, as: UInt8.self) == 0x22 else { break }
      position = place &+ 1
      // This checks that it is UTF-8.
      return String(
        validating: UnsafeRawBufferPointer(start: base + start, count: place &- start),
        as: UTF8.self)
    }
    return stringRest().map { CanonicalDecoder.string(bytes($0)) }
  }

  @inline(__always)
  mutating func integerValue() -> Int64? {
    if let value = plainInteger() { return Int64(value) }
    let start = position
    guard integer() else { return nil }
    return Int64(String(decoding: bytes(start..<position), as: UTF8.self))
  }

  mutating func dataValue() -> Data? {
    guard let text = string(), Base64.isCanonical(bytes(text)) else { return nil }
    return Base64.data(from: bytes(text))
  }

  /// Passes a reference, which must not contain the record's own zone.
  mutating func referenceValue(in envelope: RecordEnvelope) -> Reference? {
    let start = position
    guard take("{\"recordName\":"), let name = string() else { return nil }
    guard take(",\"action\":\"") else {
      // In another zone.
      position = start
      return decoded(.reference, in: envelope) { $0.reference() }
    }
    let action: Reference.Action
    if take("DELETE_SELF\"}") {
      action = .deleteSelf
    } else if take("NONE\"}") {
      action = .none
    } else {
      position = start
      return decoded(.reference, in: envelope) { $0.reference() }
    }
    return Reference(
      recordID: RecordID(
        packedName: CanonicalDecoder.packedName(bytes(name)), zoneID: envelope.zoneID),
      action: action)
  }

  /// Passes a value, and decodes it.
  mutating func decoded<T>(
    _ type: ValueType, in envelope: RecordEnvelope, _ decode: (inout CanonicalDecoder) -> T
  ) -> T? {
    let start = position
    guard value(type, in: envelope) else { return nil }
    var decoder = CanonicalDecoder(bytes(start..<position), zoneID: envelope.zoneID)
    return decode(&decoder)
  }

  /// Passes a list and returns it; nil if it is not canonical.
  @inline(__always)
  mutating func list<T>(
    in envelope: RecordEnvelope, _ element: (inout CanonicalScanner, RecordEnvelope) -> T?
  ) -> [T]? {
    guard take(0x5B) else { return nil }
    var list: [T] = []
    if take(0x5D) { return list }
    repeat {
      guard let value = element(&self, envelope) else { return nil }
      list.append(value)
    } while take(0x2C)
    return take(0x5D) ? list : nil
  }
}
