import RecordCoding
import RecordModel

/// The kind of a bundle's line: the value of its first member, `kind`.
public enum LineKind: String, Sendable, Hashable, CaseIterable {
  /// The first line: format version and description of the container.
  case header
  /// A record zone.
  case zone
  /// A subscription.
  case subscription
  /// A record.
  case record
  /// A deleted record.
  case tombstone
  /// A deleted zone.
  case zoneTombstone
  /// A chunk of an asset's bytes.
  case asset
  /// The last line: sections, frames and digests.
  case index

  /// The position of the kind in the order of lines, which is that of the cases.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The name of such a line in messages.
  var noun: String {
    switch self {
    case .tombstone: "deleted record"
    case .zoneTombstone: "deleted zone"
    default: rawValue
    }
  }

  /// The beginning of lines of this kind: `{"kind":"…"`.
  var opening: [UInt8] { Array("{\"kind\":\"\(rawValue)\"".utf8) }

  /// Returns the kind of a line, whatever the order of its members; nil if it is unknown.
  static func anyKind(of line: UnsafeRawBufferPointer) -> LineKind? {
    if let kind = kind(of: line) { return kind }
    return (try? JSONParser.parse(line))?["kind"]?.string.flatMap(LineKind.init)
  }

  private static let openings = allCases.map { ($0, $0.opening) }

  /// Returns the kind of a line by its beginning; nil if the beginning does not decide it.
  package static func kind(of line: UnsafeRawBufferPointer) -> LineKind? {
    // Nearly all lines are records.
    if line.starts(with: openings[3].1) { return .record }
    return openings.first { line.starts(with: $0.1) }?.0
  }
}

/// The sort key of a line without its name: what orders it before the name does.
struct LineKey {
  var kind: LineKind
  /// The database; nil for assets.
  var database: DatabaseScope?
  /// The zone; nil for subscriptions and assets.
  var zoneID: ZoneID?
  /// The record type; nil for all but records.
  var recordType: String?

  /// Whether lines of both keys are ordered by their names.
  func isSame(as other: LineKey) -> Bool {
    kind == other.kind && database == other.database && zoneID == other.zoneID
      && Self.isSame(recordType, other.recordType)
  }

  fileprivate static func isSame(_ type: String?, _ other: String?) -> Bool {
    guard let type, let other else { return type == nil && other == nil }
    return type.sameScalars(as: other)
  }

  /// Whether lines of this key come before those of another in a bundle.
  func precedes(_ other: LineKey) -> Bool {
    if kind != other.kind { return kind.rank < other.kind.rank }
    if let database, let next = other.database, database != next { return database < next }
    if let zoneID, let next = other.zoneID, zoneID != next { return zoneID < next }
    return compareUTF8(recordType ?? "", other.recordType ?? "") < 0
  }

  /// The part that is empty although CloudKit requires it not to be.
  var emptyPart: String? {
    if recordType?.isEmpty == true { return "record type" }
    if zoneID?.zoneName.isEmpty == true { return "zone name" }
    return zoneID?.ownerName.isEmpty == true ? "owner of a zone" : nil
  }

  /// Returns a description of a line for messages; without a name, of all lines of the key.
  func description(of name: String? = nil) -> String {
    var text = kind.noun
    switch kind {
    case .zone, .zoneTombstone: text += zoneID.map { " '\($0)'" } ?? "s"
    default:
      text += name.map { " '\($0)'" } ?? "s"
      if let recordType { text += " of type '\(recordType)'" }
      if let zoneID { text += " in zone '\(zoneID)'" }
    }
    if let database { text += " of the \(database) database" }
    return text
  }
}

extension BundleSection {
  /// The key of the section's lines, but without the zone in sections of zones and zone tombstones.
  var key: LineKey {
    LineKey(kind: kind, database: database, zoneID: zoneID, recordType: recordType)
  }

  /// Whether a line with that key belongs to this section.
  @inline(__always)
  func contains(_ key: LineKey) -> Bool {
    kind == key.kind && database == key.database && (zoneID == nil || zoneID == key.zoneID)
      && LineKey.isSame(recordType, key.recordType)
  }
}

/// The location of a line, for errors.
struct LineLocation {
  let source: String
  /// The number of the line in the file, from 1; nil if it is unknown.
  var line: Int?

  func error(_ code: BundleError.Code, _ message: String) -> BundleError {
    BundleError(code, in: source, line: line, message)
  }

  /// Calls `body`, and adds the location to its errors.
  func naming<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as RecordCodingError {
      throw self.error(.malformed, error.description)
    }
  }
}
