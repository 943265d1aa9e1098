import RecordModel

/// Reads what `cktool` prints: the records of a query, the results of a lookup, single records, and
/// arrays of these.
///
/// No complete output of cktool is public. What has another form than expected is reported as
/// ``ResponseItem/unread(_:)``, and the rest is read.
struct CKToolReader: DialectReader {
  /// The zone of records that do not name one.
  let zoneID: ZoneID
  let sink: ResponseSink

  private static let names = ResponseOutline.Names(
    items: ["records", "recordResults"], single: ["recordName", "errorCode", "record"],
    continuation: "continuationToken", sync: "changeToken")

  /// Extends the path of an error by the place of an item.
  private typealias Place = (RecordCodingError) -> RecordCodingError

  func read(_ parser: inout JSONParser) throws(RecordCodingError) {
    guard parser.peek() == UInt8(ascii: "[") else { return try response(&parser) }
    try parser.forEachElement { (_, parser) throws(RecordCodingError) in try response(&parser) }
  }

  private func response(_ parser: inout JSONParser) throws(RecordCodingError) {
    guard parser.peek() == UInt8(ascii: "{") else {
      throw parser.error(expected: "what cktool prints: an object, or an array of them")
    }
    var start = parser
    let outline = try ResponseOutline(&parser, Self.names)
    if outline.hasItems {
      for name in Self.names.items {
        try outline.read(name) { (parser) throws(RecordCodingError) in
          try parser.forEachElement { (index, parser) throws(RecordCodingError) in
            try item(&parser) { $0.inside(element: index).inside(member: name) }
          }
        }
      }
      sink.add(try outline.page(zoneID: nil))
    } else if Self.names.single.contains(where: outline.has) {
      try item(&start) { $0 }
    } else if outline.isPage {
      sink.add(try outline.page(zoneID: nil))
    } else {
      throw start.error(
        found: "an object without 'records', 'recordResults' or 'recordName'",
        expected: "what cktool prints, or a record")
    }
  }

  /// Reads a record, or the result of looking one up.
  private func item(_ parser: inout JSONParser, _ place: Place) throws(RecordCodingError) {
    let json = try parser.tree()
    if let record = json["record"], !record.isNull {
      return try read(record) { place($0.inside(member: "record")) }
    }
    let context = MappingContext(zoneID: zoneID, zones: sink.zones)
    if json["errorCode"]?.isNull == false {
      try sink.emit(
        { () throws(RecordCodingError) in
          .error(try ResponseErrorItem(json: CKToolNames.error.webServices(json)))
        }, place: place)
    } else if json["recordType"] == nil, let type = json["type"]?.string {
      try sink.emit(
        { () throws(RecordCodingError) in
          guard type.lowercased().contains("delet") else {
            throw RecordCodingError(
              offset: json.offset, found: "a result of type \(RecordCodingError.quoted(type))",
              expected: "a record, an error or a deleted record")
          }
          return .tombstone(
            try Tombstone(
              json: CKToolNames.record.webServices(json).dropping(["type"]), context))
        }, place: place)
    } else {
      try read(json, place)
    }
  }

  private func read(_ json: JSONValue, _ place: Place) throws(RecordCodingError) {
    var decoder = CKToolDecoder(context: MappingContext(zoneID: zoneID, zones: sink.zones))
    var record: ResultRecord?
    do throws(RecordCodingError) {
      record = try decoder.record(json)
    } catch {
      decoder.unread.append(error)
    }
    for error in decoder.unread { try sink.emit(.unread(place(error))) }
    if let record { try sink.emit(.record(record)) }
  }
}
