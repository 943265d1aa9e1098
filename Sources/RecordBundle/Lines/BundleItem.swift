import RecordCoding
import RecordModel

/// The decoded content of a bundle's line.
public enum BundleItem: Sendable {
  /// A zone of a database.
  case zone(RecordZone, DatabaseScope)
  /// A subscription of a database.
  case subscription(CloudSubscription, DatabaseScope)
  /// A record of a database.
  case record(ResultRecord, DatabaseScope)
  /// A deleted record of a database.
  case tombstone(DeletedRecord, DatabaseScope)
  /// A deleted zone of a database.
  case zoneTombstone(DeletedZone, DatabaseScope)
  /// A chunk of an asset.
  case asset(AssetChunk)
}

extension BundleItem {
  /// Whether its line comes before the line of another item in a bundle.
  package func precedes(_ other: BundleItem) -> Bool {
    let (key, next) = (key, other.key)
    return key.isSame(as: next)
      ? compareUTF8(name ?? "", other.name ?? "") < 0 : key.precedes(next)
  }

  /// Parses a line; nil for a header or an index.
  init?(line: UnsafeRawBufferPointer, at place: LineLocation, with reader: RecordJSONReader) throws
  {
    if let (database, record) = reader.readCanonicalLine(line) {
      self = .record(record, database)
      return
    }
    // Other programs may order the members differently.
    let kind =
      try LineKind.kind(of: line)
      ?? place.naming {
        try JSONParser.parse(line)["kind"]?.string.flatMap(LineKind.init)
      }
    switch kind {
    case .header, .index: return nil
    case .asset: self = .asset(try AssetChunk(line: line, at: place))
    case let kind?: self = try place.naming { try Self.parse(line, kind) }
    case nil:
      let kinds = LineKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw place.error(.malformed, "the line has an unknown or no 'kind'; expected: \(kinds)")
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
    case .subscription: return .subscription(try CloudSubscription(json: content), database)
    case .tombstone: return .tombstone(try DeletedRecord(json: content), database)
    case .zoneTombstone: return .zoneTombstone(try DeletedZone(json: content), database)
    default: return .record(try ResultRecord(json: content), database)
    }
  }
}

extension BundleItem {
  /// The kind of the line.
  public var kind: LineKind { key.kind }

  /// The sort key of the line without its name.
  var key: LineKey {
    switch self {
    case .zone(let zone, let database):
      LineKey(kind: .zone, database: database, zoneID: zone.zoneID)
    case .subscription(_, let database): LineKey(kind: .subscription, database: database)
    case .record(let record, let database):
      LineKey(
        kind: .record, database: database, zoneID: record.recordID.zoneID,
        recordType: record.recordType)
    case .tombstone(let tombstone, let database):
      LineKey(kind: .tombstone, database: database, zoneID: tombstone.recordID.zoneID)
    case .zoneTombstone(let tombstone, let database):
      LineKey(kind: .zoneTombstone, database: database, zoneID: tombstone.zoneID)
    case .asset: LineKey(kind: .asset)
    }
  }

  /// The name by which the line is ordered; nil for zones and zone tombstones.
  var name: String? {
    switch self {
    case .zone, .zoneTombstone: nil
    case .subscription(let subscription, _): subscription.subscriptionID
    case .record(let record, _): record.recordID.recordName
    case .tombstone(let tombstone, _): tombstone.recordID.recordName
    case .asset(let chunk): chunk.sha256
    }
  }

  /// The zone that the line requires; nil for other lines.
  var requiredZone: ZoneID? {
    switch self {
    case .record(let record, _): record.recordID.zoneID
    case .tombstone(let tombstone, _): tombstone.recordID.zoneID
    case .subscription(let subscription, _): subscription.zoneID
    case .zone, .zoneTombstone, .asset: nil
    }
  }

  /// Appends the canonical line, without its line feed.
  func writeLine(to buffer: ByteBuffer, with writer: RecordJSONWriter = .init()) throws {
    let content: JSONValue
    switch self {
    case .record(let record, let database):
      return try writer.writeLine(record, database: database, to: buffer)
    case .asset(let chunk):
      return chunk.data.withUnsafeBytes {
        AssetChunk.writeLine(
          sha256: chunk.sha256, assetSize: chunk.assetSize, offset: chunk.offset, bytes: $0,
          to: buffer)
      }
    case .zone(let zone, _): content = try zone.jsonValue()
    case .subscription(let subscription, _): content = try subscription.jsonValue()
    case .tombstone(let tombstone, _): content = try tombstone.jsonValue()
    case .zoneTombstone(let tombstone, _): content = try tombstone.jsonValue()
    }
    var members: [JSONValue.Member] = [.init("kind", .string(kind.rawValue))]
    if let database = key.database { members.append(.init("database", .string(database.rawValue))) }
    JSONValue.object(members + (content.members ?? [])).write(to: buffer)
  }
}
