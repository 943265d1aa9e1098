import Foundation
import RecordStore
import RecordArchive
import RecordModel

/// Records that expressions and plans are tried on, and that containers and bundles are made of.
enum Samples {
  static let zone = ZoneID(zoneName: "Notes")

  static let records: [ResultRecord] = [
    ResultRecord(
      systemFields: systemFields("one", "Note", tag: "a"),
      fields: [
        Field(name: "kind", value: .string("photo")),
        Field(name: "title", value: .string("e\u{301} 7, b, 2024-03-01")),
        Field(name: "count", value: .int64(.max)),
        Field(name: "ratio", value: .double(-0.0)),
        Field(name: "date", value: .timestamp(Date(timeIntervalSince1970: 1_533_040_623.320))),
        Field(name: "bytes", value: .bytes(Data([0, 255, 16]))),
        Field(name: "place", value: .location(Location(latitude: 48.5, longitude: -0.125))),
        Field(name: "parentNote", value: .reference(reference("two"))),
        Field(name: "secret", value: .string("hidden"), isEncrypted: true),
        Field(name: "names", value: .stringList(["a", "b", ""])),
      ]),
    ResultRecord(
      systemFields: systemFields("two", "Note", tag: "b"),
      fields: [
        Field(name: "kind", value: .int64(-3)),
        Field(name: "title", value: .stringList(["x"])),
        Field(name: "count", value: .double(9_007_199_254_740_992)),
        Field(name: "numbers", value: .int64List([.min, 0, 7])),
        Field(name: "nothing", value: .emptyList),
        Field(
          name: "future", value: .unknown(type: "CUBE", json: .null)),
      ]),
    ResultRecord(
      systemFields: systemFields("FB304340-09F0-5C03-22BC-C6B4B06910D1", "Person", tag: nil),
      fields: [
        Field(name: "title", value: .string("")),
        Field(name: "links", value: .referenceList([reference("one"), reference("none")])),
        Field(name: "days", value: .timestampList([Date(timeIntervalSinceReferenceDate: 0.1)])),
      ]),
  ]

  private static func systemFields(_ name: String, _ type: String, tag: String?) -> SystemFields {
    var fields = SystemFields(
      recordID: RecordID(recordName: name, zoneID: zone), recordType: type)
    fields.recordChangeTag = tag
    fields.created = RecordStamp(
      date: Date(timeIntervalSinceReferenceDate: 5), userRecordName: "_u")
    fields.modified = RecordStamp(date: Date(timeIntervalSinceReferenceDate: 6.5))
    return fields
  }

  private static func reference(_ name: String) -> Reference {
    Reference(recordID: RecordID(recordName: name, zoneID: zone), action: .deleteSelf)
  }

  /// A container with something of everything.
  static func fill(_ container: ContainerStore) throws {
    try container.transaction { transaction in
      try transaction.save(RecordZone(zoneID: zone), in: .private)
      try transaction.save(
        CloudSubscription(subscriptionID: "s", kind: .database(recordType: nil)), in: .private)
    }
    try container.importTransaction(onConflict: { _ in .replace }) { writer in
      for record in records { try writer.add(record, to: .private) }
    }
    var draft = DraftRecord(recordType: "Photo", recordID: RecordID(recordName: "p", zoneID: zone))
    draft["file"] = Asset(data: Data([1, 2, 3]))
    var gone = draft
    gone = DraftRecord(recordType: "Photo", recordID: RecordID(recordName: "q", zoneID: zone))
    gone["title"] = "gone"
    try container.transaction { transaction in
      try transaction.save([draft, gone], in: .private)
      try transaction.delete(gone.recordID, in: .private)
    }
  }

  /// The container as a bundle of several frames.
  static func writeBundle(to path: String) throws {
    let container = try ContainerStore.inMemory {
      Date(timeIntervalSinceReferenceDate: 800_000_000)
    }
    try fill(container)
    var archiver = Archiver()
    archiver.threads = 1
    archiver.bundleOptions.frameSize = 1024
    try archiver.export(container, to: path)
  }
}
