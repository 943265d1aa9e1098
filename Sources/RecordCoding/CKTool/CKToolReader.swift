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

  func read(_ parser: inout JSONParser) throws {
    try parser.forEachObject("output of cktool", response)
  }

  private func response(_ parser: inout JSONParser) throws {
    var start = parser
    let outline = try ResponseOutline(&parser, Self.names)
    if outline.hasItems {
      for name in Self.names.items {
        try outline.readElements(name) { index, parser in
          try item(&parser, ResponsePath().member(name).element(index))
        }
      }
      sink.add(try outline.page(zoneID: nil))
    } else if Self.names.single.contains(where: outline.has) {
      try item(&start, ResponsePath())
    } else if outline.isPage {
      sink.add(try outline.page(zoneID: nil))
    } else {
      throw start.error(
        found: "an object without 'records', 'recordResults' or 'recordName'",
        expected: "output of cktool, or a record")
    }
  }

  /// Reads a record, or the result of looking one up.
  private func item(_ parser: inout JSONParser, _ path: ResponsePath) throws {
    let json = try parser.separateValue()
    let context = MappingContext(zoneID: zoneID, zones: sink.zones)
    // A record may have unknown members of any name.
    if json["recordType"] != nil, json["fields"] != nil {
      try read(json, context, path)
    } else if let record = json["record"], !record.isNull {
      try read(record, context, path.member("record"))
    } else if json["errorCode"]?.isNull == false {
      try sink.emittingErrors(at: path) {
        try sink.emit(.error(ResponseErrorItem(json: CKToolNames.error.webServices(json))))
      }
    } else if json["recordType"] == nil, let type = json["type"]?.string {
      try sink.emittingErrors(at: path) {
        guard type.lowercased().contains("delet") else {
          throw json.error(
            found: "a result of type \(RecordCodingError.quoted(type))",
            expected: "a record, an error or a deleted record")
        }
        let renamed = try CKToolNames.record.webServices(json).dropping(["type"])
        try sink.emit(.tombstone(DeletedRecord(json: renamed, context)))
      }
    } else {
      try read(json, context, path)
    }
  }

  private func read(_ json: JSONValue, _ context: MappingContext, _ path: ResponsePath) throws {
    var decoder = CKToolDecoder(context: context)
    var record: ResultRecord?
    do {
      record = try decoder.record(json)
    } catch let error as RecordCodingError {
      decoder.unread.append(error)
    }
    for error in decoder.unread { try sink.emit(.unread(path.extending(error))) }
    if let record { try sink.emit(.record(record)) }
  }
}
