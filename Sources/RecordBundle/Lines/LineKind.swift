import RecordCoding

/// What a line of a bundle holds; the value of its first member, `kind`.
public enum LineKind: String, Sendable, Hashable, CaseIterable {
  /// The first line: what the bundle is, and the container's description.
  case header
  /// A record zone.
  case zone
  /// A subscription.
  case subscription
  /// A record.
  case record
  /// A record that was deleted.
  case tombstone
  /// A zone that was deleted.
  case zoneTombstone
  /// A piece of an asset's bytes.
  case asset
  /// The last line: what lies where, and the digests.
  case index

  private static let ranks = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

  /// The place of the kind in the order in which kinds follow each other in a bundle: that of the
  /// cases above.
  var rank: Int { Self.ranks[self] ?? 0 }

  /// `{"kind":"…"`: how lines of this kind begin.
  var opening: [UInt8] { Array("{\"kind\":\"\(rawValue)\"".utf8) }

  /// The kind of a line, however its members are ordered; nil where it has none that is known.
  static func anyKind(of line: UnsafeRawBufferPointer) -> LineKind? {
    if let kind = kind(of: line) { return kind }
    return (try? JSONParser.parse(line))?["kind"]?.string.flatMap(LineKind.init)
  }

  private static let openings = allCases.map { ($0, $0.opening) }

  /// The kind of a line, told by how it begins; nil where it begins otherwise.
  package static func kind(of line: UnsafeRawBufferPointer) -> LineKind? {
    // Nearly all lines are records.
    if line.starts(with: openings[3].1) { return .record }
    return openings.first { line.starts(with: $0.1) }?.0
  }
}
