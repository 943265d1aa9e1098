import RecordModel

/// Reads responses of CloudKit Web Services, one or several in succession.
///
/// Supports `records/query`, `lookup`, `modify` and `changes`, `zones/list` and `changes`,
/// `changes/zone`, `subscriptions/list`, `batch` wrappers around them, arrays of records, and
/// single records.
///
/// Items are read one by one: beside what `body` keeps, memory is that of one item.
///
/// ```swift
/// let summary = try data.withUnsafeBytes { bytes in
///   try WebServicesReader().read(bytes) { item in
///     if case .record(let record) = item { print(record) }
///   }
/// }
/// if summary.isIncomplete { print("There are more records on the server.") }
/// ```
public struct WebServicesReader: Sendable {
  /// The zone of records that do not name one, such as those of a response about a single zone.
  public var zoneID: ZoneID
  /// The maximum number of bytes to read at once: 64 MiB. Servers send at most 200 records per
  /// response.
  public var maximumSize = 64 << 20

  /// Creates a reader.
  public init(zoneID: ZoneID = .default) {
    self.zoneID = zoneID
  }

  /// Calls `body` with each item, in order.
  ///
  /// - Throws: ``RecordCodingError`` with the byte offset and the path of invalid input; errors of
  ///   `body`.
  public func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (WebServicesItem) throws -> Void
  ) throws -> WebServicesSummary {
    guard bytes.count <= maximumSize else {
      throw RecordCodingError(
        found: "\(bytes.count) bytes",
        expected: "at most \(maximumSize) bytes of responses at once; split the file")
    }
    return try withoutActuallyEscaping(body) { body in
      let walk = WebServicesWalk(zoneID: zoneID, body: body)
      do throws(RecordCodingError) {
        return try walk.read(bytes)
      } catch {
        throw walk.failure ?? error
      }
    }
  }
}

/// The state of reading responses.
final class WebServicesWalk {
  private let zoneID: ZoneID
  private let body: (WebServicesItem) throws -> Void
  private let zones = ZoneCollector()
  private var pages: [WebServicesPage] = []
  /// The error that `body` threw.
  private(set) var failure: (any Error)?

  init(zoneID: ZoneID, body: @escaping (WebServicesItem) throws -> Void) {
    self.zoneID = zoneID
    self.body = body
  }

  func read(_ bytes: UnsafeRawBufferPointer) throws(RecordCodingError) -> WebServicesSummary {
    var parser = JSONParser(bytes)
    repeat {
      try responses(&parser, zoneID)
    } while !parser.isAtEnd()
    var summary = WebServicesSummary()
    summary.pages = pages
    summary.recordZones = zones.zones(zones.recordZones)
    summary.referencedZones = zones.zones(zones.referencedZones)
    return summary
  }

  private func emit(_ item: WebServicesItem) throws(RecordCodingError) {
    do {
      try body(item)
    } catch {
      failure = error
      throw RecordCodingError(found: "an item that was refused", expected: "none")
    }
  }

  /// Reads a response or an array of responses.
  private func responses(_ parser: inout JSONParser, _ zoneID: ZoneID) throws(RecordCodingError) {
    guard parser.peek() == UInt8(ascii: "[") else { return try response(&parser, zoneID) }
    try parser.forEachElement { (_, parser) throws(RecordCodingError) in
      try response(&parser, zoneID)
    }
  }

  private func response(_ parser: inout JSONParser, _ zoneID: ZoneID) throws(RecordCodingError) {
    guard parser.peek() == UInt8(ascii: "{") else {
      throw parser.error(expected: "a response of Web Services: an object, or an array of them")
    }
    let start = parser
    let outline = try WebServicesOutline(&parser)
    if outline.has("batch") {
      return try outline.read("batch") { (parser) throws(RecordCodingError) in
        try responses(&parser, zoneID)
      }
    }
    if outline.isContainer {
      return try container(outline, zoneID, isZone: false)
    }
    var item = start
    if outline.has("recordName") || outline.has("serverErrorCode") {
      try record(&item, zoneID)
    } else if outline.has("zoneID") {
      try zone(&item)
    } else if !outline.isPage {
      throw start.error(
        found: "an object without 'records', 'zones', 'batch' or 'recordName'",
        expected: "a response of Web Services, or a record")
    } else {
      pages.append(try outline.page(zoneID: nil))
    }
  }

  /// Reads an object that contains records, zones or subscriptions.
  private func container(
    _ outline: WebServicesOutline, _ zoneID: ZoneID, isZone: Bool
  ) throws(RecordCodingError) {
    try outline.readElements("zones") { (parser) throws(RecordCodingError) in
      try self.zone(&parser)
    }
    try outline.readElements("records") { (parser) throws(RecordCodingError) in
      try self.record(&parser, zoneID)
    }
    try outline.readElements("subscriptions") { (parser) throws(RecordCodingError) in
      let json = try parser.tree()
      try self.emit(
        json["serverErrorCode"] == nil
          ? .subscription(Subscription(json: json)) : .error(WebServicesErrorItem(json: json)))
    }
    pages.append(try outline.page(zoneID: isZone ? zoneID : nil))
  }

  private func record(_ parser: inout JSONParser, _ zoneID: ZoneID) throws(RecordCodingError) {
    let json = try parser.tree()
    let context = MappingContext(zoneID: zoneID, zones: zones)
    if json["serverErrorCode"]?.isNull == false {
      try emit(.error(try WebServicesErrorItem(json: json)))
    } else if json["deleted"]?.bool == true {
      try emit(.tombstone(try Tombstone(json: json, context)))
    } else {
      try emit(.record(try ResultRecord(json: json, context)))
    }
  }

  /// Reads a zone in a list, or the changes in a zone.
  private func zone(_ parser: inout JSONParser) throws(RecordCodingError) {
    var start = parser
    let outline = try WebServicesOutline(&parser)
    if outline.has("records") {
      var identity: (zoneID: ZoneID, others: OtherMembers)?
      try outline.read("zoneID") { (parser) throws(RecordCodingError) in
        identity = try ZoneID.read(try parser.tree())
      }
      guard let identity else {
        throw start.error(found: "a zone without 'zoneID'", expected: "the member 'zoneID'")
      }
      let zoneID = zones.shared(identity.zoneID)
      zones.noteRecord(in: zoneID, identity.others)
      return try container(outline, zoneID, isZone: true)
    }
    let json = try start.tree()
    if json["serverErrorCode"]?.isNull == false {
      try emit(.error(try WebServicesErrorItem(json: json)))
    } else if json["deleted"]?.bool == true {
      try emit(.deletedZone(try RecordZone(json: json).zoneID))
    } else {
      try emit(.zone(try RecordZone(json: json)))
    }
  }
}
