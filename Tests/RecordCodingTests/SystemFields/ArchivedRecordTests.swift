import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite("CloudKit's archives of records")
struct ArchivedRecordTests {
  private typealias Samples = KeyedArchiveSamples

  @Test(
    "the real system fields are read to their exact values",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"))
  func account() throws {
    let data = try Samples.data(Samples.account)
    let record = try ArchivedRecord(keyedArchive: data)
    let fields = record.systemFields
    #expect(fields.recordID.recordName == "AccountData")
    #expect(fields.recordID.zoneID == ZoneID(zoneName: "Notes"))
    #expect(fields.recordType == "AccountData")
    #expect(fields.recordChangeTag == "ey")
    #expect(fields.creationDate == Date(timeIntervalSinceReferenceDate: 597455141.68))
    #expect(fields.modificationDate == Date(timeIntervalSinceReferenceDate: 685881597.882))
    #expect(fields.creatorUserRecordID?.recordName == "__defaultOwner__")
    #expect(fields.lastModifiedUserRecordID == RecordID(recordName: "__defaultOwner__"))
    #expect(fields.modified?.deviceID == "Tester’s iPhone")
    #expect(fields.created?.deviceID == nil)
    #expect(fields.parent == nil && fields.share == nil)
    #expect(fields.archive == data)
    #expect(record.fields.isEmpty && record.unsupportedFieldNames.isEmpty && record.share == nil)
  }

  @Test(
    "the real share is read with its two participants",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"))
  func share() throws {
    let record = try ArchivedRecord(keyedArchive: Samples.data(Samples.share))
    let fields = record.systemFields
    #expect(fields.recordID.recordName == "Share-2840dbea-c801-4cc6-b851-acfe23441a5b")
    #expect(fields.recordID.zoneID == ZoneID(zoneName: "Notes"))
    #expect(fields.recordType == Share.recordType)
    #expect(fields.recordChangeTag == "1av")
    #expect(fields.creationDate == Date(timeIntervalSinceReferenceDate: 623029930.778))
    #expect(fields.modificationDate == Date(timeIntervalSinceReferenceDate: 719491021.961))

    let share = try #require(record.share)
    #expect(share.publicPermission == .none)
    #expect(share.url == nil)
    #expect(share.participants.count == 2)
    let owner = try #require(share.participants.first)
    #expect(share.owner == owner && share.currentUserParticipant == owner)
    #expect(owner.participantID == "FB356466-E76D-4B94-ADA8-0E33A8D75FDB")
    #expect(owner.role == .owner && owner.permission == .readWrite)
    #expect(owner.acceptanceStatus == .accepted)
    #expect(owner.userIdentity.userRecordName == "__defaultOwner__")
    #expect(owner.userIdentity.nameComponents == .init(givenName: "Mr", familyName: "Tester"))
    #expect(owner.userIdentity.lookupInfo?.emailAddress == "fake_email2@fake_domain.fake")
    let guest = try #require(share.participants.last)
    #expect(guest.role == .privateUser && guest.permission == .readWrite)
    #expect(guest.userIdentity.userRecordName == "_dfe6a1b5e8bc40359c323b0357e3f04d")
    #expect(guest.userIdentity.nameComponents == .init(givenName: "F", familyName: "P"))
  }

  @Test("a whole archived record is read from under its root, values and all")
  func values() throws {
    let record = try ArchivedRecord(keyedArchive: ArchiveRecipes.record())
    #expect(record.systemFields.recordID.recordName == "note-1")
    #expect(record.systemFields.recordChangeTag == "3")
    #expect(
      record.systemFields.parent
        == Reference(recordID: ArchiveRecipes.id("folder-1"), action: .none))
    let reference = Reference(recordID: ArchiveRecipes.id("folder-1"), action: .deleteSelf)
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    #expect(
      record.fields == [
        Field(
          name: "asset",
          value: .asset(
            Asset(
              size: 12, fileChecksum: "AQID", referenceChecksum: "BAU=", wrappingKey: "Bg=="))),
        Field(name: "bytes", value: .bytes(Data([9, 8]))),
        Field(name: "count", value: .int64(-7)),
        Field(name: "dates", value: .timestampList([date, date])),
        Field(name: "done", value: .int64(1)),
        Field(name: "empty", value: .emptyList),
        Field(name: "folder", value: .reference(reference)),
        Field(name: "folders", value: .referenceList([reference])),
        Field(
          name: "place",
          value: .location(
            Location(
              latitude: 1.5, longitude: -2.5, altitude: 3, horizontalAccuracy: 4,
              verticalAccuracy: 5, course: 6, speed: 7, timestamp: date))),
        Field(name: "ratio", value: .double(0.1)),
        Field(name: "ratios", value: .doubleList([0.5, 2])),
        Field(name: "secret", value: .string("s"), isEncrypted: true),
        Field(name: "tags", value: .stringList(["a", "b"])),
        Field(name: "title", value: .string("Hello")),
        Field(name: "when", value: .timestamp(date)),
      ])
    #expect(record.unsupportedFieldNames == ["mixed", "nested", "odd"])
  }

  @Test("an asset of an archive names no file of this machine")
  func assetPath() throws {
    let record = try ArchivedRecord(keyedArchive: ArchiveRecipes.record())
    guard case .asset(let asset) = record.fields[0].value else {
      Issue.record("the asset is not where it should be")
      return
    }
    #expect(asset.content == nil && asset.downloadURL == nil)
  }

  @Test("the other spelling of a reference's keys is read too")
  func referenceSpelling() throws {
    var writer = KeyedArchiveWriter()
    writer.add("RecordType", .string("Note"))
    writer.add("RecordID", .recordID(ArchiveRecipes.id("a")))
    writer.add(
      "ParentReference",
      .object(
        class: ["CKReference", "NSObject"],
        members: [
          ("RecordID", .recordID(ArchiveRecipes.id("b"))), ("ReferenceAction", .integer(1)),
        ]))
    let fields = try SystemFields(decoding: writer.data())
    #expect(fields.parent == Reference(recordID: ArchiveRecipes.id("b"), action: .deleteSelf))
  }

  @Test("an archive of something else is refused with its class")
  func otherClass() {
    var writer = KeyedArchiveWriter()
    writer.add("root", .recordID(ArchiveRecipes.id("a")))
    let data = writer.data()
    #expect(
      throws: RecordCodingError.wrongClass(
        path: "$top.root", found: "CKRecordID", expected: ["CKRecord"])
    ) { try ArchivedRecord(keyedArchive: data) }
  }

  @Test("wrong classes, types and missing keys inside a record are named by their path")
  func wrongInside() {
    func failure(_ key: String, _ content: KeyedArchiveContent) -> RecordCodingError? {
      var writer = KeyedArchiveWriter()
      if key != "RecordType" { writer.add("RecordType", .string("Note")) }
      if key != "RecordID" { writer.add("RecordID", .recordID(ArchiveRecipes.id("a"))) }
      writer.add(key, content)
      let data = writer.data()
      return #expect(throws: RecordCodingError.self) { try ArchivedRecord(keyedArchive: data) }
    }
    #expect(
      failure("RecordID", .zoneID(.default))
        == .wrongClass(path: "$top.RecordID", found: "CKRecordZoneID", expected: ["CKRecordID"]))
    #expect(failure("RecordID", .null) == .missingKey(path: "$top", key: "RecordID"))
    #expect(
      failure("RecordType", .integer(1))
        == RecordCodingError(path: "$top.RecordType", found: "an integer", expected: "a string"))
    #expect(failure("RecordType", .null) == .missingKey(path: "$top", key: "RecordType"))
    #expect(failure("ETag", .data(Data())) != nil)
    #expect(failure("RecordCtime", .date(.infinity)) != nil)
    #expect(failure("CreatorUserRecordID", .string("me")) != nil)
    #expect(
      failure(
        "ShareReference",
        .object(
          class: ["CKReference", "NSObject"],
          members: [
            ("recordID", .recordID(ArchiveRecipes.id("b"))), ("referenceAction", .integer(9)),
          ]))
        == RecordCodingError(
          path: "$top.ShareReference", found: "reference action 9",
          expected: "0 (none) or 1 (delete self)"))
  }

  /// A record whose values are these.
  private func failure(values: [(String, KeyedArchiveContent)]) -> RecordCodingError? {
    let data = ArchiveRecipes.record(values: values)
    return #expect(throws: RecordCodingError.self) { try ArchivedRecord(keyedArchive: data) }
  }

  @Test("values that would grow out of all proportion are refused")
  func disproportionate() {
    let list = KeyedArchiveContent.array(
      [KeyedArchiveContent](repeating: .integer(1), count: 9_000))
    let lists = (0..<23).map { ("list\($0)", list) }
    guard failure(values: lists)?.code == .limitExceeded else {
      Issue.record("207,000 list elements were not refused as too many")
      return
    }
    #expect(throws: Never.self) {
      try ArchivedRecord(keyedArchive: ArchiveRecipes.record(values: [lists[0]]))
    }
    let long = KeyedArchiveContent.data(Data(count: 257))
    let asset = KeyedArchiveContent.object(
      class: ["CKAsset", "NSObject"], members: [("AssetSignature", long)])
    #expect(failure(values: [("asset", asset)]) != nil)
    #expect(failure(values: [(String(repeating: "x", count: 256), .integer(1))]) != nil)
    let wide = KeyedArchiveContent.object(
      class: ["Wide", "NSObject"], members: (0..<512).map { ("key\($0)", .null) })
    #expect(
      failure(values: [("wide", wide)])
        == .tooLarge(what: "a key count", found: 513, limit: 512))
  }

  /// Values of the encrypted store: the class, the bytes before encryption, and the value.
  @Test(arguments: [
    ("CKEncryptedString", [0x32, 2, 0xC3, 0xA9], RecordValue.string("é")),
    ("CKEncryptedString", [0x32, 0], .string("")),
    ("CKEncryptedLongLong", [0x18, 0xAC, 0x02], .int64(300)),
    ("CKEncryptedLongLong", [0x18] + [UInt8](repeating: 0xFF, count: 9) + [1], .int64(-1)),
    ("CKEncryptedDouble", [0x21, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F], .double(1.5)),
    (
      "CKEncryptedDate", [0x2A, 9, 0x09, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F],
      .timestamp(Date(timeIntervalSinceReferenceDate: 1.5))
    ),
    ("CKEncryptedData", [9, 8], .bytes(Data([9, 8]))), ("CKEncryptedEmptyArray", [], .emptyList),
    ("CKEncryptedStringArray", [0x6A, 1, 0x61, 0x6A, 1, 0x62], .stringList(["a", "b"])),
    ("CKEncryptedLongLongArray", [0x50, 1, 0x50, 2], .int64List([1, 2])),
    ("CKEncryptedLongLongArray", [0x52, 2, 1, 2], .int64List([1, 2])),
    (
      "CKEncryptedDoubleArray", [0x59, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F], .doubleList([1.5])
    ),
    (
      "CKEncryptedDateArray", [0x62, 9, 0x09, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F],
      .timestampList([Date(timeIntervalSinceReferenceDate: 1.5)])
    ),
  ])
  func `a value of the encrypted store is read in the form before encryption`(
    name: String, bytes: [UInt8], value: RecordValue
  ) throws {
    func read(_ bytes: [UInt8]) throws -> ArchivedRecord {
      let content = KeyedArchiveContent.object(
        class: [name, "CKEncryptedData", "NSObject"],
        members: [("EncryptedData", .data(Data(bytes))), ("ReallyEncryptedData", .null)])
      return try ArchivedRecord(
        keyedArchive: ArchiveRecipes.record(encrypted: [("secret", content)]))
    }
    let record = try read(bytes)
    #expect(record.unsupportedFieldNames == ["odd", "mixed", "nested"].sorted())
    #expect(
      record.fields.first { $0.name == "secret" }
        == Field(name: "secret", value: value, isEncrypted: true))
    // A cut message is an error, or another value.
    for count in 0..<bytes.count { _ = try? read(Array(bytes.prefix(count))) }
  }

  @Test func `a value that only has its encrypted form is unsupported`() throws {
    let cipher = KeyedArchiveContent.object(
      class: ["CKEncryptedString", "CKEncryptedData", "NSObject"],
      members: [("EncryptedData", .null), ("ReallyEncryptedData", .data(Data([1])))])
    let record = try ArchivedRecord(
      keyedArchive: ArchiveRecipes.record(values: [], encrypted: [("secret", cipher)]))
    #expect(record.unsupportedFieldNames == ["secret"])
  }

  @Test("numbers that no field can hold are refused")
  func notFinite() {
    #expect(failure(values: [("number", .real(.nan))]) != nil)
    #expect(failure(values: [("numbers", .array([.real(1), .real(.infinity)]))]) != nil)
    #expect(failure(values: [("date", .date(-.infinity))]) != nil)
  }
}

/// Archives made by hand, in the layouts that were seen in real ones.
enum ArchiveRecipes {
  static func id(_ name: String) -> RecordID {
    RecordID(recordName: name, zoneID: ZoneID(zoneName: "Notes", ownerName: "_owner"))
  }

  /// A whole `CKRecord`, by default with a value of every type.
  static func record(
    values: [(String, KeyedArchiveContent)]? = nil,
    encrypted: [(String, KeyedArchiveContent)] = [("secret", .string("s"))]
  ) -> Data {
    let record = KeyedArchiveContent.object(
      class: ["CKRecord", "NSObject"],
      members: [
        ("RecordType", .string("Note")), ("RecordID", .recordID(id("note-1"))),
        ("ETag", .string("3")),
        ("ParentReference", .reference(Reference(recordID: id("folder-1")))),
        ("ValueStore", store("CKRecordValueStore", values ?? valuesOfEveryType)),
        (
          "EncryptedValueStore",
          store("CKEncryptedRecordValueStore", encrypted)
        ),
      ])
    var writer = KeyedArchiveWriter()
    writer.add("root", record)
    return writer.data()
  }

  private static var valuesOfEveryType: [(String, KeyedArchiveContent)] {
    let reference = KeyedArchiveContent.reference(
      Reference(recordID: id("folder-1"), action: .deleteSelf))
    let date = KeyedArchiveContent.date(700_000_000.25)
    return [
      ("title", .string("Hello")), ("count", .integer(-7)), ("done", .bool(true)),
      ("ratio", .real(0.1)), ("when", date), ("bytes", .data(Data([9, 8]))),
      ("place", location), ("folder", reference), ("folders", .array([reference])),
      ("asset", asset), ("tags", .array([.string("a"), .string("b")])),
      ("ratios", .mutableArray([.real(0.5), .integer(2)])), ("dates", .array([date, date])),
      ("empty", .array([])), ("mixed", .array([.string("a"), .integer(1)])),
      ("nested", .array([.array([.integer(1)])])),
      ("odd", .object(class: ["Odd", "NSObject"], members: [])),
    ]
  }

  private static func store(
    _ name: String, _ values: [(String, KeyedArchiveContent)]
  ) -> KeyedArchiveContent {
    let classes =
      name == "CKRecordValueStore" ? [name, "NSObject"] : [name, "CKRecordValueStore", "NSObject"]
    let dictionary = KeyedArchiveContent.object(
      class: ["NSMutableDictionary", "NSDictionary", "NSObject"],
      members: [
        ("NS.keys", .list(values.map { .string($0.0) })), ("NS.objects", .list(values.map(\.1))),
      ])
    return .object(class: classes, members: [("RecordValues", dictionary)])
  }

  private static var location: KeyedArchiveContent {
    let members = [
      ("CoordinateLatitude", 1.5), ("CoordinateLongitude", -2.5), ("Altitude", 3),
      ("HorizontalAccuracy", 4), ("VerticalAccuracy", 5), ("Course", 6), ("Speed", 7),
      ("Timestamp", 700_000_000.25),
    ]
    return .object(
      class: ["CLLocation", "NSObject"],
      members: members.map { ("kCLLocationCodingKey\($0.0)", .real($0.1)) })
  }

  private static var asset: KeyedArchiveContent {
    .object(
      class: ["CKAsset", "NSObject"],
      members: [
        ("AssetFileURL", .url("file:///private/secret.txt")), ("AssetSize", .integer(12)),
        ("AssetSignature", .data(Data([1, 2, 3]))), ("ReferenceSignature", .data(Data([4, 5]))),
        ("WrappedAssetKey", .data(Data([6]))),
      ])
  }
}
