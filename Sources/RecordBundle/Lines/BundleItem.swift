import RecordCoding
import RecordModel

/// The decoded content of a bundle's line.
public enum BundleItem: Sendable {
  /// A zone of a database.
  case zone(RecordZone, DatabaseScope)
  /// A subscription of a database.
  case subscription(Subscription, DatabaseScope)
  /// A record of a database.
  case record(ResultRecord, DatabaseScope)
  /// A deleted record of a database.
  case tombstone(Tombstone, DatabaseScope)
  /// A deleted zone of a database.
  case zoneTombstone(ZoneID, DatabaseScope)
  /// A chunk of an asset.
  case asset(AssetChunk)
}

extension BundleItem {
  /// Parses a line; nil for a header or an index.
  init?(line: UnsafeRawBufferPointer, at place: LinePlace, with reader: RecordJSONReader) throws {
    if let (database, record) = reader.readCanonicalLine(line) {
      self = .record(record, database)
      return
    }
    switch LineKind.kind(of: line) {
    case .asset: self = .asset(try AssetChunk(line: line, at: place))
    case .header, .index: return nil
    case let kind?:
      self = try place.naming { try Self.parse(line, kind) }
    case nil:
      // Other programs may order the members differently.
      let json = try place.naming { try JSONParser.parse(line) }
      guard let kind = json["kind"]?.string.flatMap(LineKind.init) else {
        let kinds = LineKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw place.error(.malformed, "the line has no known 'kind'; known are \(kinds)")
      }
      switch kind {
      case .header, .index: return nil
      case .asset: self = .asset(try AssetChunk(line: line, at: place))
      default: self = try place.naming { try Self.parse(line, kind) }
      }
    }
  }

  private static func parse(_ line: UnsafeRawBufferPointer, _ kind: LineKind) throws -> BundleItem {
    let json = try JSONParser.parse(line)
    guard let name = json["database"]?.string, let database = DatabaseScope(rawValue: name) else {
      throw RecordCodingError(
        offset: json["database"]?.offset, path: "database",
        found: json["database"]?.kind ?? "nothing", expected: "public, private or shared")
    }
    let content = json.dropping(["kind", "database"])
    switch kind {
    case .zone: return .zone(try RecordZone(json: content), database)
    case .subscription: return .subscription(try Subscription(json: content), database)
    case .tombstone: return .tombstone(try Tombstone(json: content), database)
    case .zoneTombstone:
      guard let zone = content["zoneID"] else {
        throw RecordCodingError(path: "zoneID", found: "nothing", expected: "a zone's identity")
      }
      return .zoneTombstone(try ZoneID(json: zone), database)
    default: return .record(try ResultRecord(json: content), database)
    }
  }
}

extension BundleItem {
  /// Returns a line of the members that follow `kind` and `database`.
  static func line(
    of kind: LineKind, _ database: DatabaseScope?, _ content: JSONValue
  ) -> JSONValue {
    var members: [JSONValue.Member] = [.init("kind", .string(kind.rawValue))]
    if let database { members.append(.init("database", .string(database.rawValue))) }
    members += content.members ?? []
    return .object(members)
  }

  /// Appends the canonical line, without its line feed.
  func writeLine(to buffer: ByteBuffer) throws {
    switch self {
    case .record(let record, let database):
      try RecordJSONWriter().writeLine(record, database: database, to: buffer)
    case .asset(let chunk):
      chunk.data.withUnsafeBytes {
        AssetChunk.writeLine(
          sha256: chunk.sha256, assetSize: chunk.assetSize, offset: chunk.offset, bytes: $0,
          to: buffer)
      }
    case .zone(let zone, let database):
      Self.line(of: .zone, database, try zone.jsonValue()).write(to: buffer)
    case .subscription(let subscription, let database):
      Self.line(of: .subscription, database, try subscription.jsonValue()).write(to: buffer)
    case .tombstone(let tombstone, let database):
      Self.line(of: .tombstone, database, try tombstone.jsonValue()).write(to: buffer)
    case .zoneTombstone(let zoneID, let database):
      Self.line(of: .zoneTombstone, database, .object([.init("zoneID", zoneID.jsonValue())]))
        .write(to: buffer)
    }
  }
}
