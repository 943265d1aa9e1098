/// Where a save's change tag and stamps stand in a canonical dictionary without its first brace.
package struct StampPlaces: Sendable {
  /// Behind the record's name.
  package let start: Int
  /// The member `created` with its comma; empty where there is none.
  package let created: Range<Int>
  /// Behind the stamps.
  package let end: Int
}

extension RecordJSONReader {
  /// Finds the places of the stamps; nil where the dictionary does not begin in canonical form.
  package func stampPlaces(in body: UnsafeRawBufferPointer) -> StampPlaces? {
    var scanner = CanonicalScanner(body)
    guard opening(&scanner) != nil, scanner.stringRest() != nil else { return nil }
    let start = scanner.position
    if scanner.take(",\"recordChangeTag\":"), scanner.string() == nil { return nil }
    let created = scanner.position
    if scanner.take(",\"created\":"), scanner.stamp() == nil { return nil }
    let modified = scanner.position
    if scanner.take(",\"modified\":"), scanner.stamp() == nil { return nil }
    return StampPlaces(start: start, created: created..<modified, end: scanner.position)
  }
}

extension ByteBuffer {
  /// Appends a dictionary as a save leaves it.
  ///
  /// - Parameters:
  ///   - body: the dictionary without its first brace.
  ///   - places: where its stamps are.
  ///   - created: the member `created` with its comma.
  ///   - modified: the stamp of the save.
  package func append(
    _ body: UnsafeRawBufferPointer, stampedAt places: StampPlaces, changeTag: String,
    created: UnsafeRawBufferPointer, modified: [UInt8]
  ) {
    append(UInt8(ascii: "{"))
    append(UnsafeRawBufferPointer(rebasing: body[..<places.start]))
    append(",\"recordChangeTag\":")
    appendJSONString(changeTag)
    append(created)
    append(",\"modified\":")
    append(modified)
    append(UnsafeRawBufferPointer(rebasing: body[places.end...]))
  }
}
