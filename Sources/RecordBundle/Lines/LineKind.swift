import RecordCoding

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

  /// Returns the kind of a line, judged by its beginning; nil if that does not tell.
  package static func kind(of line: UnsafeRawBufferPointer) -> LineKind? {
    // Nearly all lines are records.
    if line.starts(with: openings[3].1) { return .record }
    return openings.first { line.starts(with: $0.1) }?.0
  }
}
