import RecordModel

import struct Foundation.Data

/// The items of responses with records, one or several in succession, in any dialect.
///
/// Supports, of CloudKit Web Services, `records/query`, `lookup`, `modify` and `changes`,
/// `zones/list` and `changes`, `changes/zone`, `subscriptions/list`, and `batch` wrappers around
/// them; of `cktool`, the output of `query-records` and `create-record`; of Canopy, encoded records
/// and the results that its replaying mocks hold. In each, also arrays of these, and single records.
public struct ResponseContents: Sendable {
  /// The items in the order of the responses.
  package let items: [ResponseItem]
  /// The tokens, and the zones of records and references.
  package let summary: ResponseSummary

  /// The maximum number of bytes to read: 64 MiB. Servers send at most 200 records per response.
  package static let maxSize = 64 << 20

  /// Reads responses.
  ///
  /// - Parameters:
  ///   - data: the responses, at most 64 MiB.
  ///   - dialect: the dialect of the responses.
  ///   - zoneID: the zone of records that do not name one, such as those of a response about a single
  ///     zone.
  /// - Throws: ``RecordCodingError`` with the byte offset and the path of the error.
  public init(
    _ data: Data, dialect: ResponseDialect = .webServices, zoneID: ZoneID = .default
  ) throws {
    guard data.count <= Self.maxSize else {
      throw RecordCodingError(
        .limitExceeded, found: "\(data.count) bytes",
        expected: "at most \(Self.maxSize) bytes; split the file")
    }
    let collector = ResponseCollector()
    let reader = dialect.reader(zoneID: zoneID, into: collector)
    // Records of the maximum size have fewer values.
    var limits = JSONParser.Limits()
    limits.nodes = 8_000_000
    do {
      try data.withUnsafeBytes { bytes in
        var parser = JSONParser(bytes, limits: limits)
        repeat {
          try reader.read(parser.separateValue())
        } while !parser.isAtEnd()
      }
    } catch let stop as ResponseCollector.Stop {
      throw stop.error
    }
    items = collector.items
    summary = collector.summary
  }

  /// Whether the server has more items, according to the last response.
  package var isIncomplete: Bool {
    summary.pages.last.map { $0.moreComing || $0.continuationMarker != nil } ?? false
  }

  private func all<T>(_ extract: (ResponseItem) -> T?) -> [T] { items.compactMap(extract) }

  /// The records in the order of the responses, including duplicates.
  public var records: [ResultRecord] {
    all { if case .record(let record) = $0 { record } else { nil } }
  }

  /// The deleted records.
  public var tombstones: [DeletedRecord] {
    all { if case .tombstone(let tombstone) = $0 { tombstone } else { nil } }
  }

  /// The zones in responses that list zones.
  public var zones: [RecordZone] {
    all { if case .zone(let zone) = $0 { zone } else { nil } }
  }

  /// The deleted zones.
  package var deletedZones: [ZoneID] {
    all { if case .deletedZone(let zoneID) = $0 { zoneID } else { nil } }
  }

  /// The subscriptions.
  public var subscriptions: [CloudSubscription] {
    all { if case .subscription(let subscription) = $0 { subscription } else { nil } }
  }

  /// The errors in place of records or zones.
  public var errors: [ResponseErrorItem] {
    all { if case .error(let error) = $0 { error } else { nil } }
  }

  /// The parts that could not be read.
  public var unread: [RecordCodingError] {
    all { if case .unread(let error) = $0 { error } else { nil } }
  }

  /// All zones, sorted by identity: those in lists, with the members that records add, and those of
  /// records.
  package var allZones: [RecordZone] {
    var known: [ZoneID: RecordZone] = [:]
    for zone in zones + summary.recordZones {
      guard var earlier = known[zone.zoneID] else {
        known[zone.zoneID] = zone
        continue
      }
      for member in zone.otherMembers { earlier.otherMembers.set(member.name, to: member.value) }
      known[zone.zoneID] = earlier
    }
    return known.values.sorted { $0.zoneID < $1.zoneID }
  }
}

/// The tokens and other members of a response, without its items.
package struct ResponsePage: Sendable, Hashable {
  /// The token for fetching later changes.
  package var syncToken: String?
  /// The token for fetching the next page of a query; nil on the last page.
  package var continuationMarker: String?
  /// Whether there are more changes to fetch.
  package var moreComing: Bool
  /// The zone, in a response with changes in several zones.
  package var zoneID: ZoneID?
  /// The JSON members that this model has no property for.
  package var otherMembers: OtherMembers
}

/// The tokens and zones of responses, without their items.
package struct ResponseSummary: Sendable {
  /// The pages: one for each response, and one for each zone in a response with changes in several
  /// zones.
  package let pages: [ResponsePage]
  /// The zones of the records, sorted, with the `zoneType` that the records contain.
  package let recordZones: [RecordZone]
  /// The zones of references, sorted.
  package let referencedZones: [RecordZone]
}

/// An item of a response.
package enum ResponseItem: Sendable, Hashable {
  /// A record.
  case record(ResultRecord)
  /// A deleted record.
  case tombstone(DeletedRecord)
  /// A zone in a response that lists zones.
  case zone(RecordZone)
  /// A deleted zone.
  case deletedZone(ZoneID)
  /// A subscription.
  case subscription(CloudSubscription)
  /// An error in place of a record, a zone or the whole response.
  case error(ResponseErrorItem)
  /// A part that could not be read: a field of a record, or an item. The rest of the response is read.
  case unread(RecordCodingError)
}

/// An error that a server sends in place of a record, zone or subscription.
///
/// Source: *CloudKit Web Services Reference*, "Record Fetch Error Dictionary".
public struct ResponseErrorItem: Sendable, Hashable, Error {
  /// The error code, message and retry delay.
  public var error: CloudError
  /// The server's error code, including codes that `CloudError.Code` does not have.
  @ExactText public var serverErrorCode: String? = nil
  /// The name of the record, if the error is about one.
  @ExactText public var recordName: String? = nil
  /// The zone, if the server sends one.
  public var zoneID: ZoneID?
  /// The other members, such as `uuid` and `redirectURL`.
  package var otherMembers: OtherMembers
}

extension ResponseErrorItem: CustomStringConvertible {
  /// The error, and the name of the record.
  public var description: String {
    recordName.map { "record '\($0)': \(error)" } ?? error.description
  }
}

extension ResponseErrorItem: JSONConvertible {
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "an error", context)
    error = try CloudError(&members)
    serverErrorCode = json["serverErrorCode"]?.string
    recordName = try members.value("recordName")
    zoneID = try members.value("zoneID")
    otherMembers = members.others()
  }

  package func jsonValue(in _: ZoneID) throws -> JSONValue {
    var members = JSONObjectWriter()
    members.add("recordName", recordName)
    try members.add("zoneID", zoneID)
    for member in try error.jsonValue().members ?? [] where member.name != "serverErrorCode" {
      members.add(member.name, member.value)
    }
    members.add("serverErrorCode", serverErrorCode ?? error.code.serverErrorCode)
    try members.add(otherMembers)
    return members.value
  }
}
