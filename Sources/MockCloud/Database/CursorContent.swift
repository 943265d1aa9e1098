import CloudInterface
import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// The content of a query's cursor: the query, the last record that was returned, the time, and the
/// database that made the cursor.
///
/// Its data is a mark, the XXH64 of the rest, and JSON.
struct CursorContent {
  var container: String?
  var environment: String?
  var database: DatabaseKey
  /// The time at which the cursor was made.
  var date: Date
  var query: RecordQuery
  var zoneID: ZoneID?
  var after: QueryPosition
}

extension CursorContent {
  private static let mark = Data("RPquery1".utf8)

  func cursor() throws -> QueryCursor {
    var members = JSONObjectWriter()
    members.add("container", container)
    members.add("environment", environment)
    members.add("scope", database.scope.rawValue)
    members.add("account", database.account)
    members.add("date", String(date.timeIntervalSinceReferenceDate.bitPattern))
    try members.add("query", query)
    try members.add("zone", zoneID)
    try members.add("record", after.recordID)
    try members.add("keys", after.keys.map { Data($0.bytes) })
    let json = members.value.compactData
    return QueryCursor(data: Self.mark + Self.checksum(of: json) + json)
  }

  private static func checksum(of json: Data) -> Data {
    let hash = json.withUnsafeBytes { XXH64.hash($0) }
    return Data((0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt64($0))) })
  }

  /// Reads a cursor.
  ///
  /// - Throws: `invalidArguments` for data that no database has made, or that was changed.
  init(_ cursor: QueryCursor) throws(CloudError) {
    let data = Data(cursor.data)
    guard data.starts(with: Self.mark) else {
      throw CloudError(.invalidArguments, "the query cursor was made by another server")
    }
    let json = Data(data.dropFirst(16))
    guard data.count >= 16, data[8..<16] == Self.checksum(of: json),
      let content = try? CursorContent(json: json)
    else { throw CloudError(.invalidArguments, "the query cursor is damaged") }
    self = content
  }

  private init?(json: Data) throws {
    var members = try JSONObjectReader(
      json.withUnsafeBytes { try JSONParser.parse($0) }, "a query cursor")
    container = try members.value("container")
    environment = try members.value("environment")
    guard let scope = DatabaseScope(rawValue: try members.required("scope")),
      let date = UInt64(try members.required("date", String.self))
    else { return nil }
    database = DatabaseKey(scope: scope, account: try members.value("account"))
    self.date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: date))
    query = try members.required("query")
    zoneID = try members.value("zone")
    after = QueryPosition(
      keys: try members.required("keys", [Data].self).map { IndexKey(bytes: Array($0)) },
      recordID: try members.required("record"))
    guard query.sort.count == after.keys.count else { return nil }
  }
}
