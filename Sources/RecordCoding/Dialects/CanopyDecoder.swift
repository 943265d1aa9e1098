import RecordModel

import struct Foundation.Data
import struct Foundation.Date

/// Decodes records and deletions of Canopy, and collects them.
struct CanopyDecoder {
  let collector: ResponseCollector
  let budget: ArchiveBudget
  let path: ResponsePath

  // MARK: Records

  /// Reads a record with the kind of its backing value.
  func item(_ json: JSONValue) throws {
    var members = try JSONObjectReader(json, "a record")
    let isMock = try members.require("type") { type in
      guard let name = type.string, ["mock", "ckRecord"].contains(name) else {
        throw type.error(found: type.shown, expected: "\"mock\" or \"ckRecord\"")
      }
      return name == "mock"
    }
    try members.require("backingValue") { value in
      let inner = CanopyDecoder(
        collector: collector, budget: budget, path: path.member("backingValue"))
      try isMock ? inner.mock(value) : inner.add(CanopyArchive.record(value), value)
    }
  }

  /// Reads the backing value of a mock record.
  func mock(_ json: JSONValue) throws {
    var members = try JSONObjectReader(json, "a record")
    let recordID = try members.require("recordID", CanopyArchive.recordID)
    func user(_ name: String) throws -> String? {
      try members.read(name, CanopyArchive.recordID)?.recordName
    }
    var systemFields = SystemFields(
      recordID: recordID, recordType: try members.requiredName("recordType"),
      recordChangeTag: try members.value("recordChangeTag"),
      created: RecordStamp(
        date: try members.read("creationDate", CanopyValue.date),
        userRecordName: try user("creatorUserRecordID")
      ).unlessEmpty,
      modified: RecordStamp(
        date: try members.read("modificationDate", CanopyValue.date),
        userRecordName: try user("lastModifiedUserRecordID")
      ).unlessEmpty,
      parent: try members.read("parent", CanopyArchive.reference),
      share: try members.read("share", CanopyArchive.reference))
    var fields: [Field] = []
    for (store, isEncrypted) in [("valuesStore", false), ("encryptedValuesStore", true)] {
      guard let values = members.take(store) else { continue }
      fields += try self.fields(values, in: store, isEncrypted: isEncrypted)
    }
    systemFields.otherMembers = try members.recordOthers()
    try add(systemFields, fields, at: json)
  }

  /// Returns the fields of a store, and reports those that cannot be read.
  private func fields(_ json: JSONValue, in store: String, isEncrypted: Bool) throws -> [Field] {
    guard let elements = json.elements else {
      throw json.error(expected: "an array: the values of a record").inside(member: store)
    }
    var fields: [Field] = []
    for (index, element) in elements.enumerated() {
      try collector.collectingErrors(at: path.member(store).element(index)) {
        var members = try JSONObjectReader(element, "a value")
        let name = try members.requiredName("key")
        let value = try CanopyValue.read(element, isEncrypted: isEncrypted)
        fields.append(Field(name: name, value: value, isEncrypted: isEncrypted))
      }
    }
    return fields
  }

  // MARK: Deletions and failures

  func deletion(_ json: JSONValue) throws {
    var members = try JSONObjectReader(json, "a deleted record")
    let zoneID = ZoneID(
      zoneName: try members.name("zoneName") ?? ZoneID.defaultZoneName,
      ownerName: try members.name("zoneOwnerName") ?? ZoneID.currentUserOwnerName)
    let recordID = RecordID(recordName: try members.requiredName("recordName"), zoneID: zoneID)
    try addDeletion(recordID, type: try members.name("typeString"))
  }

  func archivedDeletion(_ json: JSONValue) throws {
    var members = try JSONObjectReader(json, "a deleted record")
    let type = try members.name("recordType")
    let archive = try members.require("recordIDArchive") { json in
      try CanopyArchive.root(json["data"] ?? json)
    }
    for recordID in try archive.list({ try $0.recordID() }) {
      try budget.charge(recordID.writtenSize, at: json)
      try addDeletion(recordID, type: type)
    }
  }

  func archivedZoneDeletion(_ json: JSONValue) throws {
    var members = try JSONObjectReader(json, "a deleted zone")
    let archive = try members.require("zoneIDArchive") { json in
      try CanopyArchive.root(json["data"] ?? json)
    }
    for zoneID in try archive.list({ try $0.zoneIDOfZone() }) {
      try add(zoneID, isDeleted: true, at: json)
    }
  }

  /// Reports an error that was recorded in place of a result.
  func failure(_ json: JSONValue) throws {
    let message = String(String.UnicodeScalarView(json.compactText.unicodeScalars.prefix(300)))
    try addError(CloudError(.serverRejectedRequest, "a recorded failure: \(message)"))
  }

  // MARK: Archives

  /// Reads an archive of several objects.
  func archive(_ json: JSONValue, _ kind: CanopyShape.Archive?) throws {
    guard json.string?.isEmpty != true else { return }
    let root = try CanopyArchive.root(json)
    switch kind {
    case .deletedRecords, .missingRecords:
      for recordID in try root.list({ try $0.recordID() }) {
        try budget.charge(recordID.writtenSize, at: json)
        if kind == .deletedRecords {
          try addDeletion(recordID)
        } else {
          try addError(CloudError(.unknownItem, "the record was not found"), recordID)
        }
      }
    case .zones, .deletedZones:
      for zoneID in try root.list({ try $0.zoneIDOfZone() }) {
        try add(zoneID, isDeleted: kind == .deletedZones, at: json)
      }
    case .any, nil: try objects(root, json)
    }
  }

  /// Reads the records of an archive that holds a list of them; tokens hold none.
  private func objects(_ root: CanopyArchive, _ json: JSONValue) throws {
    for element in try root.elements() {
      switch try element.className() {
      case "CKRecord", "CKShare": try add(element, json)
      case "CKRecordZone":
        try add(try element.one { try $0.zoneIDOfZone() }, isDeleted: false, at: json)
      case "CKServerChangeToken", "CKQueryCursor": continue
      case let name:
        throw json.error(
          found: name.map { "an archive of \(RecordCodingError.quoted($0))" } ?? "an archive",
          expected: "an archive of records")
      }
    }
  }

  // MARK: Items

  private func add(_ zoneID: ZoneID, isDeleted: Bool, at json: JSONValue) throws {
    try budget.charge(zoneID.writtenSize, at: json)
    collector.add(isDeleted ? .deletedZone(zoneID) : .zone(RecordZone(zoneID: zoneID)))
  }

  private func addError(_ error: CloudError, _ recordID: RecordID? = nil) throws {
    collector.add(
      .error(
        ResponseErrorItem(
          error: error, recordName: recordID?.recordName, zoneID: recordID?.zoneID,
          otherMembers: [])))
  }

  private func add(_ archive: CanopyArchive, _ json: JSONValue) throws {
    let record = try archive.one { try ArchivedRecord($0) }
    try budget.charge(record, at: json)
    for name in record.unsupportedFieldNames {
      try collector.collectingErrors(at: path) {
        throw json.error(
          found: "an archived value of an unknown class", expected: "a value that CloudKit stores"
        ).inside(member: name)
      }
    }
    // An archive may contain what JSON cannot, such as an asset of a negative size.
    _ = try ResultRecord(systemFields: record.systemFields, fields: record.fields).jsonValue()
    try add(record.systemFields, record.fields, at: json)
  }

  private func add(_ systemFields: SystemFields, _ fields: [Field], at json: JSONValue) throws {
    let recordID = systemFields.recordID
    try check(recordID, json)
    guard !systemFields.recordType.isEmpty else {
      throw json.error(found: "an empty record type", expected: "at least one character")
    }
    var names: NameSet = []
    for field in fields where !names.insert(field.name) {
      try collector.collectingErrors(at: path) {
        throw json.error(
          found: "two values of the field \(RecordCodingError.quoted(field.name))",
          expected: "one; the last is used")
      }
    }
    _ = collector.zones.addRecord(in: recordID.zoneID)
    collector.add(.record(ResultRecord(systemFields: systemFields, fields: fields)))
  }

  private func addDeletion(_ recordID: RecordID, type: String? = nil) throws {
    try check(recordID, nil)
    _ = collector.zones.addRecord(in: recordID.zoneID)
    collector.add(.tombstone(DeletedRecord(recordID: recordID, recordType: type)))
  }

  /// Archives may hold names that CloudKit does not let be empty.
  private func check(_ recordID: RecordID, _ json: JSONValue?) throws {
    let zoneID = recordID.zoneID
    guard !recordID.recordName.isEmpty, !zoneID.zoneName.isEmpty, !zoneID.ownerName.isEmpty else {
      throw RecordCodingError(
        offset: json?.offset, found: "an empty name", expected: "at least one character")
    }
  }
}

/// The value of a field as Canopy encodes it: `{"key":…,"type":…,"value":…}`, without the key in a
/// list.
///
/// The tag of a number says how Swift could cast it, not which type the field has: a 1 of a real
/// record may have any of `bool`, `uint8` and the others. All of them are read as `INT64`, which is
/// what CloudKit stores.
enum CanopyValue {
  /// Reads a value.
  ///
  /// - Throws: ``RecordCodingError`` for what has another form, and for tags that are not known.
  static func read(_ json: JSONValue, isEncrypted: Bool) throws -> RecordValue {
    var context = DecodingContext()
    context.mayShowValues = !isEncrypted
    return try read(json, context, mayBeList: true)
  }

  private static func read(
    _ json: JSONValue, _ context: DecodingContext, mayBeList: Bool
  ) throws -> RecordValue {
    var members = try JSONObjectReader(json, "a value")
    let tag = try members.required("type", String.self)
    return try members.require("value") { value in
      guard tag == "array", mayBeList else { return try scalar(value, tag, context) }
      let elements = try value.expectElements { json in
        try read(json, context, mayBeList: false)
      }
      guard let list = RecordValue(foundationList: elements) else {
        throw value.error(found: "a list of several types", expected: "one of a single type")
      }
      return list
    }
  }

  private static func scalar(
    _ json: JSONValue, _ tag: String, _ context: DecodingContext
  ) throws -> RecordValue {
    switch tag {
    case "string": return .string(try String(json: json, context))
    case "bool": return .int64(try Bool(json: json, context) ? 1 : 0)
    case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64":
      return .int64(try Int64(json: json, context))
    case "double", "float": return .double(try Double(json: json, context))
    case "date": return .timestamp(try date(json))
    case "data": return .bytes(try Data(json: json, context))
    case "ckAsset": return .asset(Asset(downloadURL: try String(json: json, context)))
    case "ckRecordReference": return .reference(try CanopyArchive.reference(json))
    case "clLocation", "nsNumber", "nsString", "nsDate", "nsData":
      guard let value = try CanopyArchive.root(json).one({ try $0.scalarValue() }) else {
        throw json.error(found: "an archive of another class", expected: "one of '\(tag)'")
      }
      return value
    default:
      throw json.error(
        found: "a value of type \(RecordCodingError.quoted(tag))",
        expected: "a type that Canopy has")
    }
  }

  /// Reads a date: seconds since 2001, as Swift encodes it.
  static func date(_ json: JSONValue) throws -> Date {
    guard let text = json.numberText, let seconds = CanonicalNumber.double(from: text) else {
      throw json.error(expected: "a date: seconds since 2001 as a number")
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
}
