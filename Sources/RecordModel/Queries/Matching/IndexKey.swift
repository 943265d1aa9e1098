import struct Foundation.Date

/// A value as bytes whose order is that of the values.
///
/// Two values are equal to a query if their keys are. Values of different kinds are in the order
/// of the kinds. Integers and doubles are compared with each other, exactly; strings by their UTF-8
/// bytes; references by name, then zone; locations by latitude, then longitude. The container file
/// stores keys, so a change of them is a change of its layout.
package struct IndexKey: Hashable, Sendable {
  /// The kinds of values, in order; the raw value is the first byte of a key.
  package enum Kind: UInt8, Sendable {
    /// No value that has an order: none, a list, an asset, or an encrypted value.
    case missing = 0
    case number = 0x10
    case date = 0x20
    case string = 0x30
    case bytes = 0x40
    case reference = 0x50
    case location = 0x60
    /// A distance in metres, which results are sorted by; it is in no index.
    case distance = 0x70
    /// A word of a text.
    case token = 0x80
    /// All words of a text that are not ASCII; see ``TextTokens``.
    case otherTokens = 0x81
  }

  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// The key of a record that has no value with an order.
  package static let missing = IndexKey(bytes: [Kind.missing.rawValue])

  /// Creates the key of a value; nil for one without an order: a list, an asset, a value of an
  /// unknown type, or a number that is not one.
  ///
  /// - Parameter zoneID: The zone of the record with the value: references into it omit the zone.
  package init?(_ value: RecordValue, in zoneID: ZoneID) {
    switch value {
    case .string(let text): bytes = [Kind.string.rawValue] + text.utf8
    case .int64(let number): bytes = Self.number(number)
    case .double(let number):
      guard !number.isNaN else { return nil }
      bytes = [Kind.number.rawValue] + Self.ordered(number) + [0, 0]
    case .timestamp(let date):
      bytes = [Kind.date.rawValue] + Self.ordered(date.timeIntervalSinceReferenceDate)
    case .bytes(let data): bytes = [Kind.bytes.rawValue] + data
    case .location(let place):
      bytes =
        [Kind.location.rawValue] + Self.ordered(place.latitude) + Self.ordered(place.longitude)
    case .reference(let reference): bytes = Self.reference(reference.recordID, in: zoneID)
    default: return nil
    }
  }

  /// Creates the key of a reference to a record.
  package init(referenceTo recordID: RecordID, in zoneID: ZoneID) {
    bytes = Self.reference(recordID, in: zoneID)
  }

  /// Creates the key of a distance in metres.
  package init(distance: Double) {
    bytes = [Kind.distance.rawValue] + Self.ordered(distance)
  }

  /// The kind of the value.
  package var kind: Kind? { bytes.first.flatMap(Kind.init(rawValue:)) }

  /// Whether the value is one that can be compared.
  package var isMissing: Bool { kind == .missing }

  // MARK: Encoding

  /// The greatest double up to the number, and how much greater the number is, at most 1,023. So an
  /// integer above 2^53 is between the doubles beside it.
  private static func number(_ number: Int64) -> [UInt8] {
    var double = Double(number)
    if double >= 0x1p63 || Int64(double) > number { double = double.nextDown }
    let rest = number - Int64(double)
    return [Kind.number.rawValue] + ordered(double) + [UInt8(rest >> 8), UInt8(rest & 0xFF)]
  }

  /// The bits of a double, changed so that they are in its order.
  private static func ordered(_ number: Double) -> [UInt8] {
    // Adding 0 removes the sign of zero.
    let bits = (number + 0).bitPattern
    let word = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    return (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
  }

  private static func reference(_ recordID: RecordID, in zoneID: ZoneID) -> [UInt8] {
    var bytes = [Kind.reference.rawValue] + terminated(recordID.recordName)
    if recordID.zoneID != zoneID {
      bytes += terminated(recordID.zoneID.zoneName) + terminated(recordID.zoneID.ownerName)
    }
    return bytes
  }

  /// Text with an end that is less than any character. NUL is `00 FF` in it.
  private static func terminated(_ text: String) -> [UInt8] {
    text.utf8.flatMap { $0 == 0 ? [0, 0xFF] : [$0] } + [0, 0]
  }
}

extension IndexKey: Comparable {
  package static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.bytes.withUnsafeBytes { a in rhs.bytes.withUnsafeBytes { b in compareBytes(a, b) < 0 } }
  }
}
