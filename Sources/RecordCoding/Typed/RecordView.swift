import RecordModel

/// A record that a ``RecordDecodable`` type reads its properties from.
///
/// It is valid only in the initializer that receives it. The values of a record in a bundle are read
/// from its bytes, each once, without a dictionary of them.
///
/// Each method for a field returns nil if the record does not have the field, and throws
/// `TypedRecordError` if the field has another type, or if it is encrypted and
/// `isEncrypted` is false, or the other way round. Read fields in the order of the UTF-8 bytes of
/// their names where you can: in another order, bytes are read again.
public struct RecordView: ~Copyable {
  /// What the values are read from.
  enum Source {
    /// Canonical JSON.
    case bytes
    /// Decoded values.
    case record(ResultRecord)
  }

  let source: Source
  /// The Swift type, for errors.
  let type: any RecordDecodable.Type
  unowned(unsafe) let envelope: RecordEnvelope
  /// The users of the records before; nil if there are none.
  unowned(unsafe) let users: UserNames?
  var scanner: CanonicalScanner
  private(set) var system: SystemPlaces
  /// The place of the first field.
  private(set) var start: Int
  /// The place of the name of the field before the scanner's position; empty before the first.
  var lastName = 0..<0
  /// Whether all fields before the end of the record were passed.
  var isAtEnd = false
  /// Whether the bytes turned out not to be canonical: what was read does not count.
  var isMalformed = false
  /// Whether all bytes of the record were passed.
  private(set) var isFinished = false

  private static let emptyEnvelope = RecordEnvelope(zoneID: .default, recordType: "")

  /// A view of canonical JSON after its first brace; malformed if it does not begin so.
  ///
  /// - Parameter reader: It must live as long as the view.
  init(
    _ body: UnsafeRawBufferPointer, _ reader: RecordJSONReader, _ type: any RecordDecodable.Type
  ) {
    source = .bytes
    self.type = type
    users = reader.users
    scanner = CanonicalScanner(body)
    envelope = reader.opening(&scanner) ?? Self.emptyEnvelope
    system = SystemPlaces()
    isMalformed = envelope === Self.emptyEnvelope || body.count >= Int(UInt32.max)
    if !isMalformed, let name = scanner.stringRest(), !name.isEmpty {
      system.name = name
    } else {
      isMalformed = true
    }
    start = 0
    begin()
  }

  /// A view of a record that was checked.
  init(_ parts: RecordParts, _ type: any RecordDecodable.Type) {
    source = .bytes
    self.type = type
    users = nil
    envelope = parts.envelope
    scanner = CanonicalScanner(parts.body)
    scanner.position = parts.layout.systemFields.lowerBound
    system = SystemPlaces()
    system.name = parts.layout.recordName
    start = 0
    begin()
  }

  /// Passes the system fields.
  private mutating func begin() {
    guard !isMalformed, scanner.systemPlaces(&system, in: envelope), scanner.take(",\"fields\":{")
    else {
      isMalformed = true
      isAtEnd = true
      return
    }
    start = scanner.position
    isAtEnd = scanner.take(0x7D)
  }

  /// A view of decoded values.
  init(values record: ResultRecord, _ type: any RecordDecodable.Type) {
    source = .record(record)
    self.type = type
    users = nil
    envelope = Self.emptyEnvelope
    scanner = CanonicalScanner(UnsafeRawBufferPointer(start: nil, count: 0))
    system = SystemPlaces()
    start = 0
  }

  /// Calls `body` with a view of a record.
  @usableFromInline
  package static func with<R>(
    _ record: ResultRecord, _ type: any RecordDecodable.Type, _ body: (inout RecordView) throws -> R
  ) rethrows -> R {
    if let line = record.storage as? LineStorage {
      defer { withExtendedLifetime(line) {} }
      var view = RecordView(line.parts, type)
      let value = try body(&view)
      assert(!view.isMalformed, "the bytes were checked before")
      return value
    }
    var view = RecordView(values: record, type)
    return try body(&view)
  }

  /// Passes the rest of the bytes.
  ///
  /// - Returns: Whether all bytes of the record are canonical.
  @usableFromInline
  package mutating func finish() -> Bool {
    if case .record = source { return true }
    while !isAtEnd, !isMalformed { skipField() }
    guard !isMalformed, scanner.otherMembers(known: MemberNames.record),
      scanner.position == scanner.end
    else {
      isMalformed = true
      return false
    }
    isFinished = true
    return true
  }
}

extension RecordJSONReader {
  /// Calls `body` with a view of a record line of a bundle.
  ///
  /// What `body` reads, and an error that it throws, counts only if ``RecordView/finish()`` returns
  /// true behind it.
  ///
  /// - Returns: The database; nil if the line is not canonical.
  package func withView(
    ofLine line: UnsafeRawBufferPointer, _ type: any RecordDecodable.Type,
    _ body: (inout RecordView, DatabaseScope) throws -> Void
  ) throws -> DatabaseScope? {
    guard let (database, start) = RecordLine.opening(of: line) else { return nil }
    var view = RecordView(UnsafeRawBufferPointer(rebasing: line[start...]), self, type)
    guard !view.isMalformed else { return nil }
    do {
      try body(&view, database)
    } catch {
      guard view.isFinished || view.finish() else { return nil }
      throw error
    }
    return view.isFinished || view.finish() ? database : nil
  }
}
