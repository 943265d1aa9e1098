import RecordModel

extension CanonicalReader {
  /// The ranges of a record's parts in the scanned bytes.
  struct RecordLayout {
    var recordName = 0..<0
    /// The system fields after the record's name.
    var systemFields = 0..<0
    /// The members after `fields` that the model has no property for.
    var otherMembers = 0..<0
    /// The text of the change tag, and of the modification time; empty if there is none.
    var changeTag = 0..<0
    /// Whether there is a change tag, which may be empty.
    var hasChangeTag: Bool { changeTag.lowerBound > 0 }
    var modified = 0..<0
    /// The members `parent` and `share`, which end the system fields; empty if there is none.
    var parent = 0..<0
    var share = 0..<0
    /// Whether a field has members that the model has no property for; they follow its value.
    var hasFieldMembers = false
    /// Whether the record has such members anywhere.
    var hasOtherMembers = false
  }

  /// Skips the members from `,"recordChangeTag":…` to `,"share":…`, as far as they exist.
  mutating func systemFields(in prefix: RecordPrefix, _ layout: inout RecordLayout) -> Bool {
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
    if take(",\"parent\":") { guard reference(in: prefix) else { return false } }
    let shareStart = position
    if take(",\"share\":") { guard reference(in: prefix) else { return false } }
    layout.parent = parentStart..<shareStart
    layout.share = shareStart..<position
    layout.systemFields = start..<position
    return true
  }

  /// Reads the system fields after a record's name, which were checked.
  ///
  /// They are created in one call; setting them one by one would copy them more than once.
  mutating func systemFieldValues(
    of recordID: RecordID, in prefix: RecordPrefix, otherMembers: OtherMembers
  ) -> SystemFields {
    let changeTag = take(",\"recordChangeTag\":") ? textValue() : nil
    let created = take(",\"created\":") ? stampValue() : nil
    let modified = take(",\"modified\":") ? stampValue() : nil
    let parent = take(",\"parent\":") ? referenceValue(in: prefix) : nil
    let share = take(",\"share\":") ? referenceValue(in: prefix) : nil
    return SystemFields(
      recordID: recordID, recordType: prefix.recordType, recordChangeTag: changeTag,
      created: created, modified: modified, parent: parent, share: share,
      otherMembers: otherMembers)
  }

  /// Reads the stamp of the creation, from the system fields after a record's name.
  mutating func createdValue() -> RecordStamp? {
    if take(",\"recordChangeTag\":"), string() == nil { return nil }
    return take(",\"created\":") ? stampValue() : nil
  }

  /// Reads the stamp of the last change, from the system fields after a record's name.
  mutating func modifiedValue() -> RecordStamp? {
    if take(",\"recordChangeTag\":"), string() == nil { return nil }
    if take(",\"created\":"), stamp() == nil { return nil }
    return take(",\"modified\":") ? stampValue() : nil
  }

  /// Skips a stamp, and returns the range of its time; empty if it has none.
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
    var isFirst = true
    return take(0x7B) && text("\"userRecordName\":", &isFirst) && text("\"deviceID\":", &isFirst)
      && otherMembers(known: MemberNames.stamp, isFirst: isFirst)
  }

  /// The bytes before a field's value.
  struct FieldHead {
    var name: Range<Int>
    var typeName: Range<Int>
    var isEncrypted: Bool
    /// Nil for an unknown type.
    var type: ValueType?
  }

  /// Skips the bytes before a field's value; nil if they are not canonical.
  mutating func fieldHead() -> FieldHead? {
    guard let name = string(), take(":{\"type\":"), let type = string() else { return nil }
    let isEncrypted = take(",\"isEncrypted\":true")
    let typeBytes = bytes(type)
    guard take(",\"value\":"), !bytes(name).hasByte(0x5C), !typeBytes.hasByte(0x5C) else {
      return nil
    }
    var head = FieldHead(name: name, typeName: type, isEncrypted: isEncrypted)
    head.type = ValueType(utf8: typeBytes)
    if head.type == nil {
      // The fallback reader translates the spellings of servers (`ENCRYPTED_BYTES`, `ASSETID`).
      let spelled = TypeSpelling(spelling: String(decoding: typeBytes, as: UTF8.self))
      guard spelled.isCanonical else { return nil }
    }
    return head
  }

  /// Skips the start of a field that is not in a known shape.
  ///
  /// - Returns: the range of the start, and a description of the field.
  mutating func fieldOpening(
    after previous: FieldName?
  ) -> (opening: Range<Int>, entry: RecordShape.Entry)? {
    let start = position
    guard let head = fieldHead() else { return nil }
    let name = String(decoding: bytes(head.name), as: UTF8.self)
    if let previous, compareUTF8(previous.string, name) >= 0 { return nil }
    let entry = RecordShape.Entry(
      name: FieldName.unshared(name), text: name, type: head.type,
      typeName: String(decoding: bytes(head.typeName), as: UTF8.self),
      isEncrypted: head.isEncrypted, openingLength: position - start)
    return (start..<position, entry)
  }
}

extension ValueType {
  private static let names = allCases.map { (type: $0, utf8: Array($0.rawValue.utf8)) }

  fileprivate init?(utf8: UnsafeRawBufferPointer) {
    let found = Self.names.first { name in
      name.utf8.count == utf8.count && name.utf8.withUnsafeBytes { compareBytes($0, utf8) == 0 }
    }
    guard let found else { return nil }
    self = found.type
  }
}

/// The names of the members that the model has properties for.
enum MemberNames {
  static let record = [
    "zoneID", "recordType", "recordName", "recordChangeTag", "created", "modified", "parent",
    "share", "fields", "kind", "database", "deleted",
  ]
  static let stamp = ["timestamp", "userRecordName", "deviceID"]
  static let field = ["type", "isEncrypted", "value"]
  static let reference = ["recordName", "zoneID", "action"]
  static let location = [
    "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course",
    "speed", "timestamp",
  ]
  static let asset = [
    "sha256", "size", "fileChecksum", "referenceChecksum", "wrappingKey", "receipt", "downloadURL",
  ]
}
