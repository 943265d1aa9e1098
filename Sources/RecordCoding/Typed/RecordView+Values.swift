import RecordModel

import struct Foundation.Data
import struct Foundation.Date

extension RecordView {
  /// Returns the text of a field.
  public mutating func string(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> String? {
    try read(name, .string, isEncrypted) { $0.scanner.textValue() }
  }

  /// Returns the integer of a field.
  public mutating func int64(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Int64? {
    try read(name, .int64, isEncrypted) { $0.scanner.integerValue() }
  }

  /// Returns the number of a field; also an integer that a double represents exactly.
  public mutating func double(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Double? {
    try read(name, .double, isEncrypted) { $0.scanner.doubleValue() }
  }

  /// Returns the date of a field.
  public mutating func date(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Date? {
    try read(name, .timestamp, isEncrypted) { $0.scanner.dateValue() }
  }

  /// Returns the bytes of a field.
  public mutating func data(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Data? {
    try read(name, .bytes, isEncrypted) { $0.scanner.dataValue() }
  }

  /// Returns the reference in a field.
  public mutating func reference(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Reference? {
    try read(name, .reference, isEncrypted) { $0.referenceValue() }
  }

  /// Returns the location in a field.
  public mutating func location(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Location? {
    try read(name, .location, isEncrypted) { $0.decoded(.location) { $0.location() } }
  }

  /// Returns the asset in a field.
  public mutating func asset(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Asset? {
    try read(name, .asset, isEncrypted) { $0.decoded(.asset) { $0.asset() } }
  }
}

extension RecordView {
  /// Reads the value of a field.
  ///
  /// - Parameter parse: Passes the value and returns it; nil if the bytes are not canonical.
  @inline(__always)
  mutating func read<T: RecordValueConvertible>(
    _ name: StaticString, _ type: ValueType, _ isEncrypted: Bool,
    _ parse: (inout ViewState) -> T?
  ) throws -> T? {
    if state.pointee.takeOpening(name, type, isEncrypted) {
      let start = state.pointee.scanner.position
      if let value = parse(&state.pointee) {
        state.pointee.endField()
        return value
      }
      state.pointee.scanner.position = start
      return try state.pointee.readOther(.bytes(type), name)
    }
    if state.pointee.isSurelyAbsent(name) { return nil }
    return try state.pointee.readOther(
      try state.pointee.search(name, type, isEncrypted), name)
  }
}

extension ViewState {
  /// Reads a value of a type that can be converted.
  mutating func readOther<T: RecordValueConvertible>(
    _ place: Place, _ name: StaticString
  ) throws -> T? {
    switch place {
    case .absent: return nil
    case .value(let value):
      if let value = T(recordValue: value) { return value }
      throw inexact(name)
    case .bytes(let type):
      let start = scanner.position
      guard withEnvelope({ $0.scanner.value(type, in: $1) }) else {
        fail()
        return nil
      }
      var decoder = CanonicalDecoder(scanner.bytes(start..<scanner.position), zoneID: zoneID)
      let value = T(recordValue: decoder.value(type, named: type.rawValue))
      endField()
      guard let value else { throw inexact(name) }
      return value
    }
  }

  /// The error for an integer that a double does not represent.
  private mutating func inexact(_ name: StaticString) -> TypedRecordError {
    error(
      .outOfRange, "\(name)", found: "an integer that a double does not represent exactly",
      expected: ValueType.double.rawValue)
  }

  /// Passes a reference, which must not contain the record's own zone.
  @inline(__always)
  mutating func referenceValue() -> Reference? {
    let start = scanner.position
    guard let (name, action) = scanner.referenceInZone() else {
      scanner.position = start
      return decoded(.reference) { $0.reference() }
    }
    return Reference(
      recordID: RecordID(packedName: scanner.packedName(name), zoneID: zoneID), action: action)
  }

  /// Passes a value, and decodes it.
  mutating func decoded<T>(
    _ type: ValueType, _ decode: (inout CanonicalDecoder) -> T
  ) -> T? {
    let start = scanner.position
    guard withEnvelope({ $0.scanner.value(type, in: $1) }) else { return nil }
    var decoder = CanonicalDecoder(scanner.bytes(start..<scanner.position), zoneID: zoneID)
    return decode(&decoder)
  }

  /// Passes a list and returns it; nil if it is not canonical.
  @inline(__always)
  mutating func list<T>(_ element: (inout ViewState) -> T?) -> [T]? {
    guard scanner.take(0x5B) else { return nil }
    var list: [T] = []
    if scanner.take(0x5D) { return list }
    let start = scanner.position
    guard let first = element(&self) else { return nil }
    list.reserveCapacity(1 &+ scanner.elementCount(length: scanner.position &- start))
    list.append(first)
    while scanner.take(0x2C) {
      guard let value = element(&self) else { return nil }
      list.append(value)
    }
    return scanner.take(0x5D) ? list : nil
  }
}
