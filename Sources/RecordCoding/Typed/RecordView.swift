import RecordModel

import struct Foundation.Data
import struct Foundation.Date

/// A record that a ``RecordDecodable`` type reads its properties from.
///
/// It is valid only in the initializer that receives it. The values of a record in a bundle are read
/// from its bytes, each once, without a dictionary of them.
///
/// Each method for a field returns nil if the record does not have the field. It throws
/// `TypedRecordError` if the field has another type, or if it is encrypted and `isEncrypted` is
/// false, or the other way round. Read fields in the order of the UTF-8 bytes of their names where
/// you can: in another order, bytes are read again.
public struct RecordView: ~Copyable {
  let state: UnsafeMutablePointer<RecordCursor>

  /// - Parameter state: It must live as long as the view.
  init(_ state: UnsafeMutablePointer<RecordCursor>) { self.state = state }

  /// Calls `body` with a view of a record.
  @usableFromInline
  package static func with<R>(
    _ record: ResultRecord, _ type: any RecordDecodable.Type, _ body: (inout RecordView) throws -> R
  ) rethrows -> R {
    guard let line = record.storage as? LineStorage else {
      var state = RecordCursor(values: record, type)
      return try with(&state, body)
    }
    defer { withExtendedLifetime(line) {} }
    var state = RecordCursor(line.parts, type)
    let value = try with(&state, body)
    assert(!state.isMalformed, "the bytes were checked before")
    return value
  }

  @inline(__always)
  static func with<R>(
    _ state: inout RecordCursor, _ body: (inout RecordView) throws -> R
  ) rethrows -> R {
    try withUnsafeMutablePointer(to: &state) {
      var view = RecordView($0)
      return try body(&view)
    }
  }

  // MARK: System fields

  /// The record's type.
  public var recordType: String { state.pointee.recordType }

  /// The record's identity.
  public var recordID: RecordID { state.pointee.recordID }

  /// The version of the record; nil if it was never saved.
  public var recordChangeTag: String? { state.pointee.changeTag }

  /// The time of the first save.
  public var creationDate: Date? { state.pointee.creationDate }

  /// The user who created the record.
  public var creatorUserRecordID: RecordID? { state.pointee.creator }

  /// The time of the last save.
  public var modificationDate: Date? { state.pointee.modificationDate }

  /// The user who last saved the record.
  public var lastModifiedUserRecordID: RecordID? { state.pointee.modifier }

  /// The record's parent in the sharing hierarchy.
  public var parent: Reference? { state.pointee.parent }

  /// The share whose root is this record.
  public var share: Reference? { state.pointee.share }

  /// Passes the rest of the bytes.
  ///
  /// - Returns: Whether all bytes of the record are canonical.
  @usableFromInline
  package mutating func finish() -> Bool { state.pointee.finish() }
}

// MARK: - Fields

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
    try read(name, .location, isEncrypted) { $0.scanner.locationValue() }
  }

  /// Returns the asset in a field.
  public mutating func asset(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> Asset? {
    try read(name, .asset, isEncrypted) { $0.scanner.assetValue() }
  }

  /// Returns the list of texts in a field.
  public mutating func strings(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [String]? {
    try read(name, .stringList, isEncrypted) { $0.scanner.list { $0.textValue() } }
  }

  /// Returns the list of integers in a field.
  public mutating func int64s(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Int64]? {
    try read(name, .int64List, isEncrypted) { $0.scanner.list { $0.integerValue() } }
  }

  /// Returns the list of numbers in a field.
  public mutating func doubles(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Double]? {
    try read(name, .doubleList, isEncrypted) { $0.scanner.list { $0.doubleValue() } }
  }

  /// Returns the list of dates in a field.
  public mutating func dates(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Date]? {
    try read(name, .timestampList, isEncrypted) { $0.scanner.list { $0.dateValue() } }
  }

  /// Returns the list of bytes in a field.
  public mutating func dataList(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Data]? {
    try read(name, .bytesList, isEncrypted) { $0.scanner.list { $0.dataValue() } }
  }

  /// Returns the list of references in a field.
  public mutating func references(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Reference]? {
    try read(name, .referenceList, isEncrypted) { $0.references() }
  }

  /// Returns the list of locations in a field.
  public mutating func locations(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Location]? {
    try read(name, .locationList, isEncrypted) {
      $0.scanner.list { $0.locationValue() }
    }
  }

  /// Returns the list of assets in a field.
  public mutating func assets(
    _ name: StaticString, isEncrypted: Bool = false
  ) throws -> [Asset]? {
    try read(name, .assetList, isEncrypted) { $0.scanner.list { $0.assetValue() } }
  }

  /// Reads the value of a field.
  ///
  /// - Parameter parse: Passes the value and returns it; nil if the bytes are not canonical.
  @inline(__always)
  mutating func read<T: RecordValueConvertible>(
    _ name: StaticString, _ type: ValueType, _ isEncrypted: Bool,
    _ parse: (inout RecordCursor) -> T?
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

extension RecordCursor {
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
      let found = withPrefix { $0.scanner.value(type, named: type.rawValue, in: $1) }
      guard let found else {
        fail()
        return nil
      }
      endField()
      guard let value = T(recordValue: found) else { throw inexact(name) }
      return value
    }
  }

  /// The error for an integer that a double does not represent.
  private mutating func inexact(_ name: StaticString) -> TypedRecordError {
    error(
      .outOfRange, "\(name)", found: "an integer that a double does not represent exactly",
      expected: ValueType.double.rawValue)
  }

  /// Reads a reference, which must not contain the record's own zone.
  @inline(__always)
  mutating func referenceValue() -> Reference? {
    withPrefix { $0.scanner.referenceValue(in: $1) }
  }

  @inline(__always)
  mutating func references() -> [Reference]? {
    withPrefix { cursor, prefix in cursor.scanner.list { $0.referenceValue(in: prefix) } }
  }
}
