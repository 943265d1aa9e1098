import RecordModel

import struct Foundation.Data
import struct Foundation.Date

/// Decodes records and deletions of Canopy, and emits them.
struct CanopyDecoder {
  let sink: ResponseSink
  let budget: ArchiveBudget
  let path: ResponsePath

  // MARK: Records

  /// Reads a record with the kind of its backing value.
  func item(_ json: JSONValue) throws {
    var members = try MemberReader(json, "a record")
    let isMock = try members.require("type") { type in
      guard let name = type.string, ["mock", "ckRecord"].contains(name) else {
        throw type.error(found: type.shown, expected: "\"mock\" or \"ckRecord\"")
      }
      return name == "mock"
    }
    try members.require("backingValue") { value in
      let inner = CanopyDecoder(sink: sink, budget: budget, path: path.member("backingValue"))
      try isMock ? inner.mock(value) : inner.emit(CanopyArchive.record(value), value)
    }
  }

  /// Reads the backing value of a mock record.
  func mock(_ json: JSONValue) throws {
    var members = try MemberReader(json, "a record")
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
    try emit(systemFields, fields, at: json)
  }

  /// Returns the fields of a store, and reports those that cannot be read.
  private func fields(_ json: JSONValue, in store: String, isEncrypted: Bool) throws -> [Field] {
    guard let elements = json.elements else {
      throw json.error(expected: "an array: the values of a record").inside(member: store)
    }
    var fields: [Field] = []
    for (index, element) in elements.enumerated() {
      try sink.emittingErrors(at: path.member(store).element(index)) {
        var members = try MemberReader(element, "a value")
        let name = try members.requiredName("key")
        let value = try CanopyValue.read(element, isEncrypted: isEncrypted)
        fields.append(Field(name: name, value: value, isEncrypted: isEncrypted))
      }
    }
    return fields
  }

  // MARK: Deletions and failures

  func deletion(_ json: JSONValue) throws {
    var members = try MemberReader(json, "a deleted record")
    let zoneID = ZoneID(
      zoneName: try members.name("zoneName") ?? ZoneID.defaultZoneName,
      ownerName: try members.name("zoneOwnerName") ?? ZoneID.currentUserOwnerName)
    let recordID = RecordID(recordName: try members.requiredName("recordName"), zoneID: zoneID)
    try emitDeletion(recordID, type: try members.name("typeString"))
  }

  func archivedDeletion(_ json: JSONValue) throws {
    var members = try MemberReader(json, "a deleted record")
    let type = try members.name("recordType")
    let archive = try members.require("recordIDArchive") { json in
      try CanopyArchive.root(json["data"] ?? json)
    }
    for recordID in try archive.list({ try $0.recordID() }) {
      try budget.charge(recordID.writtenSize, at: json)
      try emitDeletion(recordID, type: type)
    }
  }

  /// Reports an error that was recorded in place of a result.
  func failure(_ json: JSONValue) throws {
    let message = String(String.UnicodeScalarView(json.compactText.unicodeScalars.prefix(300)))
    try emitError(CloudError(.serverRejectedRequest, "a recorded failure: \(message)"))
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
          try emitDeletion(recordID)
        } else {
          try emitError(CloudError(.unknownItem, "the record was not found"), recordID)
        }
      }
    case .zones, .deletedZones:
      for zoneID in try root.list({ try $0.zoneIDOfZone() }) {
        try emit(zoneID, isDeleted: kind == .deletedZones, at: json)
      }
    case .any, nil: try objects(root, json)
    }
  }

  /// Reads the records of an archive that holds a list of them; tokens hold none.
  private func objects(_ root: CanopyArchive, _ json: JSONValue) throws {
    for element in try root.elements() {
      switch try element.className() {
      case "CKRecord", "CKShare": try emit(element, json)
      case "CKRecordZone":
        try emit(try element.one { try $0.zoneIDOfZone() }, isDeleted: false, at: json)
      case "CKServerChangeToken", "CKQueryCursor": continue
      case let name:
        throw json.error(
          found: name.map { "an archive of \(RecordCodingError.quoted($0))" } ?? "an archive",
          expected: "an archive of records")
      }
    }
  }

  // MARK: Emitting

  private func emit(_ zoneID: ZoneID, isDeleted: Bool, at json: JSONValue) throws {
    try budget.charge(zoneID.writtenSize, at: json)
    try sink.emit(isDeleted ? .deletedZone(zoneID) : .zone(RecordZone(zoneID: zoneID)))
  }

  private func emitError(_ error: CloudError, _ recordID: RecordID? = nil) throws {
    try sink.emit(
      .error(
        ResponseErrorItem(
          error: error, recordName: recordID?.recordName, zoneID: recordID?.zoneID,
          otherMembers: [])))
  }

  private func emit(_ archive: CanopyArchive, _ json: JSONValue) throws {
    let record = try archive.one { try ArchivedRecord($0) }
    try budget.charge(record, at: json)
    for name in record.unsupportedFieldNames {
      try sink.emittingErrors(at: path) {
        throw json.error(
          found: "an archived value of an unknown class", expected: "a value that CloudKit stores"
        ).inside(member: name)
      }
    }
    // An archive may contain what JSON cannot, such as an asset of a negative size.
    _ = try ResultRecord(systemFields: record.systemFields, fields: record.fields).jsonValue()
    try emit(record.systemFields, record.fields, at: json)
  }

  private func emit(_ systemFields: SystemFields, _ fields: [Field], at json: JSONValue) throws {
    let recordID = systemFields.recordID
    try check(recordID, json)
    guard !systemFields.recordType.isEmpty else {
      throw json.error(found: "an empty record type", expected: "at least one character")
    }
    var names: NameSet = []
    for field in fields where !names.insert(field.name) {
      try sink.emittingErrors(at: path) {
        throw json.error(
          found: "two values of the field \(RecordCodingError.quoted(field.name))",
          expected: "one; the last is used")
      }
    }
    _ = sink.zones.addRecord(in: recordID.zoneID)
    try sink.emit(.record(ResultRecord(systemFields: systemFields, fields: fields)))
  }

  private func emitDeletion(_ recordID: RecordID, type: String? = nil) throws {
    try check(recordID, nil)
    _ = sink.zones.addRecord(in: recordID.zoneID)
    try sink.emit(.tombstone(DeletedRecord(recordID: recordID, recordType: type)))
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
