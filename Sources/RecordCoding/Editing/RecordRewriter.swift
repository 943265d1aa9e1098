import RecordModel

/// Replaces the parts of canonical records without decoding most of them.
package final class RecordRewriter {
  /// It lives as long as this object.
  private unowned(unsafe) let replacement: any RecordReplacement
  // The envelopes of the last record.
  @exclusivity(unchecked) private var source: RecordPrefix?
  @exclusivity(unchecked) private var target: RecordPrefix?
  // How fields of that type with a shape are replaced.
  @exclusivity(unchecked) private var shape: RecordShape?
  @exclusivity(unchecked) private var treatments: [FieldTreatment] = []
  // A text with escapes, without them, and what replaces it.
  private let plain = ByteBuffer()
  private let replaced = ByteBuffer()

  /// The bytes of a record. What stays of them is copied up to the next part that is replaced.
  private struct Copy {
    var scanner: CanonicalReader
    let buffer: ByteBuffer
    /// The end of what was copied, replaced or left out.
    var done: Int

    /// Copies what stays before a part, and leaves out the part.
    @inline(__always)
    mutating func skip(_ part: Range<Int>) {
      buffer.append(scanner.bytes(done..<part.lowerBound))
      done = part.upperBound
    }
  }

  /// - Parameter replacement: It must live as long as the rewriter.
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
    var scanner = CanonicalReader(parts.body)
    scanner.position = parts.layout.systemFields.lowerBound
    let creator = Self.creator(scanner)
    replacement.begin(createdBy: creator.map(scanner.bytes), in: parts.prefix.zoneID)
    let target = target(of: parts.prefix)
    buffer.append(UInt8(ascii: "{"))
    buffer.append(target.opening)
    let start = buffer.count
    var copy = Copy(scanner: scanner, buffer: buffer, done: parts.layout.recordName.lowerBound)
    guard !scanner.hasEscapes(in: parts.layout.recordName),
      replaceName(parts.layout.recordName, &copy)
    else { return nil }
    let name = start..<buffer.count
    guard replaceSystemFields(&copy) else { return nil }
    try select(parts)
    var isFirst = true
    for index in parts.entries.indices {
      if try replace(index, parts, target, &copy) {
        isFirst = false
      } else {
        leaveOut(index, parts, isFirst: isFirst, &copy)
      }
    }
    copy.skip(parts.body.count..<parts.body.count)
    return name
  }

  private func target(of source: RecordPrefix) -> RecordPrefix {
    if self.source === source, let target { return target }
    let made = RecordPrefix(
      zoneID: replacement.zoneID(source.zoneID), recordType: source.recordType)
    (self.source, target) = (source, made)
    // Fields of another type are replaced in another way.
    shape = nil
    return made
  }

  /// Finds how the fields of a record are replaced.
  private func select(_ parts: RecordParts) throws {
    if shape === parts.shape { return }
    shape = nil
    treatments = try replacement.treatments(of: parts.shape, in: parts.prefix.recordType)
    shape = parts.shape
  }

  // MARK: System fields

  /// Finds the user in the creation stamp.
  private static func creator(_ scanner: CanonicalReader) -> Range<Int>? {
    var scanner = scanner
    if scanner.take(",\"recordChangeTag\":") { _ = scanner.string() }
    guard scanner.take(",\"created\":{") else { return nil }
    if scanner.take("\"timestamp\":") {
      guard scanner.milliseconds(), scanner.take(",") else { return nil }
    }
    return scanner.take("\"userRecordName\":") ? scanner.string() : nil
  }

  private func replaceSystemFields(_ copy: inout Copy) -> Bool {
    if copy.scanner.take(",\"recordChangeTag\":"), copy.scanner.string() == nil { return false }
    guard !copy.scanner.take(",\"created\":{") || replaceStamp(&copy),
      !copy.scanner.take(",\"modified\":{") || replaceStamp(&copy),
      !copy.scanner.take(",\"parent\":") || replaceReference(&copy),
      !copy.scanner.take(",\"share\":") || replaceReference(&copy)
    else { return false }
    return copy.scanner.take(",\"fields\":{")
  }

  /// Replaces the parts of a stamp, after its first brace.
  private func replaceStamp(_ copy: inout Copy) -> Bool {
    if copy.scanner.take("\"timestamp\":"), !replaceNumber(&copy, isStamp: true) { return false }
    if copy.scanner.take(",\"userRecordName\":\"") || copy.scanner.take("\"userRecordName\":\"") {
      guard replaceName(&copy) else { return false }
    }
    if copy.scanner.take(",\"deviceID\":\"") || copy.scanner.take("\"deviceID\":\"") {
      guard replaceName(&copy) else { return false }
    }
    return copy.scanner.take("}")
  }

  /// Replaces the name in a reference within the record's zone.
  private func replaceReference(_ copy: inout Copy) -> Bool {
    copy.scanner.take("{\"recordName\":\"") && replaceName(&copy)
      && copy.scanner.take(",\"action\":") && copy.scanner.string() != nil
      && copy.scanner.take("}")
  }

  /// Replaces a name after its first quote.
  private func replaceName(_ copy: inout Copy) -> Bool {
    guard let (name, hasEscapes) = copy.scanner.markedRest(), !hasEscapes else { return false }
    return replaceName(name, &copy)
  }

  /// Replaces a name without escapes.
  private func replaceName(_ name: Range<Int>, _ copy: inout Copy) -> Bool {
    copy.skip(name)
    return replacement.appendName(copy.scanner.bytes(name), to: copy.buffer)
  }

  private func replaceNumber(_ copy: inout Copy, isStamp: Bool) -> Bool {
    let start = copy.scanner.position
    guard let number = copy.scanner.wholeNumber(),
      let replaced = isStamp ? replacement.stamp(number) : replacement.date(number)
    else { return false }
    copy.skip(start..<copy.scanner.position)
    copy.buffer.appendInteger(replaced)
    return true
  }

  // MARK: Fields

  /// - Returns: False if the field is to be left out.
  private func replace(
    _ index: Int, _ parts: RecordParts, _ target: RecordPrefix, _ copy: inout Copy
  ) throws -> Bool {
    let treatment = treatments[index]
    switch treatment {
    case .copy: break
    case .decode: return try replaceDecoded(index, parts, target, &copy)
    case .text, .name, .date:
      let (done, count) = (copy.done, copy.buffer.count)
      copy.scanner.position = parts.place(ofValue: index).lowerBound
      guard replaceValue(&copy, treatment) else {
        (copy.done, copy.buffer.count) = (done, count)
        return try replaceDecoded(index, parts, target, &copy)
      }
    }
    replacement.note(index)
    return true
  }

  private func leaveOut(
    _ index: Int, _ parts: RecordParts, isFirst: Bool, _ copy: inout Copy
  ) {
    let value = parts.place(ofValue: index)
    let start = value.lowerBound - parts.entries[index].openingLength
    let end = value.upperBound + 1
    // Of the two commas around it, one.
    if !isFirst {
      copy.skip(start - 1..<end)
    } else {
      copy.skip(start..<(index + 1 < parts.entries.count ? end + 1 : end))
    }
  }

  private func replaceDecoded(
    _ index: Int, _ parts: RecordParts, _ target: RecordPrefix, _ copy: inout Copy
  ) throws -> Bool {
    let entry = parts.entries[index]
    let field = Field(
      interned: entry.name, value: parts.value(at: index), isEncrypted: entry.isEncrypted)
    guard let replaced = try replacement.replace(field, at: index) else { return false }
    copy.skip(parts.place(ofValue: index))
    try ValueWriter(buffer: copy.buffer, zoneID: target.zoneID).write(replaced)
    return true
  }

  /// Replaces a value, or each one of a list.
  private func replaceValue(_ copy: inout Copy, _ treatment: FieldTreatment) -> Bool {
    guard copy.scanner.take("[") else { return replaceElement(&copy, treatment) }
    if copy.scanner.take("]") { return true }
    repeat {
      guard replaceElement(&copy, treatment) else { return false }
    } while copy.scanner.take(",")
    return copy.scanner.take("]")
  }

  private func replaceElement(_ copy: inout Copy, _ treatment: FieldTreatment) -> Bool {
    if treatment == .date { return replaceNumber(&copy, isStamp: false) }
    guard copy.scanner.take("\"") else { return replaceReference(&copy) }
    guard treatment == .text else { return replaceName(&copy) }
    guard let (place, hasEscapes) = copy.scanner.markedRest() else { return false }
    let text = copy.scanner.bytes(place)
    guard !hasEscapes else {
      copy.skip(place.lowerBound - 1..<place.upperBound + 1)
      return appendEscaped(text, to: copy.buffer)
    }
    copy.skip(place)
    return replacement.appendText(text, to: copy.buffer)
  }

  /// Appends what replaces a text with escapes.
  private func appendEscaped(_ text: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Bool {
    plain.reset(keeping: 1 << 20)
    plain.reserve(text.count)
    plain.setCount(
      CanonicalReader.unescape(
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
  package let source: RecordPrefix
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
      name: name, database: database, source: parts.prefix,
      mayContainAssets: parts.shape.mayContainAssets)
  }
}

extension CanonicalReader {
  /// Skips the rest of a string, after its opening quote.
  ///
  /// - Returns: The range of the text, and whether it has escapes; nil if it is not canonical.
  @inline(__always)
  fileprivate mutating func markedRest() -> (text: Range<Int>, hasEscapes: Bool)? {
    let start = position
    if let text = plainRest() { return (text, false) }
    return stringTail(from: start, at: position).map { ($0, hasEscapes(in: $0)) }
  }

  fileprivate func hasEscapes(in text: Range<Int>) -> Bool {
    bytes(text).hasByte(UInt8(ascii: "\\"))
  }

  /// Skips an integer of fewer than 16 digits, and returns it; nil for any other number.
  fileprivate mutating func wholeNumber() -> Int64? {
    let isNegative = take(0x2D)
    return plainInteger().map { isNegative ? -Int64($0) : Int64($0) }
  }
}
