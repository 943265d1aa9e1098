import RecordModel

import struct Foundation.Data
import struct Foundation.Date

/// Decodes records and deletions of Canopy, and emits them.
struct CanopyDecoder {
  let sink: ResponseSink
  let budget: ArchiveBudget
  let path: CanopyPath

  private typealias E = RecordCodingError

  // MARK: Records

  /// Reads a record with the kind of its backing value.
  func item(_ json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "a record")
    let type = try members.requiredString("type")
    let value = try members.require("backingValue") { (json) throws(E) in json }
    let inner = CanopyDecoder(sink: sink, budget: budget, path: path.member("backingValue"))
    do throws(E) {
      switch type {
      case "mock": return try inner.mock(value)
      case "ckRecord": return try inner.emit(CanopyArchive.record(value), value)
      default: break
      }
    } catch {
      throw error.inside(member: "backingValue")
    }
    throw RecordCodingError(
      offset: json.offset, found: "a record of type \(RecordCodingError.quoted(type))",
      expected: "\"mock\" or \"ckRecord\"")
  }

  /// Reads the backing value of a mock record.
  func mock(_ json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "a record")
    let recordID = try members.require("recordID", CanopyArchive.recordID)
    func user(_ name: String) throws(E) -> String? {
      try members.read(name, CanopyArchive.recordID)?.recordName
    }
    var systemFields = SystemFields(
      recordID: recordID, recordType: try members.requiredName("recordType"),
      recordChangeTag: try members.string("recordChangeTag"),
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
      fields += try self.fields(values, isEncrypted: isEncrypted) { $0.inside(member: store) }
    }
    systemFields.otherMembers = try members.lineOthers()
    try emit(systemFields, fields, at: json)
  }

  /// Returns the fields of a store, and reports those that cannot be read.
  private func fields(
    _ json: JSONValue, isEncrypted: Bool, _ inStore: (RecordCodingError) -> RecordCodingError
  ) throws(RecordCodingError) -> [Field] {
    guard let elements = json.elements else {
      throw inStore(
        RecordCodingError(
          offset: json.offset, found: json.kind, expected: "an array: the values of a record"))
    }
    var fields: [Field] = []
    for (index, element) in elements.enumerated() {
      do throws(E) {
        var members = try MemberReader(element, "a value")
        let name = try members.requiredName("key")
        let value = try CanopyValue.read(element, isEncrypted: isEncrypted)
        fields.append(Field(name: name, value: value, isEncrypted: isEncrypted))
      } catch {
        try sink.emit(.unread(path.place(inStore(error.inside(element: index)))))
      }
    }
    return fields
  }

  // MARK: Deletions and failures

  func deletion(_ json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "a deleted record")
    let zoneID = ZoneID(
      zoneName: try members.name("zoneName") ?? ZoneID.defaultZoneName,
      ownerName: try members.name("zoneOwnerName") ?? ZoneID.currentUserOwnerName)
    let recordID = RecordID(recordName: try members.requiredName("recordName"), zoneID: zoneID)
    try emitDeletion(recordID, type: try members.name("typeString"))
  }

  func archivedDeletion(_ json: JSONValue) throws(RecordCodingError) {
    var members = try MemberReader(json, "a deleted record")
    let type = try members.name("recordType")
    let archive = try members.require("recordIDArchive") { (json) throws(E) in
      try CanopyArchive.root(json["data"] ?? json)
    }
    for recordID in try archive.list({ try $0.recordID() }) {
      try budget.charge(recordID, at: json)
      try emitDeletion(recordID, type: type)
    }
  }

  /// Reports an error that was recorded in place of a result.
  func failure(_ json: JSONValue) throws(RecordCodingError) {
    let text = json.compactText
    let cut = text.unicodeScalars.prefix(300)
    let message = String(String.UnicodeScalarView(cut))
    try sink.emit(
      .error(
        ResponseErrorItem(
          error: CloudError(.serverRejectedRequest, "a recorded failure: \(message)"),
          otherMembers: [])))
  }

  // MARK: Archives

  /// Reads an archive of several objects.
  func archive(
    _ json: JSONValue, _ kind: CanopyShape.Archive?
  ) throws(RecordCodingError) {
    guard json.string?.isEmpty != true else { return }
    let root = try CanopyArchive.root(json)
    switch kind {
    case .deletedRecords:
      for recordID in try root.list({ try $0.recordID() }) {
        try budget.charge(recordID, at: json)
        try emitDeletion(recordID)
      }
    case .missingRecords:
      for recordID in try root.list({ try $0.recordID() }) {
        try budget.charge(recordID, at: json)
        try sink.emit(
          .error(
            ResponseErrorItem(
              error: CloudError(.unknownItem, "the record was not found"),
              recordName: recordID.recordName, zoneID: recordID.zoneID, otherMembers: [])))
      }
    case .zones:
      for zoneID in try root.list({ try $0.zoneIDOfZone() }) {
        try budget.charge(zoneID, at: json)
        try sink.emit(.zone(RecordZone(zoneID: zoneID)))
      }
    case .deletedZones:
      for zoneID in try root.list({ try $0.zoneIDOfZone() }) {
        try budget.charge(zoneID, at: json)
        try sink.emit(.deletedZone(zoneID))
      }
    case .any, nil: try objects(root, json)
    }
  }

  /// Reads the records of an archive that holds a list of them; tokens hold none.
  private func objects(_ root: CanopyArchive, _ json: JSONValue) throws(RecordCodingError) {
    let elements = try root.elements()
    for element in elements {
      switch try element.className() {
      case "CKRecord", "CKShare": try emit(element, json)
      case "CKRecordZone":
        let zoneID = try element.one { try $0.zoneIDOfZone() }
        try budget.charge(zoneID, at: json)
        try sink.emit(.zone(RecordZone(zoneID: zoneID)))
      case "CKServerChangeToken", "CKQueryCursor": continue
      case let name:
        throw RecordCodingError(
          offset: json.offset,
          found: name.map { "an archive of \(RecordCodingError.quoted($0))" } ?? "an archive",
          expected: "an archive of records")
      }
    }
  }

  // MARK: Emitting

  private func emit(_ archive: CanopyArchive, _ json: JSONValue) throws(RecordCodingError) {
    let record = try archive.one { try ArchivedRecord($0) }
    try budget.charge(record, at: json)
    for name in record.unreadFieldNames {
      try sink.emit(
        .unread(
          path.place(
            RecordCodingError(
              offset: json.offset, found: "an archived value of an unknown class",
              expected: "a value that CloudKit stores"
            ).inside(member: name))))
    }
    // An archive may hold what JSON cannot, such as an asset of a negative size.
    _ = try ResultRecord(systemFields: record.systemFields, fields: record.fields).jsonValue()
    try emit(record.systemFields, record.fields, at: json)
  }

  private func emit(
    _ systemFields: SystemFields, _ fields: [Field], at json: JSONValue
  ) throws(RecordCodingError) {
    let recordID = systemFields.recordID
    try check(recordID, json)
    guard !systemFields.recordType.isEmpty else {
      throw RecordCodingError(
        offset: json.offset, found: "an empty record type", expected: "at least one character")
    }
    var names: NameSet = []
    for field in fields {
      guard !names.contains(field.name) else {
        try sink.emit(
          .unread(
            path.place(
              RecordCodingError(
                offset: json.offset,
                found: "two values of the field \(RecordCodingError.quoted(field.name))",
                expected: "one; the last is taken"))))
        continue
      }
      names.insert(field.name)
    }
    sink.zones.noteRecord(in: sink.zones.shared(recordID.zoneID), [])
    try sink.emit(.record(ResultRecord(systemFields: systemFields, fields: fields)))
  }

  private func emitDeletion(
    _ recordID: RecordID, type: String? = nil
  ) throws(RecordCodingError) {
    try check(recordID, nil)
    sink.zones.noteRecord(in: sink.zones.shared(recordID.zoneID), [])
    try sink.emit(.tombstone(Tombstone(recordID: recordID, recordType: type)))
  }

  /// Archives may hold names that CloudKit does not let be empty.
  private func check(_ recordID: RecordID, _ json: JSONValue?) throws(RecordCodingError) {
    let zoneID = recordID.zoneID
    guard !recordID.recordName.isEmpty, !zoneID.zoneName.isEmpty, !zoneID.ownerName.isEmpty else {
      throw RecordCodingError(
        offset: json?.offset, found: "an empty name", expected: "at least one character")
    }
  }
}

extension RecordStamp {
  /// The stamp, or nil if it says nothing.
  fileprivate var unlessEmpty: RecordStamp? { self == RecordStamp() ? nil : self }
}
