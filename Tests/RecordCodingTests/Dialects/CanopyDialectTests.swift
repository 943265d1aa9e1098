import Foundation
import RecordModel
import Testing

@testable import RecordCoding

/// Canopy's JSON, made by hand after its sources; the archives in it are those of this package.
@Suite struct CanopyDialectTests {
  static let recordID = archive(.recordID(RecordID(recordName: "r")))

  static func archive(_ content: KeyedArchiveContent) -> String {
    CanopyValue.archive(content).string ?? ""
  }

  static let reference = Reference(
    recordID: RecordID(recordName: "p", zoneID: ZoneID(zoneName: "Z")), action: .deleteSelf)
  static let location = Location(
    latitude: 1.5, longitude: -2, altitude: 3, timestamp: Date(timeIntervalSince1970: 1))

  private func read(_ text: String) throws -> ResponseContents {
    try ResponseContents(Data(text.utf8), dialect: .canopy)
  }

  static func mock(_ values: String = "", _ members: String = "") -> String {
    #"{"type":"mock","backingValue":{"recordType":"T","recordID":"\#(recordID)","#
      + #""valuesStore":[\#(values)],"encryptedValuesStore":[]\#(members)}}"#
  }

  static let values: [(json: String, value: RecordValue)] = [
    (#""type":"string","value":"s""#, .string("s")), (#""type":"bool","value":true"#, .int64(1)),
    (#""type":"uint8","value":200"#, .int64(200)), (#""type":"int16","value":-3"#, .int64(-3)),
    (#""type":"int64","value":9223372036854775807"#, .int64(.max)),
    (#""type":"int","value":5"#, .int64(5)), (#""type":"double","value":1"#, .double(1)),
    (#""type":"float","value":0.5"#, .double(0.5)),
    (
      #""type":"date","value":0.25"#,
      .timestamp(Date(timeIntervalSinceReferenceDate: 0.25))
    ),
    (#""type":"data","value":"AQI=""#, .bytes(Data([1, 2]))),
    (
      #""type":"ckAsset","value":"file:///Photos/a.jpg""#,
      .asset(Asset(downloadURL: "file:///Photos/a.jpg"))
    ),
    (
      #""type":"ckRecordReference","value":"\#(archive(.reference(reference)))""#,
      .reference(reference)
    ),
    (#""type":"clLocation","value":"\#(archive(.location(location)))""#, .location(location)),
    (#""type":"nsNumber","value":"\#(archive(.integer(7)))""#, .int64(7)),
    (#""type":"nsNumber","value":"\#(archive(.real(7.5)))""#, .double(7.5)),
    (#""type":"nsString","value":"\#(archive(.string("é")))""#, .string("é")),
    (
      #""type":"nsDate","value":"\#(archive(.date(9)))""#,
      .timestamp(Date(timeIntervalSinceReferenceDate: 9))
    ),
    (#""type":"nsData","value":"\#(archive(.data(Data([3]))))""#, .bytes(Data([3]))),
    (#""type":"array","value":[]"#, .emptyList),
    (
      #""type":"array","value":[{"type":"string","value":"a"},{"type":"string","value":"b"}]"#,
      .stringList(["a", "b"])
    ),
    (
      #""type":"array","value":[{"type":"uint8","value":1},{"type":"double","value":2.5}]"#,
      .doubleList([1, 2.5])
    ),
  ]

  @Test("every tag of a value is read", arguments: values)
  func readValue(_ json: String, _ value: RecordValue) throws {
    let contents = try read(Self.mock(#"{"key":"f",\#(json)}"#))
    #expect(contents.unread.isEmpty, "\(contents.unread)")
    #expect(contents.records.first?["f"] == value)
    #expect(contents.records.first?.recordID == RecordID(recordName: "r"))
  }

  @Test(
    "a value that cannot be read is named, and the others of the record are there",
    arguments: [
      #""type":"uint64","value":18446744073709551615"#, #""type":"marvel","value":1"#,
      #""type":"bool","value":1"#, #""type":"clLocation","value":"deadbeef""#,
      #""type":"nsNumber","value":"\#(archive(.array([])))""#, #""type":"date","value":"now""#,
      #""type":"array","value":[{"type":"string","value":"a"},{"type":"bool","value":true}]"#,
      #""type":"array","value":[{"type":"array","value":[]}]"#, #""value":1"#,
    ])
  func faults(_ json: String) throws {
    let contents = try read(
      "[\(Self.mock(#"{"key":"a","type":"int","value":1},{"key":"f",\#(json)}"#))]")
    let error = try #require(contents.unread.first)
    #expect(error.path.hasPrefix("[0].backingValue.valuesStore[1]"), "\(error)")
    #expect(error.offset != nil)
    #expect(contents.unread.count == 1)
    #expect(contents.records.first?.fields.map(\.name) == ["a"])
  }

  @Test func `a mock is read with its system fields, and keeps members that are not known`() throws
  {
    let user = Self.archive(.user("_u"))
    let reference = Self.archive(.reference(Self.reference))
    let contents = try read(
      Self.mock(
        "",
        #","creationDate":1,"modificationDate":2.5,"recordChangeTag":"t","creatorUserRecordID":"#
          + #""\#(user)","lastModifiedUserRecordID":"\#(user)","parent":"\#(reference)","#
          + #""share":"\#(reference)","later":[1]"#))
    let fields = try #require(contents.records.first).systemFields
    #expect(
      fields.created
        == RecordStamp(date: Date(timeIntervalSinceReferenceDate: 1), userRecordName: "_u"))
    #expect(
      fields.modified
        == RecordStamp(date: Date(timeIntervalSinceReferenceDate: 2.5), userRecordName: "_u"))
    #expect(fields.recordChangeTag == "t")
    #expect(fields.parent == Self.reference && fields.share == Self.reference)
    #expect(fields.otherMembers["later"]?.text == "[1]")
    #expect(fields.archive == nil)
  }

  @Test func `an encrypted value stays encrypted, and does not show in errors`() throws {
    let contents = try read(
      #"{"recordType":"T","recordID":"\#(Self.recordID)","encryptedValuesStore":["#
        + #"{"key":"a","type":"string","value":"s"},{"key":"b","type":"int","value":"secret"}]}"#)
    let fields = Array(try #require(contents.records.first).fields)
    #expect(fields == [Field(name: "a", value: .string("s"), isEncrypted: true)])
    #expect(contents.unread.first?.found == "a string")
  }

  @Test(
    "an unknown member with a name of the canonical form is refused with its record",
    arguments: ["zoneID", "recordName", "fields", "created", "modified", "deleted", "kind"])
  func reservedMember(_ name: String) throws {
    let contents = try read("[\(Self.mock("", #","\#(name)":{"a":1}"#)),\(Self.mock())]")
    #expect(contents.records.count == 1)
    #expect(contents.unread.count == 1)
    #expect(contents.unread.first?.found.contains("a member '\(name)'") == true)
  }

  @Test func `another type of record is named with its place`() throws {
    let contents = try read(#"[{"type":"foo","backingValue":{}}]"#)
    #expect(
      contents.unread.map(\.description) == [
        #"byte 9, at [0].type: found the string "foo", expected "mock" or "ckRecord""#
      ])
  }

  @Test func `one field with two values is told, and the last is taken`() throws {
    let contents = try read(
      Self.mock(
        #"{"key":"a","type":"int","value":1},{"key":"a","type":"int","value":2}"#))
    #expect(contents.records.first?["a"] == RecordValue.int64(2))
    #expect(contents.unread.first?.found == #"two values of the field "a""#)
  }

  @Test func `replayed results are gone through to their records, deletions and failures`() throws {
    let ids = Self.archive(.array([.recordID(RecordID(recordName: "x"))]))
    let zones = Self.archive(.array([.zoneID(ZoneID(zoneName: "Z"))]))
    let mock = Self.mock()
    let contents = try read(
      """
      [{"queryRecords":{"_0":{"result":{"success":{"_0":[\(mock)]}}}}},
       {"modifyRecords":{"_0":{"result":{"success":{"_0":
        {"savedRecords":[\(mock)],"deletedRecordIDs":"\(ids)"}}}}}},
       {"fetchRecords":{"_0":{"result":{"success":{"_0":
        {"foundRecords":[],"notFoundRecordIDs":"\(ids)"}}}}}},
       {"fetchZoneChanges":{"_0":{"result":{"success":{"_0":{"changedRecords":[\(mock)],
        "deletedRecords":[{"typeString":"D","recordName":"y","zoneName":"Z","zoneOwnerName":"_o"}]
        }}}}}},
       {"fetchDatabaseChanges":{"_0":{"result":{"success":{"_0":{"changedRecordZoneIDs":"\(zones)",
        "deletedRecordZoneIDs":"\(zones)","purgedRecordZoneIDs":""}}}}}},
       {"queryRecords":{"_0":{"result":{"failure":{"_0":{"code":15}}}}}}]
      """)
    #expect(contents.unread.isEmpty, "\(contents.unread)")
    #expect(contents.records.count == 3)
    #expect(
      contents.tombstones == [
        DeletedRecord(recordID: RecordID(recordName: "x")),
        DeletedRecord(
          recordID: RecordID(recordName: "y", zoneID: ZoneID(zoneName: "Z", ownerName: "_o")),
          recordType: "D"),
      ])
    #expect(contents.errors.map(\.recordName) == ["x", nil])
    #expect(contents.errors.last?.error.message.contains(#"{"code":15}"#) == true)
    #expect(contents.zones.map(\.zoneID) == [ZoneID(zoneName: "Z")])
    #expect(contents.deletedZones == [ZoneID(zoneName: "Z")])
  }

  @Test func `archives of the older mocks are read`() throws {
    var record = KeyedArchiveContent.object(
      class: ["CKRecord", "NSObject"],
      members: [
        ("RecordType", .string("T")), ("RecordID", .recordID(RecordID(recordName: "r"))),
        ("ETag", .string("1")),
      ])
    record = .array([record])
    let id = Self.archive(.array([.recordID(RecordID(recordName: "gone"))]))
    let token = Self.archive(
      .object(
        class: ["CKServerChangeToken", "NSObject"],
        members: [("ChangeTokenData", .data(Data([1])))]))
    let contents = try read(
      """
      {"recordWasChangedInZoneResults":[{"recordIDArchive":{"data":"\(id)"},
        "codableResult":{"success":{"_0":{"data":"\(Self.archive(record))"}}}}],
       "recordWithIDWasDeletedInZoneResults":[{"recordIDArchive":{"data":"\(id)"},
        "recordType":"D"}],
       "oneZoneFetchResults":[{"zoneIDArchive":{"data":""},"codableResult":{"success":{"_0":
        {"serverChangeTokenArchive":{"data":"\(token)"},"moreComing":false}}}}],
       "fetchZoneChangesResult":{"codableResult":{"success":{"_0":{}}}}}
      """)
    #expect(contents.unread.isEmpty, "\(contents.unread)")
    #expect(contents.records.map(\.recordID.recordName) == ["r"])
    #expect(contents.records.first?.recordChangeTag == "1")
    #expect(
      contents.tombstones == [
        DeletedRecord(recordID: RecordID(recordName: "gone"), recordType: "D")
      ])
  }

  /// Results of the older mocks, with the names of their records, deletions, zones, deleted zones and the
  /// number of failures.
  @Test(arguments: [
    (
      #"[{"modify":{"_0":{"savedRecordResults":[],"deletedRecordIDResults":[],"modifyResult":\#(done)}}}]"#,
      "    0"
    ),
    (
      #"{"savedRecordResults":[{"recordIDArchive":\#(ids),"codableResult":{"success":{"_0":\#(records)}}}],"#
        + #""deletedRecordIDResults":[\#(deletion)],"modifyResult":\#(done)}"#, "r gone   0"
    ),
    (#"[\#(deletion)]"#, " gone   0"),
    (
      #"{"fetchRecordResults":[{"recordIDArchive":\#(ids),"codableResult":{"success":{"_0":\#(records)}}},"#
        + #"{"recordIDArchive":\#(ids),"codableResult":{"failure":{"_0":{"code":11}}}}],"#
        + #""fetchResult":\#(done)}"#, "r    1"
    ),
    (
      #"{"savedZoneResults":[{"zoneIDArchive":\#(zoneIDs),"codableResult":{"success":{"_0":\#(zones)}}}],"#
        + #""deletedZoneIDResults":[{"zoneIDArchive":\#(zoneIDs),"codableResult":{"success":{"_0":{}}}}],"#
        + #""modifyZonesResult":\#(done)}"#, "  Z Z 0"
    ),
    (
      #"{"fetchZoneResults":[{"zoneIDArchive":\#(zoneIDs),"codableResult":{"success":{"_0":\#(zones)}}}],"#
        + #""fetchZonesResult":\#(done)}"#, "  Z  0"
    ),
    (
      #"{"changedRecordZoneIDsArchive":\#(zoneIDs),"deletedRecordZoneIDsArchive":\#(zoneIDs),"#
        + #""purgedRecordZoneIDsArchive":{"data":""},"fetchDatabaseChangesResult":{"codableResult":"#
        + #"{"success":{"_0":{"serverChangeTokenArchive":{"data":""},"moreComing":false}}}}}"#,
      "  Z Z 0"
    ),
    (
      #"{"containerOperationResults":[{"accountStatus":{"_0":{"status":1}}},{"userRecordID":{"_0":{}}}],"#
        + #""privateDatabaseOperationResults":[{"queryRecords":{"_0":{"result":{"success":{"_0":"#
        + #"[\#(mock())]}}}}}]}"#, "r    0"
    ),
    (
      #"{"operationResults":[{"queryRecords":{"_0":{"result":{"success":{"_0":[\#(mock())]}}}}}],"#
        + #""sleepBeforeEachOperation":0.1}"#, "r    0"
    ),
  ])
  func `results of the older mocks and encoded mocks are read`(_ text: String, _ items: String)
    throws
  {
    let contents = try read(text)
    #expect(contents.unread.isEmpty, "\(contents.unread)")
    let names = [
      contents.records.map(\.recordID.recordName), contents.tombstones.map(\.recordID.recordName),
      contents.zones.map(\.zoneID.zoneName), contents.deletedZones.map(\.zoneName),
    ]
    #expect(
      (names.map { $0.joined(separator: ",") } + ["\(contents.errors.count)"])
        .joined(separator: " ") == items)
  }

  private static let done = #"{"codableResult":{"success":{"_0":{}}}}"#
  private static let ids = list(.recordID(RecordID(recordName: "gone")))
  private static let deletion =
    #"{"recordIDArchive":\#(ids),"codableResult":{"success":{"_0":{}}}}"#
  private static let zoneIDs = list(.zoneID(ZoneID(zoneName: "Z")))
  private static let zones = list(
    .object(
      class: ["CKRecordZone", "NSObject"], members: [("ZoneID", .zoneID(ZoneID(zoneName: "Z")))]))
  private static let records = list(
    .object(
      class: ["CKRecord", "NSObject"],
      members: [
        ("RecordType", .string("T")), ("RecordID", .recordID(RecordID(recordName: "r"))),
      ]))

  /// An archive of the older mocks.
  private static func list(_ element: KeyedArchiveContent) -> String {
    #"{"data":"\#(archive(.array([element])))"}"#
  }

  @Test(
    "what holds no record of Canopy is named",
    arguments: [
      #"{"records":[{"recordName":"r","recordType":"T","fields":{}}]}"#, #"[7]"#,
      #"{"type":"real","backingValue":{}}"#, #"{"type":"ckRecord","backingValue":"AAAA"}"#,
      #"{"accountStatus":{"_0":{"result":{"success":{"_0":1}}}}}"#,
      #"{"recordType":"T","recordID":"deadbeef","valuesStore":[]}"#,
    ])
  func unknown(_ text: String) throws {
    let contents = try read(text)
    #expect(contents.records.isEmpty)
    #expect(contents.unread.count == 1, "\(contents.unread)")
  }

  // MARK: Writing

  @Test func `a record is written as a mock, and is read again`() throws {
    let record = ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: "r", zoneID: ZoneID(zoneName: "Z", ownerName: "_o")),
        recordType: "T", recordChangeTag: "1",
        created: RecordStamp(
          date: Date(timeIntervalSinceReferenceDate: 1.5), userRecordName: "_u"),
        parent: Self.reference),
      fields: [
        Field(name: "n", value: .int64(1)),
        Field(name: "s", value: .string("secret"), isEncrypted: true),
        Field(name: "z", value: .doubleList([1, -0.0])),
      ])
    var bytes = Data()
    let stream = try ResponseStream(.canopy) { bytes.append($0) }
    try stream.append(record)
    try stream.finish(syncToken: "none")
    #expect(stream.losses.isEmpty)
    let json = try #require(
      try JSONSerialization.jsonObject(with: bytes) as? [[String: Any]])
    let mock = try #require(json.first?["backingValue"] as? [String: Any])
    #expect(json.first?["type"] as? String == "mock")
    #expect(mock["creationDate"] as? Double == 1.5)
    #expect(Set(mock.keys).isSuperset(of: ["recordID", "valuesStore", "encryptedValuesStore"]))
    #expect(mock["modificationDate"] == nil && mock["share"] == nil)
    let encrypted = try #require(mock["encryptedValuesStore"] as? [[String: String]])
    #expect(encrypted == [["key": "s", "type": "string", "value": "secret"]])
    let again = try ResponseContents(bytes, dialect: .canopy)
    #expect(again.records == [record])
  }

  /// The classes and keys are those that were seen in archives of CloudKit.
  @Test func `an archive that is written has the classes and keys of CloudKit's`() throws {
    let text = try #require(CanopyValue.archive(.reference(Self.reference)).string)
    let archive = try KeyedArchive(decoding: #require(Data(base64Encoded: text)))
    #expect(archive.top.keys == ["root"])
    let root = try archive.top.required("root")
    #expect(try root.classNames() == ["CKReference", "NSObject"])
    let id = try root.required("recordID")
    #expect(try id.classNames() == ["CKRecordID", "NSObject"])
    #expect(id.keys.sorted() == ["RecordName", "ZoneID"])
    let zone = try id.required("ZoneID")
    #expect(
      zone.keys.sorted() == ["ZoneName", "anonymousCKUserID", "databaseScopeKey", "ownerName"])
  }

  @Test(
    "real archives of CloudKit are read as records",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"),
    arguments: KeyedArchiveSamples.all)
  func realArchives(_ name: String) throws {
    let data = try KeyedArchiveSamples.data(name)
    let contents = try read(
      #"[{"type":"ckRecord","backingValue":"\#(data.base64EncodedString())"}]"#)
    let archived = try ArchivedRecord(keyedArchive: data)
    #expect(contents.unread.isEmpty, "\(contents.unread)")
    let record = try #require(contents.records.first)
    var systemFields = archived.systemFields
    systemFields.archive = nil
    #expect(record.systemFields == systemFields)
    #expect(record.shareInfo == archived.share)
    #expect(contents.allZones.map(\.zoneID) == [ZoneID(zoneName: "Notes")])
  }

  @Test func `what a mock cannot say is counted`() throws {
    let other = [OtherMember(name: "x", value: RawJSON(compact: "1"))]
    let record = ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: "r"), recordType: Share.recordType,
        created: RecordStamp(deviceID: "d", otherMembers: other),
        parent: Reference(recordID: RecordID(recordName: "p"), action: .validate),
        otherMembers: [OtherMember(name: "participants", value: RawJSON(compact: "[]"))] + other),
      fields: [
        Field(name: "a", value: .asset(Asset(size: 3))),
        Field(name: "b", value: .asset(Asset(size: 3, downloadURL: "https://x"))),
        Field(name: "u", value: .unknown(type: "NEW", json: RawJSON(compact: "1"))),
        Field(name: "v", value: .int64(1), otherMembers: other),
      ])
    let stream = try ResponseStream(.canopy) { _ in }
    try stream.append(record)
    try stream.append(DeletedRecord(recordID: RecordID(recordName: "gone")))
    let losses = stream.losses
    let counts = ResponseLosses.Kind.allCases.map { losses[$0] }
    #expect(counts == [1, 1, 2, 1, 5], "\(losses.clauses)")
  }
}
