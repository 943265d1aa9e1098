import RecordModel

extension CanonicalScanner {
  /// Where the parts of a record lie; offsets into the scanned bytes.
  struct RecordLayout {
    var recordName = 0..<0
    /// Behind the record's name: the rest of the system fields.
    var systemFields = 0..<0
    /// Behind the fields: what the model does not know.
    var otherMembers = 0..<0
  }

  /// Steps over `,"recordChangeTag":…` to `,"share":…`, as far as they are there.
  mutating func systemFields(in envelope: RecordEnvelope) -> Bool {
    if take(",\"recordChangeTag\":") { guard string() != nil else { return false } }
    if take(",\"created\":") { guard stamp() else { return false } }
    if take(",\"modified\":") { guard stamp() else { return false } }
    if take(",\"parent\":") { guard reference(in: envelope) else { return false } }
    if take(",\"share\":") { guard reference(in: envelope) else { return false } }
    return true
  }

  @inline(__always)
  private mutating func stamp() -> Bool {
    if take("{\"timestamp\":") {
      guard milliseconds() else { return false }
      if take(",\"userRecordName\":") { guard string() != nil else { return false } }
      if take(0x7D) { return true }
      if take(",\"deviceID\":") { guard string() != nil else { return false } }
      return otherMembers(known: MemberNames.stamp)
    }
    return stampWithoutTime()
  }

  private mutating func stampWithoutTime() -> Bool {
    guard take(0x7B) else { return false }
    var isFirst = true
    if take("\"userRecordName\":") {
      guard string() != nil else { return false }
      isFirst = false
    }
    if take(isFirst ? "\"deviceID\":" : ",\"deviceID\":") {
      guard string() != nil else { return false }
      isFirst = false
    }
    return otherMembers(known: MemberNames.stamp, isFirst: isFirst)
  }

  /// Steps over one field that no shape foretold.
  ///
  /// - Returns: how it begins, and what it is.
  mutating func fieldOpening(
    after previous: FieldName?
  ) -> (opening: Range<Int>, entry: RecordShape.Entry)? {
    let start = position
    guard let name = string(), take(":{\"type\":"), let type = string() else { return nil }
    let isEncrypted = take(",\"isEncrypted\":true")
    guard take(",\"value\":") else { return nil }
    let text = bytes(name)
    guard !text.contains(0x5C), !bytes(type).contains(0x5C) else { return nil }
    let nameText = String(decoding: text, as: UTF8.self)
    if let previous, compareUTF8(previous.string, nameText) >= 0 { return nil }
    let typeName = String(decoding: bytes(type), as: UTF8.self)
    let entry = RecordShape.Entry(
      name: FieldName.interned(nameText), type: ValueType(rawValue: typeName), typeName: typeName,
      isEncrypted: isEncrypted)
    return (start..<position, entry)
  }
}
