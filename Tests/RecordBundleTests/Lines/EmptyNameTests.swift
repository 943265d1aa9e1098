import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

@Suite("Empty names, which CloudKit does not have")
struct EmptyNameTests {
  private static let zone = #"{"zoneName":"Z","ownerRecordName":"_o"}"#
  private static let private_ = #""database":"private""#

  /// Lines in which one name is replaced by an empty one.
  private static let lines = [
    #"{"kind":"record",\#(private_),"zoneID":\#(zone),"recordType":"T","recordName":"n","fields":{}}"#,
    #"{"kind":"record",\#(private_),"zoneID":\#(zone),"recordType":"T","recordName":"n","parent":{"recordName":"p","action":"NONE"},"fields":{}}"#,
    #"{"kind":"record",\#(private_),"zoneID":\#(zone),"recordType":"T","recordName":"n","fields":{"f":{"type":"REFERENCE","value":{"recordName":"q","action":"DELETE_SELF"}}}}"#,
    #"{"kind":"record",\#(private_),"zoneID":\#(zone),"recordType":"T","recordName":"n","fields":{"f":{"type":"REFERENCE_LIST","value":[{"recordName":"q","zoneID":{"zoneName":"X","ownerRecordName":"_x"},"action":"NONE"}]}}}"#,
    #"{"kind":"tombstone",\#(private_),"zoneID":\#(zone),"recordName":"n","recordType":"T"}"#,
    #"{"kind":"zone",\#(private_),"zoneID":\#(zone),"capabilities":[]}"#,
    #"{"kind":"zoneTombstone",\#(private_),"zoneID":\#(zone)}"#,
    #"{"kind":"subscription",\#(private_),"subscriptionID":"s","subscriptionType":"database"}"#,
  ]

  private func read(_ line: String) throws -> BundleItem? {
    try Array(line.utf8).withUnsafeBytes {
      try BundleItem(
        line: $0, at: LineLocation(source: "test", line: 1), with: RecordJSONReader())
    }
  }

  @Test("are refused by the reader, in every line", arguments: lines)
  func reading(line: String) throws {
    #expect(try read(line) != nil)
    for name in ["Z", "_o", "T", "n", "s", "p", "q"] where line.contains("\"\(name)\"") {
      let empty = line.replacing("\"\(name)\"", with: "\"\"")
      let error = #expect(throws: BundleError.self, "\(empty)") { try read(empty) }
      #expect(error?.message.contains("an empty name") == true, "\(String(describing: error))")
      // The same with another order of members.
      let other = "{" + empty.dropFirst().dropLast() + ",\"x\": 1}"
      #expect(throws: BundleError.self) { try read(other) }
    }
  }

  @Test("are refused by the writer")
  func writing() throws {
    let zone = ZoneID(zoneName: "Z")
    func record(_ name: String, _ type: String, _ zoneID: ZoneID) -> ResultRecord {
      ResultRecord(
        systemFields: SystemFields(
          recordID: RecordID(recordName: name, zoneID: zoneID), recordType: type), fields: [])
    }
    let nameless = RecordID(recordName: "", zoneID: zone)
    let noZone = ZoneID(zoneName: "")
    let subscription = CloudSubscription(subscriptionID: "", kind: .database(recordType: nil))
    let attempts: [(BundleWriter) throws -> Void] = [
      { try $0.write(RecordZone(zoneID: noZone), database: .private) },
      { try $0.write(subscription, database: .private) },
      { try $0.write(record("", "T", zone), database: .private) },
      { try $0.write(record("n", "", zone), database: .private) },
      { try $0.write(record("n", "T", noZone), database: .private) },
      { try $0.write(DeletedRecord(recordID: nameless, recordType: nil), database: .private) },
      { try $0.write(DeletedZone(zoneID: noZone), database: .private) },
    ]
    try withFolder { folder in
      for (number, attempt) in attempts.enumerated() {
        let writer = try BundleWriter(path: "\(folder)/a", container: ContainerInfo())
        let error = #expect(throws: BundleError.self, "\(number)") { try attempt(writer) }
        #expect(error?.message.contains("empty") == true, "\(number)")
      }
      let writer = try BundleWriter(path: "\(folder)/a", container: ContainerInfo())
      let reference = Field(name: "f", value: .reference(Reference(recordID: nameless)))
      let system = record("n", "T", zone).systemFields
      #expect(throws: RecordCodingError.self) {
        try writer.write(
          ResultRecord(systemFields: system, fields: [reference]), database: .private)
      }
    }
  }
}
