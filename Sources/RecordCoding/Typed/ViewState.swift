import RecordModel

/// What a ``RecordView`` reads from, and how far.
///
/// It is behind a pointer: a view with these members would be copied by each of its getters.
struct ViewState {
  /// The decoded values; nil if the values are read from canonical JSON.
  let record: ResultRecord?
  /// Whether the values are decoded. Asking ``record`` would copy it.
  let isDecoded: Bool
  /// The Swift type, for errors.
  let type: any RecordDecodable.Type
  private var unmanagedEnvelope: Unmanaged<RecordEnvelope>
  var scanner: CanonicalScanner
  var system = SystemPlaces()
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

  private static let emptyEnvelope = RecordEnvelope(zoneID: .default, recordType: "")

  /// Reads records of lines, each from where ``begin(at:in:)`` is told.
  init(lines: UnsafeRawBufferPointer, _ type: any RecordDecodable.Type) {
    record = nil
    isDecoded = false
    self.type = type
    unmanagedEnvelope = .passUnretained(Self.emptyEnvelope)
    scanner = CanonicalScanner(lines)
  }

  /// Begins to read the canonical JSON of a record.
  ///
  /// - Parameters:
  ///   - place: The place after the quote before the record's name.
  ///   - envelope: It must live as long as the record is read.
  @inline(__always)
  mutating func begin(at place: Int, in envelope: Unmanaged<RecordEnvelope>) {
    unmanagedEnvelope = envelope
    scanner.position = place
    system = SystemPlaces()
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
    unmanagedEnvelope = .passUnretained(parts.envelope)
    scanner = CanonicalScanner(parts.body)
    scanner.position = parts.layout.systemFields.lowerBound
    system.name = .text(parts.layout.recordName)
    begin()
  }

  /// Reads decoded values.
  init(values record: ResultRecord, _ type: any RecordDecodable.Type) {
    self.record = record
    isDecoded = true
    self.type = type
    unmanagedEnvelope = .passUnretained(Self.emptyEnvelope)
    scanner = CanonicalScanner(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Passes the system fields.
  private mutating func begin() {
    guard withEnvelope({ $0.scanner.systemPlaces(&$0.system, in: $1) }),
      scanner.take(",\"fields\":{")
    else { return fail() }
    start = scanner.position
    isAtEnd = scanner.take(0x7D)
  }

  /// Calls `body` with the start of the records of the zone and type.
  @inline(__always)
  mutating func withEnvelope<R>(_ body: (inout ViewState, RecordEnvelope) -> R) -> R {
    unmanagedEnvelope._withUnsafeGuaranteedRef { body(&self, $0) }
  }

  // These and others are `mutating` because a getter would copy what it does not need.

  @inline(__always)
  var zoneID: ZoneID {
    mutating get { unmanagedEnvelope._withUnsafeGuaranteedRef { $0.zoneID } }
  }

  @inline(__always)
  var envelopeType: String {
    mutating get { unmanagedEnvelope._withUnsafeGuaranteedRef { $0.recordType } }
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
