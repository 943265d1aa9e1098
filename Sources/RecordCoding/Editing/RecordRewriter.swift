import RecordModel

/// What replaces the parts of canonical records.
///
/// All names are bytes of JSON strings without their quotes. They contain no escapes, and neither
/// may what is appended for them.
package protocol RecordReplacement: AnyObject {
  /// Called before the parts of a record.
  ///
  /// - Parameters:
  ///   - creator: The name of the user who created it; nil if it has none.
  ///   - zoneID: The zone of the record.
  func begin(createdBy creator: UnsafeRawBufferPointer?, in zoneID: ZoneID)
  /// Returns what replaces a zone.
  func zoneID(_ zoneID: ZoneID) -> ZoneID
  /// Appends what replaces a name of a record, a user or a device.
  ///
  /// - Returns: False if it cannot be replaced as bytes.
  func appendName(_ name: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Bool
  /// Appends what replaces a text of a field, both as UTF-8. The same characters need escapes in
  /// both.
  ///
  /// - Returns: False if it cannot be replaced as bytes.
  func appendText(_ text: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Bool
  /// Returns what replaces a creation or modification date, in milliseconds since 1970; nil if it
  /// cannot be replaced as a whole number.
  func stamp(_ milliseconds: Int64) -> Int64?
  /// Returns what replaces a date of a field; nil if it cannot be replaced as a whole number.
  func date(_ milliseconds: Int64) -> Int64?
  /// Returns how the fields of records of a type and a shape are replaced.
  func treatments(of shape: RecordShape, in recordType: String) throws -> [FieldTreatment]
  /// Called with each field whose value stays, or is replaced as bytes.
  func note(_ index: Int)
  /// Returns what replaces a field; nil to leave it out.
  func replace(_ field: Field, at index: Int) throws -> RecordValue?
}

/// How a field of canonical JSON is replaced.
package enum FieldTreatment: Sendable {
  /// It stays.
  case copy
  /// Its text is replaced, or each one of a list.
  case text
  /// Its name, or the name in its reference, or each one of a list.
  case name
  /// Its date, or each one of a list.
  case date
  /// It is decoded.
  case decode
}

/// Replaces the parts of canonical records without decoding most of them.
package final class RecordRewriter {
  private let replacement: any RecordReplacement
  // The envelopes and the shape of the last record.
  @exclusivity(unchecked) private var source: RecordEnvelope?
  @exclusivity(unchecked) private var target: RecordEnvelope?
  @exclusivity(unchecked) private var shape: RecordShape?
  @exclusivity(unchecked) private var shapeType = ""
  @exclusivity(unchecked) private var treatments: [FieldTreatment] = []
  // A text with escapes, without them, and what replaces it.
  private let plain = ByteBuffer()
  private let replaced = ByteBuffer()

  package init(_ replacement: any RecordReplacement) { self.replacement = replacement }

  /// Appends what replaces a record.
  ///
  /// - Returns: The place of the name in the buffer; nil, with the buffer as it was, for records
  ///   with unknown members or escapes in names.
  func rewrite(_ parts: RecordParts, to buffer: ByteBuffer) throws -> Range<Int>? {
    let start = buffer.count
    do {
      if let name = try append(parts, to: buffer) { return name }
    } catch {
      buffer.count = start
      throw error
    }
    buffer.count = start
    return nil
  }

  private func append(_ parts: RecordParts, to buffer: ByteBuffer) throws -> Range<Int>? {
    guard !parts.layout.hasOtherMembers, !parts.layout.hasFieldMembers,
      parts.layout.otherMembers.isEmpty
    else { return nil }
    var scanner = CanonicalScanner(parts.body)
    scanner.position = parts.layout.systemFields.lowerBound
    let creator = Self.creator(scanner)
    replacement.begin(createdBy: creator.map(scanner.bytes), in: parts.envelope.zoneID)
    let target = target(of: parts.envelope)
    buffer.append(UInt8(ascii: "{"))
    buffer.append(target.opening)
    let start = buffer.count
    guard appendName(scanner.bytes(parts.layout.recordName), to: buffer) else { return nil }
    let name = start..<buffer.count
    buffer.append(UInt8(ascii: "\""))
    guard appendSystemFields(&scanner, to: buffer) else { return nil }
    buffer.append(",\"fields\":{")
    try select(parts)
    var isFirst = true
    for index in parts.entries.indices {
      let place = buffer.count
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      guard try append(index, treatments[index], parts, target.zoneID, to: buffer) else {
        buffer.count = place
        continue
      }
      isFirst = false
    }
    buffer.append("}}")
    return name
  }

  private func target(of source: RecordEnvelope) -> RecordEnvelope {
    if self.source === source, let target { return target }
    let made = RecordEnvelope(
      zoneID: replacement.zoneID(source.zoneID), recordType: source.recordType)
    (self.source, target) = (source, made)
    return made
  }

  /// Finds how the fields of a record are replaced.
  private func select(_ parts: RecordParts) throws {
    let type = parts.envelope.recordType
    if shape === parts.shape, shapeType.sameScalars(as: type) { return }
    treatments = try replacement.treatments(of: parts.shape, in: type)
    (shape, shapeType) = (parts.shape, type)
  }

  private func appendName(_ name: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Bool {
    !name.hasByte(UInt8(ascii: "\\")) && replacement.appendName(name, to: buffer)
  }

  // MARK: System fields

  /// Finds the user in the creation stamp.
  private static func creator(_ scanner: CanonicalScanner) -> Range<Int>? {
    var scanner = scanner
    if scanner.take(",\"recordChangeTag\":") { _ = scanner.string() }
    guard scanner.take(",\"created\":{") else { return nil }
    if scanner.take("\"timestamp\":") {
      guard scanner.milliseconds(), scanner.take(",") else { return nil }
    }
    return scanner.take("\"userRecordName\":") ? scanner.string() : nil
  }

  private func appendSystemFields(_ scanner: inout CanonicalScanner, to buffer: ByteBuffer) -> Bool
  {
    let tag = scanner.position
    if scanner.take(",\"recordChangeTag\":") {
      guard scanner.string() != nil else { return false }
      buffer.append(scanner.bytes(tag..<scanner.position))
    }
    guard appendStamp(",\"created\":{", &scanner, to: buffer),
      appendStamp(",\"modified\":{", &scanner, to: buffer)
    else { return false }
    if scanner.take(",\"parent\":") {
      buffer.append(",\"parent\":")
      guard appendReference(&scanner, to: buffer) else { return false }
    }
    if scanner.take(",\"share\":") {
      buffer.append(",\"share\":")
      guard appendReference(&scanner, to: buffer) else { return false }
    }
    return scanner.take(",\"fields\":{")
  }

  /// Appends a stamp, if there is one.
  private func appendStamp(
    _ opening: StaticString, _ scanner: inout CanonicalScanner, to buffer: ByteBuffer
  ) -> Bool {
    guard scanner.take(opening) else { return true }
    buffer.append(opening)
    if scanner.take("\"timestamp\":") {
      guard let time = scanner.wholeNumber(), let moved = replacement.stamp(time) else {
        return false
      }
      buffer.append("\"timestamp\":")
      buffer.appendInteger(moved)
    }
    guard
      appendText(",\"userRecordName\":\"", "\"userRecordName\":\"", &scanner, to: buffer),
      appendText(",\"deviceID\":\"", "\"deviceID\":\"", &scanner, to: buffer)
    else { return false }
    buffer.append(UInt8(ascii: "}"))
    return scanner.take("}")
  }

  /// Appends a name of a stamp, if there is one.
  ///
  /// - Parameters:
  ///   - opening: The member with its comma.
  ///   - first: The member without, as it is where it is the first.
  private func appendText(
    _ opening: StaticString, _ first: StaticString, _ scanner: inout CanonicalScanner,
    to buffer: ByteBuffer
  ) -> Bool {
    if scanner.take(opening) {
      buffer.append(opening)
    } else if scanner.take(first) {
      buffer.append(first)
    } else {
      return true
    }
    guard let text = scanner.stringRest(), appendName(scanner.bytes(text), to: buffer) else {
      return false
    }
    buffer.append(UInt8(ascii: "\""))
    return true
  }

  /// Appends a reference within the record's zone.
  private func appendReference(_ scanner: inout CanonicalScanner, to buffer: ByteBuffer) -> Bool {
    guard scanner.take("{\"recordName\":\""), let name = scanner.stringRest() else { return false }
    buffer.append("{\"recordName\":\"")
    guard appendName(scanner.bytes(name), to: buffer) else { return false }
    let rest = scanner.position - 1
    guard scanner.take(",\"action\":"), scanner.string() != nil, scanner.take("}") else {
      return false
    }
    buffer.append(scanner.bytes(rest..<scanner.position))
    return true
  }

  // MARK: Fields

  /// - Returns: False if the field is left out.
  private func append(
    _ index: Int, _ treatment: FieldTreatment, _ parts: RecordParts, _ zoneID: ZoneID,
    to buffer: ByteBuffer
  ) throws -> Bool {
    let place = parts.values[index]
    let value = Int(place &>> 32)..<Int(place & 0xFFFF_FFFF)
    let body = parts.body
    let opening = value.lowerBound - parts.entries[index].openingLength
    buffer.append(UnsafeRawBufferPointer(rebasing: body[opening..<value.lowerBound]))
    let bytes = UnsafeRawBufferPointer(rebasing: body[value])
    let start = buffer.count
    switch treatment {
    case .copy:
      buffer.append(bytes)
      replacement.note(index)
    case .decode: return try appendDecoded(index, bytes, parts, zoneID, to: buffer)
    case .text, .name, .date:
      guard appendValue(bytes, treatment, to: buffer) else {
        buffer.count = start
        return try appendDecoded(index, bytes, parts, zoneID, to: buffer)
      }
      replacement.note(index)
    }
    buffer.append(UInt8(ascii: "}"))
    return true
  }

  private func appendDecoded(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, _ parts: RecordParts, _ zoneID: ZoneID,
    to buffer: ByteBuffer
  ) throws -> Bool {
    let entry = parts.entries[index]
    var decoder = CanonicalDecoder(bytes, zoneID: parts.envelope.zoneID)
    let value = decoder.value(entry.type, named: entry.typeName)
    let field = Field(interned: entry.name, value: value, isEncrypted: entry.isEncrypted)
    guard let replaced = try replacement.replace(field, at: index) else { return false }
    try ValueWriter(buffer: buffer, zoneID: zoneID).write(replaced)
    buffer.append(UInt8(ascii: "}"))
    return true
  }

  /// Appends a value or a list of values.
  private func appendValue(
    _ bytes: UnsafeRawBufferPointer, _ treatment: FieldTreatment, to buffer: ByteBuffer
  ) -> Bool {
    var scanner = CanonicalScanner(bytes)
    guard scanner.take("[") else { return appendElement(&scanner, treatment, to: buffer) }
    buffer.append(UInt8(ascii: "["))
    if !scanner.take("]") {
      repeat {
        if buffer.lastByte != UInt8(ascii: "[") { buffer.append(UInt8(ascii: ",")) }
        guard appendElement(&scanner, treatment, to: buffer) else { return false }
      } while scanner.take(",")
    }
    buffer.append(UInt8(ascii: "]"))
    return true
  }

  private func appendElement(
    _ scanner: inout CanonicalScanner, _ treatment: FieldTreatment, to buffer: ByteBuffer
  ) -> Bool {
    if treatment == .date {
      guard let date = scanner.wholeNumber(), let moved = replacement.date(date) else {
        return false
      }
      buffer.appendInteger(moved)
      return true
    }
    guard scanner.take("\"") else { return appendReference(&scanner, to: buffer) }
    guard let place = scanner.stringRest() else { return false }
    let text = scanner.bytes(place)
    guard !text.hasByte(UInt8(ascii: "\\")) else {
      return treatment == .text && appendEscaped(text, to: buffer)
    }
    buffer.append(UInt8(ascii: "\""))
    guard
      treatment == .text
        ? replacement.appendText(text, to: buffer) : replacement.appendName(text, to: buffer)
    else { return false }
    buffer.append(UInt8(ascii: "\""))
    return true
  }

  /// Appends what replaces a text with escapes.
  private func appendEscaped(_ text: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Bool {
    plain.reset(keeping: 1 << 20)
    plain.reserve(text.count)
    plain.setCount(
      CanonicalDecoder.unescape(
        text,
        into: UnsafeMutableRawBufferPointer(start: plain.base, count: text.count)
          .bindMemory(to: UInt8.self)))
    replaced.reset(keeping: 1 << 20)
    guard replacement.appendText(plain.bytes, to: replaced) else { return false }
    buffer.appendJSONString(utf8: replaced.bytes)
    return true
  }
}

/// A record that was rewritten.
package struct RewrittenRecord {
  /// The place of its name in the buffer.
  package let name: Range<Int>
  package let database: DatabaseScope
  /// The zone and the type of the source: the same object as long as they stay the same.
  package let source: RecordEnvelope
  package let mayContainAssets: Bool
}

extension RecordJSONReader {
  /// Appends what replaces a record line of a bundle, as a dictionary.
  ///
  /// - Returns: Nil, with the buffer as it was, if the line is not canonical, or the record must be
  ///   decoded.
  package func rewrite(
    _ line: UnsafeRawBufferPointer, by rewriter: RecordRewriter, to buffer: ByteBuffer
  ) throws -> RewrittenRecord? {
    guard let (database, _, parts) = parts(ofLine: line),
      let name = try rewriter.rewrite(parts, to: buffer)
    else { return nil }
    return RewrittenRecord(
      name: name, database: database, source: parts.envelope,
      mayContainAssets: parts.shape.mayContainAssets)
  }
}

extension CanonicalScanner {
  /// Skips an integer of at most 16 digits, and returns it; nil for any other number.
  fileprivate mutating func wholeNumber() -> Int64? {
    let isNegative = take(0x2D)
    var value: Int64 = 0
    let start = position
    while position - start < 16, 0x30...0x39 ~= byte {
      value = value &* 10 &+ Int64(byte &- 0x30)
      position &+= 1
    }
    guard position > start else { return nil }
    switch byte {
    case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
    default: return isNegative ? -value : value
    }
  }
}

extension ByteBuffer {
  fileprivate var lastByte: UInt8 { bytes[count - 1] }
}
