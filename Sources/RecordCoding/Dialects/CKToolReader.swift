import RecordModel

/// Reads the output of `cktool`: the records of a query, the results of a lookup, single records, and
/// arrays of these.
///
/// No complete output of cktool is public. A part that has another form than expected is reported as
/// ``ResponseItem/unread(_:)``, and the rest is read.
struct CKToolReader: DialectReader {
  /// The zone of records that do not name one.
  let zoneID: ZoneID
  let collector: ResponseCollector

  private static let names = ResponseNames(
    items: ["records", "recordResults"], single: ["recordName", "errorCode", "record"],
    continuation: "continuationToken", sync: "changeToken")

  func read(_ json: JSONValue) throws {
    try json.forEachObject("output of cktool", response)
  }

  private func response(_ json: JSONValue) throws {
    if Self.names.hasItems(json) {
      for name in Self.names.items {
        try json.forEachElement(of: name) { index, json in
          try item(json, ResponsePath().member(name).element(index))
        }
      }
      collector.add(try Self.names.page(json))
    } else if Self.names.isItem(json) {
      try item(json, ResponsePath())
    } else if Self.names.isPage(json) {
      collector.add(try Self.names.page(json))
    } else {
      throw json.error(
        found: "an object without 'records', 'recordResults' or 'recordName'",
        expected: "output of cktool, or a record")
    }
  }

  /// Reads a record, or the result of looking one up.
  private func item(_ json: JSONValue, _ path: ResponsePath) throws {
    let context = DecodingContext(zoneID: zoneID, zones: collector.zones)
    // A record may have unknown members of any name.
    if json["recordType"] != nil, json["fields"] != nil {
      try read(json, context, path)
    } else if let record = json["record"], !record.isNull {
      try read(record, context, path.member("record"))
    } else if json["errorCode"]?.isNull == false {
      try collector.collectingErrors(at: path) {
        let error = try CKToolNames.error.webServices(json)
        collector.add(.error(try ResponseErrorItem(json: error)))
      }
    } else if json["recordType"] == nil, let type = json["type"]?.string {
      try collector.collectingErrors(at: path) {
        guard type.lowercased().contains("delet") else {
          throw json.error(
            found: "a result of type \(RecordCodingError.quoted(type))",
            expected: "a record, an error or a deleted record")
        }
        let renamed = try CKToolNames.record.webServices(json).dropping(["type"])
        collector.add(.tombstone(try DeletedRecord(json: renamed, context)))
      }
    } else {
      try read(json, context, path)
    }
  }

  private func read(_ json: JSONValue, _ context: DecodingContext, _ path: ResponsePath) throws {
    var decoder = CKToolDecoder(context: context)
    var record: ResultRecord?
    do {
      record = try decoder.record(json)
    } catch let error as RecordCodingError {
      decoder.unread.append(error)
    }
    for error in decoder.unread { try collector.add(unread: path.extending(error)) }
    if let record { collector.add(.record(record)) }
  }
}

/// The members that `cktool` has under other names than Web Services. All others have the same.
///
/// Source: the documentation of CKTool JS (`CKDBRecord`, `CKDBRecordReference`, `CKDBAsset`,
/// `CKDBChangeMetadata`, `CKDBErrorRecordResult`).
struct CKToolNames: Sendable {
  private let pairs: [(cktool: String, webServices: String)]

  static let record = Self(pairs: [("zone", "zoneID"), ("shortGuid", "shortGUID")])
  static let reference = Self(pairs: [("zone", "zoneID")])
  static let asset = Self(pairs: [("downloadUrl", "downloadURL")])
  static let stamp = Self(pairs: [("deviceId", "deviceID")])
  static let error = Self(pairs: [("errorCode", "serverErrorCode"), ("message", "reason")])

  /// Returns an object of cktool with the names of Web Services; other values unchanged.
  ///
  /// - Throws: ``RecordCodingError`` for an object that has a member under both names.
  func webServices(_ json: JSONValue) throws -> JSONValue {
    guard let members = json.members else { return json }
    let renamed = try members.map { member in
      guard let pair = pairs.first(where: { $0.cktool.sameScalars(as: member.name) }) else {
        return member
      }
      guard json[pair.webServices] == nil else {
        throw member.value.error(
          found: "'\(pair.cktool)' beside '\(pair.webServices)'", expected: "one of them"
        ).inside(member: pair.cktool)
      }
      return JSONValue.Member(pair.webServices, member.value)
    }
    return JSONValue(.object(renamed), offset: json.offset)
  }
}

/// The `type` of a field in cktool's dialect: `stringType`, `int64ListType`.
enum CKToolType {
  private static let ending = "Type"
  private static let encrypted = "encrypted"

  /// Returns the name of Web Services for a tag, or the tag itself if it is not known.
  ///
  /// No source has the tags of encrypted fields; `encryptedStringType` is read as one, after the
  /// name of the class `CKDBRecordFieldEncryptedStringValue`.
  static func webServicesName(of tag: String) -> String {
    guard tag.hasSuffix(ending), tag.utf8.allSatisfy({ $0 < 0x80 }) else { return tag }
    var name = tag.dropLast(ending.count)
    let isEncrypted = name.hasPrefix(encrypted)
    if isEncrypted { name = name.dropFirst(encrypted.count) }
    var words = ""
    for character in name {
      if character.isUppercase, !words.isEmpty { words.append("_") }
      words += character.uppercased()
    }
    guard FieldType(spelling: words).type != nil else { return tag }
    return isEncrypted ? FieldType.encryptedPrefix + words : words
  }
}
