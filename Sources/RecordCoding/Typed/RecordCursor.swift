import RecordModel

import struct Foundation.Date

/// The source of a ``RecordView``, and the position in it.
///
/// It is behind a pointer: a view with these members would be copied by each of its getters.
struct RecordCursor {
  /// The decoded values; nil if the values are read from canonical JSON.
  let record: ResultRecord?
  /// Whether the values are decoded. Asking ``record`` would copy it.
  let isDecoded: Bool
  /// The Swift type, for errors.
  let type: any RecordDecodable.Type
  private var unmanagedPrefix: Unmanaged<RecordPrefix>
  var scanner: CanonicalReader
  var system = ScannedSystemFields()
  /// The place of the first field.
  var start = 0
  /// The place of the name of the field before the scanner's position; empty before the first.
  var lastName = 0..<0
  /// Whether all fields before the end of the record were passed.
  var isAtEnd = false
  /// Whether the bytes turned out not to be canonical: what was read does not count.
  var isMalformed = false
  /// Whether all bytes of the record were passed: the scanner is at the end of its line.
  var isFinished = false

  private static let emptyPrefix = RecordPrefix(zoneID: .default, recordType: "")

  /// Reads records of lines, each from where ``begin(at:in:)`` is told.
  init(lines: UnsafeRawBufferPointer, _ type: any RecordDecodable.Type) {
    record = nil
    isDecoded = false
    self.type = type
    unmanagedPrefix = .passUnretained(Self.emptyPrefix)
    scanner = CanonicalReader(lines)
  }

  /// Begins to read the canonical JSON of a record.
  ///
  /// - Parameters:
  ///   - place: The place after the quote before the record's name.
  ///   - prefix: It must live as long as the record is read.
  @inline(__always)
  mutating func begin(at place: Int, in prefix: Unmanaged<RecordPrefix>) {
    unmanagedPrefix = prefix
    scanner.position = place
    system = ScannedSystemFields()
    lastName = 0..<0
    isMalformed = false
    isFinished = false
    guard let name = scanner.name(), !name.isEmpty else { return fail() }
    system.name = name
    begin()
  }

  /// Reads a record that was checked.
  init(_ parts: RecordParts, _ type: any RecordDecodable.Type) {
    record = nil
    isDecoded = false
    self.type = type
    unmanagedPrefix = .passUnretained(parts.prefix)
    scanner = CanonicalReader(parts.body)
    scanner.position = parts.layout.systemFields.lowerBound
    system.name = .text(parts.layout.recordName)
    begin()
  }

  /// Reads decoded values.
  init(values record: ResultRecord, _ type: any RecordDecodable.Type) {
    self.record = record
    isDecoded = true
    self.type = type
    unmanagedPrefix = .passUnretained(Self.emptyPrefix)
    scanner = CanonicalReader(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Passes the system fields.
  private mutating func begin() {
    guard withPrefix({ $0.scanner.systemFields(&$0.system, in: $1) }),
      scanner.take(",\"fields\":{")
    else { return fail() }
    start = scanner.position
    isAtEnd = scanner.take(0x7D)
  }

  /// Calls `body` with the start of the records of the zone and type.
  @inline(__always)
  mutating func withPrefix<R>(_ body: (inout RecordCursor, RecordPrefix) -> R) -> R {
    unmanagedPrefix._withUnsafeGuaranteedRef { body(&self, $0) }
  }

  // These and others are `mutating` because a getter would copy what it does not need.

  @inline(__always)
  var zoneID: ZoneID {
    mutating get { unmanagedPrefix._withUnsafeGuaranteedRef { $0.zoneID } }
  }

  @inline(__always)
  var prefixType: String {
    mutating get { unmanagedPrefix._withUnsafeGuaranteedRef { $0.recordType } }
  }

  /// Notes that the bytes are not canonical.
  mutating func fail() {
    isMalformed = true
    isAtEnd = true
  }

  /// Passes the rest of the bytes.
  ///
  /// - Returns: Whether all bytes of the record are canonical.
  mutating func finish() -> Bool {
    if isDecoded { return true }
    while !isAtEnd, !isMalformed { skipField() }
    guard !isMalformed, scanner.otherMembers(known: MemberNames.record), scanner.isAtLineEnd else {
      isMalformed = true
      return false
    }
    isFinished = true
    return true
  }
}

// MARK: - System fields

extension RecordCursor {
  var recordType: String {
    mutating get { isDecoded ? record?.recordType ?? "" : prefixType }
  }

  @inline(__always)
  var recordID: RecordID {
    mutating get {
      if isDecoded, let record { return record.recordID }
      return RecordID(packedName: scanner.compactName(system.name), zoneID: zoneID)
    }
  }

  @inline(__always)
  var changeTag: String? {
    mutating get {
      if isDecoded { return record?.recordChangeTag }
      guard system.hasChangeTag else { return nil }
      var scanner = scanner
      scanner.position = system.changeTag.lowerBound &- 1
      return scanner.textValue()
    }
  }

  @inline(__always)
  var creationDate: Date? {
    mutating get { isDecoded ? record?.creationDate : date(system.created) }
  }

  @inline(__always)
  var modificationDate: Date? {
    mutating get { isDecoded ? record?.modificationDate : date(system.modified) }
  }

  @inline(__always)
  var creator: RecordID? {
    mutating get { isDecoded ? record?.creatorUserRecordID : user(system.created.user) }
  }

  @inline(__always)
  var modifier: RecordID? {
    mutating get { isDecoded ? record?.lastModifiedUserRecordID : user(system.modified.user) }
  }

  @inline(__always)
  var parent: Reference? {
    mutating get { isDecoded ? record?.parent : reference(system.parent) }
  }

  @inline(__always)
  var share: Reference? {
    mutating get { isDecoded ? record?.share : reference(system.share) }
  }

  @inline(__always)
  private mutating func date(_ stamp: ScannedSystemFields.Stamp) -> Date? {
    if let milliseconds = stamp.milliseconds {
      return CanonicalDate.date(wholeMilliseconds: milliseconds)
    }
    guard !stamp.time.isEmpty else { return nil }
    var scanner = CanonicalReader(scanner.bytes(stamp.time))
    return scanner.dateValue()
  }

  @inline(__always)
  private mutating func user(_ user: ScannedName?) -> RecordID? {
    guard let user else { return nil }
    return RecordID(packedName: scanner.compactName(user), zoneID: .default)
  }

  @inline(__always)
  private mutating func reference(_ place: ScannedSystemFields.Link?) -> Reference? {
    switch place {
    case nil: return nil
    case .inZone(let name, let action):
      return Reference(
        recordID: RecordID(packedName: scanner.compactName(name), zoneID: zoneID), action: action)
    case .other(let range):
      var reader = CanonicalReader(scanner.bytes(range))
      return withPrefix { reader.referenceValue(in: $1) }
    }
  }
}

/// The system fields of canonical JSON, as far as they were read while they were skipped.
struct ScannedSystemFields {
  struct Stamp {
    /// The time if it is a whole number of milliseconds.
    var milliseconds: Int64?
    /// The text of any other time; empty if there is none.
    var time = 0..<0
    var user: ScannedName?
  }

  enum Link {
    case inZone(ScannedName, Reference.Action)
    /// The place of any other reference.
    case other(Range<Int>)
  }

  var name = ScannedName.text(0..<0)
  var changeTag = 0..<0
  var hasChangeTag = false
  var created = Stamp()
  var modified = Stamp()
  var parent: Link?
  var share: Link?
}

extension CanonicalReader {
  /// Skips the members from `,"recordChangeTag":…` to `,"share":…`.
  ///
  /// - Returns: False if they are not canonical.
  mutating func systemFields(_ fields: inout ScannedSystemFields, in prefix: RecordPrefix) -> Bool {
    if take(",\"recordChangeTag\":") {
      guard let tag = string() else { return false }
      (fields.changeTag, fields.hasChangeTag) = (tag, true)
    }
    var created = 0..<0
    if take(",\"created\":") {
      let start = position
      guard stamp(&fields.created) else { return false }
      created = start..<position
    }
    if take(",\"modified\":") {
      // The two are the same until a record is changed. An object tells where it ends, so the same
      // bytes are the same stamp.
      if !created.isEmpty, matches(bytes(created), at: position) {
        fields.modified = fields.created
        position &+= created.count
      } else {
        guard stamp(&fields.modified) else { return false }
      }
    }
    if take(",\"parent\":") {
      fields.parent = link(in: prefix)
      if fields.parent == nil { return false }
    }
    if take(",\"share\":") {
      fields.share = link(in: prefix)
      if fields.share == nil { return false }
    }
    return true
  }

  /// Skips a reference; nil if it is not canonical.
  @inline(__always)
  private mutating func link(in prefix: RecordPrefix) -> ScannedSystemFields.Link? {
    let start = position
    if let (name, action) = referenceInZone() { return .inZone(name, action) }
    position = start
    return reference(in: prefix) ? .other(start..<position) : nil
  }

  /// Skips a stamp.
  private mutating func stamp(_ stamp: inout ScannedSystemFields.Stamp) -> Bool {
    guard take(0x7B) else { return false }
    var isFirst = true
    if take("\"timestamp\":") {
      if let milliseconds = plainInteger() {
        stamp.milliseconds = Int64(milliseconds)
      } else {
        let start = position
        guard milliseconds() else { return false }
        stamp.time = start..<position
      }
      isFirst = false
    }
    let place = position
    if isFirst || take(0x2C), take("\"userRecordName\":\"") {
      stamp.user = userName()
      if stamp.user == nil { return false }
      isFirst = false
    } else {
      position = place
    }
    if take(0x7D) { return true }
    return text("\"deviceID\":", &isFirst)
      && otherMembers(known: MemberNames.stamp, isFirst: isFirst)
  }
}
