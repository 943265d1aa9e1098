import CloudInterface
import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// What a query's cursor has: the query, the last record that was returned, the time, and the
/// database that made it.
///
/// Its data is a mark, the XXH64 of the rest, and JSON.
struct CursorContent {
  var container: String?
  var environment: String?
  var database: DatabaseKey
  /// When the cursor was made.
  var date: Date
  var query: RecordQuery
  var zoneID: ZoneID?
  var after: QueryPosition

  init(
    container: String?, environment: String?, database: DatabaseKey, date: Date,
    query: RecordQuery, zoneID: ZoneID?, after: QueryPosition
  ) {
    (self.container, self.environment, self.database) = (container, environment, database)
    (self.date, self.query, self.zoneID, self.after) = (date, query, zoneID, after)
  }

  private static let mark = Array("RPquery1".utf8)

  // MARK: Writing

  func cursor() throws -> QueryCursor {
    var members = [
      JSONValue.Member("scope", .string(database.scope.rawValue)),
      .init("date", .string(String(date.timeIntervalSinceReferenceDate.bitPattern))),
      .init("query", try query.jsonValue(in: .default)),
      .init("record", after.recordID.jsonValue(in: .default)),
      .init(
        "keys", .array(after.keys.map { .string(Data($0.bytes).base64EncodedString()) })),
    ]
    if let container { members.append(.init("container", .string(container))) }
    if let environment { members.append(.init("environment", .string(environment))) }
    if let account = database.account { members.append(.init("account", .string(account))) }
    if let zoneID { members.append(.init("zone", zoneID.jsonValue())) }
    let json = JSONValue.object(members).compactData
    var data = Data(capacity: 16 + json.count)
    data.append(contentsOf: Self.mark)
    data.append(contentsOf: Self.checksum(of: json))
    data.append(json)
    return QueryCursor(data: data)
  }

  private static func checksum(of json: Data) -> [UInt8] {
    let hash = json.withUnsafeBytes { XXH64.hash($0) }
    return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt64($0))) }
  }

  // MARK: Reading

  /// Reads a cursor.
  ///
  /// - Throws: `invalidArguments` for data that no database has made, or that was changed.
  init(_ cursor: QueryCursor) throws(CloudError) {
    let data = Array(cursor.data)
    guard data.starts(with: Self.mark) else {
      throw CloudError(.invalidArguments, "the query cursor was made by another server")
    }
    let json = Data(data.dropFirst(16))
    guard data.count >= 16, Array(data[8..<16]) == Self.checksum(of: json),
      let content = try? Self.read(json)
    else { throw CloudError(.invalidArguments, "the query cursor is damaged") }
    self = content
  }

  private static func read(_ data: Data) throws -> CursorContent? {
    let json = try data.withUnsafeBytes { try JSONParser.parse($0) }
    guard let scope = json["scope"]?.string.flatMap(DatabaseScope.init(rawValue:)),
      let bits = json["date"]?.string.flatMap(UInt64.init), let query = json["query"],
      let record = json["record"], let keys = json["keys"]?.elements
    else { return nil }
    let context = MappingContext(zoneID: .default)
    let position = QueryPosition(
      keys: keys.compactMap { $0.string.flatMap { Data(base64Encoded: $0) } }
        .map { IndexKey(bytes: Array($0)) },
      recordID: try RecordID(json: record, context))
    let content = CursorContent(
      container: json["container"]?.string, environment: json["environment"]?.string,
      database: DatabaseKey(scope: scope, account: json["account"]?.string),
      date: Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)),
      query: try RecordQuery(json: query, context),
      zoneID: try json["zone"].map { try ZoneID(json: $0, context) }, after: position)
    return content.query.sort.count == position.keys.count ? content : nil
  }
}
