import Foundation

/// A binary property list (`bplist00`) as a flat table of objects, as in the file.
///
/// Containers refer to their elements by index; the table is never expanded into a tree. Memory is
/// therefore bounded by the size of the file, nesting depth is not limited, and an unchanged list
/// is encoded as the same bytes.
package struct BinaryPlist: Sendable {
  /// The index of an object in ``objects``.
  package typealias Ref = UInt32

  /// A key and its value in a dictionary.
  package struct Entry: Hashable, Sendable {
    package var key: Ref
    package var value: Ref

    package init(key: Ref, value: Ref) {
      self.key = key
      self.value = value
    }
  }

  /// An object of the table.
  package enum Object: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer greater than `Int64.max`; smaller ones are always ``integer(_:)``.
    case unsigned(UInt64)
    case float(Float)
    case real(Double)
    /// A date, in seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data(Data)
    case string(String)
    /// A string whose UTF-16 has lone surrogates. It is preserved, but cannot be read as a string.
    case malformedString([UInt16])
    /// A reference of `NSKeyedArchiver` into its `$objects`.
    case uid(UInt64)
    case array([Ref])
    case orderedSet([Ref])
    case set([Ref])
    /// The entries in the order of the file. Keys are strings, and unique.
    case dictionary([Entry])
  }

  /// The maximum size of a file in bytes, and the maximum number of objects. They far exceed any
  /// record: CloudKit's limit is 1 MB.
  static let maxByteCount = 16 << 20
  static let maxObjectCount = 4_000_000

  /// The table. References are valid indices, and no container contains itself.
  package var objects: [Object]
  /// The index of the root object.
  package var top: Ref

  package init(objects: [Object], top: Ref) {
    self.objects = objects
    self.top = top
  }
}

extension BinaryPlist.Object {
  /// The objects in a container in the order of the file, keys before values.
  package var children: [BinaryPlist.Ref] {
    switch self {
    case .array(let refs), .orderedSet(let refs), .set(let refs): refs
    case .dictionary(let entries): entries.map(\.key) + entries.map(\.value)
    default: []
    }
  }

  /// The kind of the object, for errors.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a Boolean"
    case .integer, .unsigned: "an integer"
    case .float, .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    case .malformedString: "a string with lone surrogates"
    case .uid: "an object reference"
    case .array: "an array"
    case .orderedSet: "an ordered set"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}

// MARK: - Encoding

extension BinaryPlist {
  /// Decodes a binary property list (`bplist00`).
  ///
  /// - Throws: ``RecordCodingError`` for anything but a valid binary property list within the limits.
  package init(decoding data: Data) throws { self = try BinaryPlistReader(data).read() }

  /// Returns the binary property list (`bplist00`), with the objects in the order of the table.
  ///
  /// Numbers, offsets and references have the same widths as in CoreFoundation, so lists written by
  /// Apple's frameworks are encoded as the same bytes.
  package func encoded() -> Data {
    var writer = Writer(refSize: Self.width(UInt64(objects.count)))
    var offsets: [Int] = []
    offsets.reserveCapacity(objects.count)
    for object in objects {
      offsets.append(writer.bytes.count)
      writer.append(object)
    }
    let table = writer.bytes.count
    let offsetSize = Self.width(UInt64(table))
    for offset in offsets { writer.append(UInt64(offset), size: offsetSize) }
    writer.bytes.append(contentsOf: [0, 0, 0, 0, 0, 0])
    writer.bytes.append(UInt8(offsetSize))
    writer.bytes.append(UInt8(writer.refSize))
    writer.append(UInt64(objects.count), size: 8)
    writer.append(UInt64(top), size: 8)
    writer.append(UInt64(table), size: 8)
    return Data(writer.bytes)
  }

  /// Returns the number of bytes for a number: 1, 2, 4 or 8.
  fileprivate static func width(_ value: UInt64) -> Int {
    switch value {
    case 0...0xFF: 1
    case 0...0xFFFF: 2
    case 0...0xFFFF_FFFF: 4
    default: 8
    }
  }

  private struct Writer {
    var bytes = Array("bplist00".utf8)
    let refSize: Int

    mutating func append(_ value: UInt64, size: Int) {
      for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      }
    }

    mutating func append(_ object: Object) {
      switch object {
      case .null: bytes.append(0x00)
      case .bool(let value): bytes.append(value ? 0x09 : 0x08)
      case .integer(let value): append(integer: value)
      case .unsigned(let value):
        bytes.append(0x14)
        append(0, size: 8)
        append(value, size: 8)
      case .float(let value):
        bytes.append(0x22)
        append(UInt64(value.bitPattern), size: 4)
      case .real(let value):
        bytes.append(0x23)
        append(value.bitPattern, size: 8)
      case .date(let value):
        bytes.append(0x33)
        append(value.bitPattern, size: 8)
      case .data(let value):
        append(marker: 0x40, count: value.count)
        bytes.append(contentsOf: value)
      case .string(let value): append(string: value)
      case .malformedString(let units): append(units: units)
      case .uid(let value):
        let size = BinaryPlist.width(value)
        bytes.append(0x80 | UInt8(size - 1))
        append(value, size: size)
      case .array(let refs): append(marker: 0xA0, refs: refs, count: refs.count)
      case .orderedSet(let refs): append(marker: 0xB0, refs: refs, count: refs.count)
      case .set(let refs): append(marker: 0xC0, refs: refs, count: refs.count)
      case .dictionary(let entries):
        append(marker: 0xD0, refs: object.children, count: entries.count)
      }
    }

    private mutating func append(integer value: Int64) {
      // Only eight-byte integers are signed.
      let size = value < 0 ? 8 : BinaryPlist.width(UInt64(value))
      bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
      append(UInt64(bitPattern: value), size: size)
    }

    private mutating func append(string value: String) {
      if value.utf8.allSatisfy({ $0 < 0x80 }) {
        append(marker: 0x50, count: value.utf8.count)
        bytes.append(contentsOf: value.utf8)
      } else {
        append(units: Array(value.utf16))
      }
    }

    private mutating func append(units: [UInt16]) {
      append(marker: 0x60, count: units.count)
      for unit in units { append(UInt64(unit), size: 2) }
    }

    private mutating func append(marker: UInt8, refs: [Ref], count: Int) {
      append(marker: marker, count: count)
      for ref in refs { append(UInt64(ref), size: refSize) }
    }

    private mutating func append(marker: UInt8, count: Int) {
      if count < 15 {
        bytes.append(marker | UInt8(count))
      } else {
        bytes.append(marker | 0x0F)
        append(integer: Int64(count))
      }
    }
  }
}
