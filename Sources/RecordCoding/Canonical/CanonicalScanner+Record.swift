import RecordModel

extension CanonicalScanner {
  /// Where the parts of a record lie; offsets into the scanned bytes.
  struct RecordLayout {
    var recordName = 0..<0
    /// Behind the record's name: the rest of the system fields.
    var systemFields = 0..<0
    /// Behind the fields: what the model does not know.
    var otherMembers = 0..<0
    /// The text of the change tag, and of the time of the last modification, where there are such.
    var changeTag = 0..<0
    var modified = 0..<0
    /// Where the members `parent` and `share` end the system fields: empty where there is none.
    var parent = 0..<0
    var share = 0..<0
    /// Whether a field has members that the model does not know; they lie behind its value.
    var hasFieldMembers = false
    /// Whether the record has such members anywhere.
    var hasOtherMembers = false
  }

  /// Steps over `,"recordChangeTag":…` to `,"share":…`, as far as they are there.
  mutating func systemFields(in envelope: RecordEnvelope, _ layout: inout RecordLayout) -> Bool {
    let start = position
    if take(",\"recordChangeTag\":") {
      guard let tag = string() else { return false }
      layout.changeTag = tag
    }
    if take(",\"created\":") { guard stamp() != nil else { return false } }
    if take(",\"modified\":") {
      guard let time = stamp() else { return false }
      layout.modified = time
    }
    let parentStart = position
    if take(",\"parent\":") { guard reference(in: envelope) else { return false } }
    let shareStart = position
    if take(",\"share\":") { guard reference(in: envelope) else { return false } }
    layout.parent = parentStart..<shareStart
    layout.share = shareStart..<position
    layout.systemFields = start..<position
    return true
  }

  /// Steps over a stamp; where its time stands, empty where it has none.
  @inline(__always)
  mutating func stamp() -> Range<Int>? {
    guard take("{\"timestamp\":") else { return stampWithoutTime() ? 0..<0 : nil }
    let start = position
    guard milliseconds() else { return nil }
    let time = start..<position
    if take(",\"userRecordName\":") { guard string() != nil else { return nil } }
    if take(0x7D) { return time }
    if take(",\"deviceID\":") { guard string() != nil else { return nil } }
    return otherMembers(known: MemberNames.stamp) ? time : nil
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
    // Servers' spellings (`ENCRYPTED_BYTES`, `ASSETID`) are translated by the tolerant way.
    let spelled = FieldType(spelling: typeName)
    guard spelled.isCanonical else { return nil }
    let entry = RecordShape.Entry(
      name: FieldName.unshared(nameText), text: nameText, type: spelled.type,
      typeName: typeName,
      isEncrypted: isEncrypted, openingLength: position - start)
    return (start..<position, entry)
  }
}
