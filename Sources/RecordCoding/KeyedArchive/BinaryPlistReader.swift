import Foundation
import RecordModel

/// A reader of untrusted binary property lists (`bplist00`).
///
/// The objects together must not be larger than the object area, which bounds memory by the size of
/// the file even if the offset table repeats offsets.
struct BinaryPlistReader {
  private static let trailerSize = 32

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let refSize: Int
  private let objectCount: Int
  private let top: BinaryPlist.Ref
  private let tableOffset: Int

  private var objects: [BinaryPlist.Object] = []
  /// The number of bytes in the object area that do not yet belong to an object.
  private var unclaimed: Int
  private var index = 0

  /// Checks the header and the trailer, without reading objects.
  init(_ data: Data) throws {
    guard data.count <= BinaryPlist.maxByteCount else {
      throw RecordCodingError.tooLarge(
        what: "a size in bytes", found: UInt64(data.count),
        limit: UInt64(BinaryPlist.maxByteCount))
    }
    bytes = [UInt8](data)
    try Self.checkHeader(bytes)
    let trailer = bytes.count - Self.trailerSize
    guard trailer >= 9 else {
      throw Self.damaged(
        bytes.count, "the end of the bytes",
        "an object and a trailer of 32 bytes")
    }
    offsetSize = Int(bytes[trailer + 6])
    refSize = Int(bytes[trailer + 7])
    let count = Self.bigEndian(bytes[(trailer + 8)..<(trailer + 16)])
    let top = Self.bigEndian(bytes[(trailer + 16)..<(trailer + 24)])
    let table = Self.bigEndian(bytes[(trailer + 24)..<(trailer + 32)])
    guard (1...8).contains(offsetSize), (1...8).contains(refSize) else {
      throw Self.damaged(
        trailer + 6, "offsets of \(offsetSize) and references of \(refSize) bytes",
        "1 to 8 bytes each")
    }
    guard count <= UInt64(BinaryPlist.maxObjectCount) else {
      throw RecordCodingError.tooLarge(
        what: "an object count", found: count,
        limit: UInt64(BinaryPlist.maxObjectCount))
    }
    guard top < count else {
      throw Self.damaged(
        trailer + 16, "top object \(top)",
        "one of the \(count) objects")
    }
    // `count` is at most `UInt32.max` and `offsetSize` at most 8: the product cannot overflow.
    guard table >= 9, table <= UInt64(trailer),
      UInt64(trailer) - table == count * UInt64(offsetSize)
    else {
      throw Self.damaged(
        trailer + 24, "an offset table at byte \(table)",
        "a table of \(count) offsets of \(offsetSize) bytes that ends at the trailer")
    }
    objectCount = Int(count)
    self.top = BinaryPlist.Ref(top)
    tableOffset = Int(table)
    unclaimed = Int(table) - 8
  }

  /// Reads all objects, and checks all references.
  consuming func read() throws -> BinaryPlist {
    objects.reserveCapacity(objectCount)
    while index < objectCount {
      try objects.append(readObject())
      index += 1
    }
    try checkKeys()
    let plist = BinaryPlist(objects: objects, top: top)
    try plist.checkAcyclic()
    return plist
  }

  // MARK: Objects

  private mutating func readObject() throws -> BinaryPlist.Object {
    let entry = tableOffset + index * offsetSize
    let offset = Self.bigEndian(bytes[entry..<(entry + offsetSize)])
    guard offset >= 8, offset < UInt64(tableOffset) else {
      throw damaged(entry, "an object at byte \(offset)", "an offset from 8 to \(tableOffset - 1)")
    }
    let start = Int(offset)
    try claim(1, at: start)
    let marker = bytes[start]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0: return try simple(marker, at: start)
    case 0x1: return try integer(exponent: low, at: start)
    case 0x2: return try real(exponent: low, at: start)
    case 0x3 where low == 3:
      let body = try take(8, at: start + 1)
      return .date(Double(bitPattern: Self.bigEndian(bytes[body])))
    case 0x4:
      let (count, body) = try countAndBody(low, at: start)
      return try .data(Data(bytes[take(count, at: body)]))
    case 0x5: return try asciiString(low, at: start)
    case 0x6: return try utf16String(low, at: start)
    case 0x8 where low < 8:
      return try .uid(Self.bigEndian(bytes[take(low + 1, at: start + 1)]))
    case 0xA: return try .array(refs(low, at: start))
    case 0xB: return try .orderedSet(refs(low, at: start))
    case 0xC: return try .set(refs(low, at: start))
    case 0xD: return try dictionary(low, at: start)
    default: throw unknownMarker(marker, at: start)
    }
  }

  private func simple(_ marker: UInt8, at start: Int) throws -> BinaryPlist.Object {
    switch marker {
    case 0x00: .null
    case 0x08: .bool(false)
    case 0x09: .bool(true)
    default: throw unknownMarker(marker, at: start)
    }
  }

  private mutating func integer(exponent: Int, at start: Int) throws -> BinaryPlist.Object {
    guard exponent <= 4 else { throw unknownMarker(bytes[start], at: start) }
    let body = try take(1 << exponent, at: start + 1)
    // Integers of up to four bytes are unsigned; eight bytes are in two's complement; sixteen are
    // for greater numbers.
    guard exponent == 4 else {
      return .integer(Int64(bitPattern: Self.bigEndian(bytes[body])))
    }
    let high = Self.bigEndian(bytes[body.lowerBound..<(body.lowerBound + 8)])
    let low = Self.bigEndian(bytes[(body.lowerBound + 8)..<body.upperBound])
    let signed = Int64(bitPattern: low)
    switch high {
    case 0: return signed >= 0 ? .integer(signed) : .unsigned(low)
    case .max where signed < 0: return .integer(signed)
    default: throw damaged(start, "an integer of more than 64 bits", "at most 64 bits")
    }
  }

  private mutating func real(exponent: Int, at start: Int) throws -> BinaryPlist.Object {
    switch exponent {
    case 2:
      let body = try take(4, at: start + 1)
      return .float(Float(bitPattern: UInt32(truncatingIfNeeded: Self.bigEndian(bytes[body]))))
    case 3:
      let body = try take(8, at: start + 1)
      return .real(Double(bitPattern: Self.bigEndian(bytes[body])))
    default: throw unknownMarker(bytes[start], at: start)
    }
  }

  private mutating func asciiString(_ low: Int, at start: Int) throws -> BinaryPlist.Object {
    let (count, body) = try countAndBody(low, at: start)
    let range = try take(count, at: body)
    if let bad = bytes[range].firstIndex(where: { $0 >= 0x80 }) {
      throw damaged(bad, "a non-ASCII byte", "ASCII")
    }
    return .string(String(decoding: bytes[range], as: UTF8.self))
  }

  private mutating func utf16String(_ low: Int, at start: Int) throws -> BinaryPlist.Object {
    let (count, body) = try countAndBody(low, at: start)
    let range = try take(count * 2, at: body)
    var units: [UInt16] = []
    units.reserveCapacity(count)
    for position in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
      units.append(UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1]))
    }
    let string = String(decoding: units, as: UTF16.self)
    return string.utf16.elementsEqual(units) ? .string(string) : .malformedString(units)
  }

  private mutating func dictionary(_ low: Int, at start: Int) throws -> BinaryPlist.Object {
    let (count, body) = try countAndBody(low, at: start)
    let refs = try readRefs(count * 2, at: body)
    return .dictionary((0..<count).map { .init(key: refs[$0], value: refs[count + $0]) })
  }

  private mutating func refs(_ low: Int, at start: Int) throws -> [BinaryPlist.Ref] {
    let (count, body) = try countAndBody(low, at: start)
    return try readRefs(count, at: body)
  }

  private mutating func readRefs(_ count: Int, at body: Int) throws -> [BinaryPlist.Ref] {
    let range = try take(count * refSize, at: body)
    var refs: [BinaryPlist.Ref] = []
    refs.reserveCapacity(count)
    for position in stride(from: range.lowerBound, to: range.upperBound, by: refSize) {
      let ref = Self.bigEndian(bytes[position..<(position + refSize)])
      guard ref < UInt64(objectCount) else {
        throw damaged(position, "object \(ref)", "one of the \(objectCount) objects")
      }
      refs.append(BinaryPlist.Ref(ref))
    }
    return refs
  }

  // MARK: Bytes

  /// Returns the count of an object and the start of its body. A count that does not fit the marker
  /// follows it as an integer. It is at most the size of the file, so products with it fit `Int`.
  private mutating func countAndBody(_ low: Int, at start: Int) throws -> (Int, Int) {
    guard low == 0xF else { return (low, start + 1) }
    let marker = bytes[try take(1, at: start + 1).lowerBound]
    guard marker >> 4 == 0x1, marker & 0x0F <= 3 else {
      throw damaged(start + 1, "marker \(hexadecimal(marker))", "an integer, the object's count")
    }
    let size = 1 << Int(marker & 0x0F)
    let count = Self.bigEndian(bytes[try take(size, at: start + 2)])
    guard count <= UInt64(tableOffset) else {
      throw damaged(start + 2, "a count of \(count)", "at most the size of the file")
    }
    return (Int(count), start + 2 + size)
  }

  private mutating func take(_ count: Int, at start: Int) throws -> Range<Int> {
    guard start <= tableOffset, count <= tableOffset - start else {
      throw damaged(start, "\(max(tableOffset - start, 0)) bytes", "\(count) bytes")
    }
    try claim(count, at: start)
    return start..<(start + count)
  }

  private mutating func claim(_ count: Int, at start: Int) throws {
    guard count <= unclaimed else {
      throw damaged(start, "objects larger than the file", "objects that do not overlap")
    }
    unclaimed -= count
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: Checks

  private static func checkHeader(_ bytes: [UInt8]) throws {
    if bytes.starts(with: "bplist00".utf8) { return }
    let beginning = String(decoding: bytes.prefix(16), as: UTF8.self)
    if beginning.hasPrefix("bplist"), bytes.count >= 8 {
      throw RecordCodingError.notPropertyList(
        found: "a binary property list of an unsupported version (\(hexadecimal(bytes[6...7])))")
    }
    if beginning.hasPrefix("<?xml") || beginning.hasPrefix("<plist") {
      throw RecordCodingError.notPropertyList(
        found: "an XML document, which `plutil -convert binary1` converts")
    }
    throw RecordCodingError.notPropertyList(
      found: bytes.isEmpty ? "no bytes" : "bytes that start with \(hexadecimal(bytes.prefix(8)))")
  }

  /// Throws an error for a dictionary with a duplicate key, or one that is not a string.
  ///
  /// Each string is processed once, even if it is a key of many dictionaries. Strings are compared
  /// by their bytes: `String` treats canonically equivalent ones as equal.
  private func checkKeys() throws {
    var known: [ExactString: BinaryPlist.Ref] = [:]
    /// For each object that is a key, the first one with the same text.
    var first = [BinaryPlist.Ref?](repeating: nil, count: objects.count)
    for (index, object) in objects.enumerated() {
      guard case .dictionary(let entries) = object else { continue }
      var seen = Set<BinaryPlist.Ref>(minimumCapacity: entries.count)
      for entry in entries {
        let number = Int(entry.key)
        guard case .string(let key) = objects[number] else {
          throw badKey(index, "\(objects[number].kind) as a key", "a string")
        }
        let ref = first[number] ?? known[ExactString(key)] ?? entry.key
        if first[number] == nil {
          known[ExactString(key)] = ref
          first[number] = ref
        }
        guard seen.insert(ref).inserted else {
          throw badKey(index, "a duplicate key", "unique keys")
        }
      }
    }
  }

  private func badKey(_ index: Int, _ found: String, _ expected: String) -> RecordCodingError {
    let entry = tableOffset + index * offsetSize
    let offset = Self.bigEndian(bytes[entry..<(entry + offsetSize)])
    return .damaged(
      byteOffset: Int(clamping: offset), objectIndex: index, found: found, expected: expected)
  }

  private func damaged(_ offset: Int, _ found: String, _ expected: String) -> RecordCodingError {
    .damaged(byteOffset: offset, objectIndex: index, found: found, expected: expected)
  }

  private static func damaged(
    _ offset: Int, _ found: String, _ expected: String
  ) -> RecordCodingError {
    .damaged(byteOffset: offset, objectIndex: nil, found: found, expected: expected)
  }

  private func unknownMarker(_ marker: UInt8, at start: Int) -> RecordCodingError {
    damaged(start, "marker \(hexadecimal(marker))", "the marker of a property list object")
  }
}

private func hexadecimal(_ byte: UInt8) -> String {
  "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
}

private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map(hexadecimal).joined(separator: " ")
}

extension BinaryPlist {
  /// Throws an error if a container contains itself, directly or indirectly.
  ///
  /// Takes linear time, and does not recurse, because untrusted nesting can be as deep as the file
  /// allows.
  fileprivate func checkAcyclic() throws {
    enum Mark { case unseen, open, done }
    var marks = [Mark](repeating: .unseen, count: objects.count)
    var stack: [(ref: Int, children: [Ref], next: Int)] = []
    for start in objects.indices where marks[start] == .unseen {
      marks[start] = .open
      stack.append((start, objects[start].children, 0))
      while let last = stack.indices.last {
        guard stack[last].next < stack[last].children.count else {
          marks[stack[last].ref] = .done
          stack.removeLast()
          continue
        }
        let child = Int(stack[last].children[stack[last].next])
        stack[last].next += 1
        switch marks[child] {
        case .done: continue
        case .open: throw RecordCodingError.cyclicReference(path: "object \(child)")
        case .unseen:
          marks[child] = .open
          stack.append((child, objects[child].children, 0))
        }
      }
    }
  }
}
