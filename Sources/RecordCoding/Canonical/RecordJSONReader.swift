import RecordModel

/// Reads record dictionaries and record lines; canonical ones are fast.
///
/// A reader caches names, zones and shapes, so reuse it for many records.
///
/// `Sendable` is unchecked: one thread uses a reader at a time, and passes it to another under a
/// lock.
///
/// ```swift
/// let reader = RecordJSONReader()
/// let records = try lines.map { line in
///   try line.withUnsafeBytes { try reader.read($0) }
/// }
/// ```
package final class RecordJSONReader: @unchecked Sendable {
  /// The limit of the cache; it keeps untrusted input from filling memory with shapes.
  private static let maxShapeCount = 4096
  /// CloudKit records have at most some hundred fields; the fallback reader handles larger ones.
  private static let maxFieldCount = 1024

  @exclusivity(unchecked) private var prefixes: [RecordPrefix] = []
  /// The prefix of the last record, which is among ``prefixes``.
  @exclusivity(unchecked) private var prefix: Unmanaged<RecordPrefix>?
  @exclusivity(unchecked) private var shapes = ShapeNode()
  @exclusivity(unchecked) private var shapeCount = 0
  @exclusivity(unchecked) private var values = UnsafeMutableBufferPointer<UInt64>.allocate(
    capacity: 512)

  package init() {}

  deinit { values.deallocate() }

  /// Reads a record dictionary in any JSON format.
  ///
  /// - Throws: `RecordCodingError` with the byte offset and the path of the error.
  package func read(_ bytes: UnsafeRawBufferPointer) throws -> ResultRecord {
    if let record = readCanonical(bytes) { return record }
    return try ResultRecord(json: JSONParser.parse(bytes))
  }

  /// Reads a record line of a bundle: `{"kind":"record","database":"…",` and the dictionary.
  ///
  /// - Returns: nil if the line is not canonical.
  package func readCanonicalLine(
    _ line: UnsafeRawBufferPointer
  ) -> (database: DatabaseScope, record: ResultRecord)? {
    guard let (database, _, parts) = parts(ofLine: line) else { return nil }
    return (database, ResultRecord(storage: LineStorage(parts)))
  }

  /// Returns the name of a scanned record, unescaped.
  package func recordName(of line: UnsafeRawBufferPointer, _ scan: RecordHeader) -> String {
    CanonicalReader.string(UnsafeRawBufferPointer(rebasing: line[scan.name]))
  }

  /// Reads only the database, identity and type of a record line.
  ///
  /// - Returns: nil if the start of the line is not canonical.
  package func readKey(
    _ line: UnsafeRawBufferPointer
  ) -> (database: DatabaseScope, recordID: RecordID, recordType: String)? {
    guard let (database, start) = RecordLine.opening(of: line) else { return nil }
    var scanner = CanonicalReader(UnsafeRawBufferPointer(rebasing: line[start...]))
    guard let prefix = opening(&scanner), let name = scanner.stringRest(),
      !name.isEmpty
    else { return nil }
    let packedName = CanonicalReader.compactName(scanner.bytes(name))
    return (
      database, RecordID(packedName: packedName, zoneID: prefix.zoneID), prefix.recordType
    )
  }

  /// Loads a record line of a bundle for editing.
  ///
  /// `record` points into `line` and into this reader's cache. Until it is loaded again, keep both,
  /// and read nothing else with this reader.
  ///
  /// - Returns: false if the line is not canonical.
  package func load(_ record: EditableRecord, from line: UnsafeRawBufferPointer) -> Bool {
    guard let (database, _, parts) = parts(ofLine: line) else { return false }
    record.load(parts, in: database)
    return true
  }

  /// Reads a canonical record dictionary; nil if it is not canonical, or has more than 1,024
  /// fields.
  package func readCanonical(_ bytes: UnsafeRawBufferPointer) -> ResultRecord? {
    parts(ofDictionary: bytes).map { ResultRecord(storage: LineStorage($0)) }
  }

  @inline(__always)
  func parts(
    ofLine line: UnsafeRawBufferPointer
  ) -> (database: DatabaseScope, bodyStart: Int, parts: RecordParts)? {
    guard let (database, start) = RecordLine.opening(of: line),
      let parts = scan(UnsafeRawBufferPointer(rebasing: line[start...]))
    else { return nil }
    return (database, start, parts)
  }

  @inline(__always)
  private func parts(ofDictionary bytes: UnsafeRawBufferPointer) -> RecordParts? {
    guard bytes.first == UInt8(ascii: "{") else { return nil }
    return scan(UnsafeRawBufferPointer(rebasing: bytes[1...]))
  }

  /// Checks a dictionary, and returns its parts, which are valid until the next scan.
  private func scan(_ body: UnsafeRawBufferPointer) -> RecordParts? {
    var scanner = CanonicalReader(body)
    guard body.count < Int(UInt32.max), let prefix = opening(&scanner),
      let name = scanner.stringRest(), !name.isEmpty
    else { return nil }
    var layout = CanonicalReader.RecordLayout()
    layout.recordName = name
    guard scanner.systemFields(in: prefix, &layout), scanner.take(",\"fields\":{"),
      let (shape, count) = fields(&scanner, in: prefix, &layout)
    else { return nil }
    let othersStart = scanner.position
    guard scanner.otherMembers(known: MemberNames.record), scanner.isAtEnd else { return nil }
    layout.otherMembers = othersStart..<(scanner.position - 1)
    layout.hasOtherMembers = scanner.hasOtherMembers
    return RecordParts(
      prefix: prefix, shape: shape, layout: layout, body: body,
      values: UnsafeBufferPointer(rebasing: values[..<count]))
  }

  /// Whether bytes are a canonical record dictionary with this name, zone and type.
  ///
  /// - Parameter name: the name in UTF-8, unescaped.
  package func isCanonical(
    _ bytes: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, zoneID: ZoneID,
    recordType: String
  ) -> Bool {
    guard let parts = parts(ofDictionary: bytes),
      parts.prefix.recordType.sameScalars(as: recordType),
      parts.prefix.zoneID.isIdentical(to: zoneID) || parts.prefix.zoneID == zoneID
    else { return false }
    let written = UnsafeRawBufferPointer(rebasing: parts.body[parts.layout.recordName])
    guard written.contains(UInt8(ascii: "\\")) else { return compareBytes(written, name) == 0 }
    return CanonicalReader.string(written).utf8.elementsEqual(name)
  }

  /// Skips everything before the record's name.
  func opening(_ scanner: inout CanonicalReader) -> RecordPrefix? {
    unmanagedOpening(&scanner)?.takeUnretainedValue()
  }

  /// Skips everything before the record's name. The start is valid until this is called again.
  @inline(__always)
  func unmanagedOpening(_ scanner: inout CanonicalReader) -> Unmanaged<RecordPrefix>? {
    if let prefix {
      let opening = prefix._withUnsafeGuaranteedRef { $0.opening }
      if scanner.matches(opening, at: 0) {
        scanner.position = opening.count
        return prefix
      }
    }
    prefix = otherOpening(&scanner).map(Unmanaged.passUnretained)
    return prefix
  }

  /// Skips everything before the record's name; the prefix is among ``prefixes``.
  private func otherOpening(_ scanner: inout CanonicalReader) -> RecordPrefix? {
    for known in prefixes where scanner.matches(known.opening, at: 0) {
      scanner.position = known.opening.count
      return known
    }
    guard scanner.take("\"zoneID\":"), let zone = scanner.zoneID(),
      scanner.take(",\"recordType\":"), let type = scanner.string(), !type.isEmpty,
      scanner.take(",\"recordName\":\"")
    else { return nil }
    let owner = CanonicalReader.string(scanner.bytes(zone.ownerName))
    // A shared zone and a constant are not counted wherever a record's identity is copied.
    var zoneID = ZoneID(
      zoneName: CanonicalReader.string(scanner.bytes(zone.zoneName)),
      ownerName: owner == ZoneID.currentUserOwnerName ? ZoneID.currentUserOwnerName : owner
    ).shared()
    if let known = prefixes.first(where: { $0.zoneID == zoneID }) { zoneID = known.zoneID }
    let made = RecordPrefix(
      zoneID: zoneID, recordType: CanonicalReader.string(scanner.bytes(type)))
    if prefixes.count >= 64 { prefixes.removeFirst() }
    prefixes.append(made)
    return made
  }

  /// Skips all fields and the closing brace, and stores the ranges of the values.
  private func fields(
    _ scanner: inout CanonicalReader, in prefix: RecordPrefix,
    _ layout: inout CanonicalReader.RecordLayout
  ) -> (shape: RecordShape, count: Int)? {
    if shapeCount > Self.maxShapeCount {
      shapes = ShapeNode()
      shapeCount = 0
    }
    var node = ShapeNode.Pointer.passUnretained(shapes)
    var count = 0
    while !scanner.take(0x7D) {
      guard count == 0 || scanner.take(0x2C) else { return nil }
      let next: ShapeNode.Pointer? = node._withUnsafeGuaranteedRef {
        if let known = $0.child(at: scanner.position, of: scanner) {
          scanner.position &+= known._withUnsafeGuaranteedRef { $0.opening.count }
          return known
        }
        return newField(&scanner, after: $0)
      }
      guard let next, count < Self.maxFieldCount else { return nil }
      node = next
      let type = node._withUnsafeGuaranteedRef { $0.entry?.type }
      let start = scanner.position
      guard scanner.value(type, in: prefix) else { return nil }
      if count == values.count { growValues() }
      if scanner.byte == 0x7D {
        values[count] = UInt64(start) &<< 32 | UInt64(scanner.position)
        scanner.position &+= 1
      } else {
        guard scanner.otherMembers(known: MemberNames.field) else { return nil }
        layout.hasFieldMembers = true
        values[count] = UInt64(start) &<< 32 | UInt64(scanner.position &- 1)
      }
      count &+= 1
    }
    return (node._withUnsafeGuaranteedRef { $0.shape }, count)
  }

  private func newField(
    _ scanner: inout CanonicalReader, after node: ShapeNode
  ) -> ShapeNode.Pointer? {
    guard let (opening, entry) = scanner.fieldOpening(after: node.entry?.name) else { return nil }
    shapeCount += 1
    return node.addChild(opening: scanner.bytes(opening), entry: entry)
  }

  private func growValues() {
    let bigger = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: values.count * 2)
    _ = bigger.update(fromContentsOf: values)
    values.deallocate()
    values = bigger
  }
}
