import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

@Suite("A bundle of records as bytes")
struct BundleBytesTests {
  private func record(
    _ name: String, _ type: String, _ zoneID: ZoneID, text: String = ""
  ) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zoneID), recordType: type),
      fields: [Field(name: "text", value: .string(text))])
  }

  private func add(
    _ record: ResultRecord, _ database: DatabaseScope, to writer: BundleWriter
  ) throws {
    let buffer = ByteBuffer()
    try RecordJSONWriter().write(record, to: buffer)
    try Array(record.recordID.recordName.utf8).withUnsafeBytes {
      try writer.writeRecord(
        dictionary: buffer.bytes, name: $0, zoneID: record.recordID.zoneID,
        recordType: record.recordType, database: database)
    }
  }

  @Test("is the bundle of the records, whether or not they share objects")
  func same() throws {
    try withFolder { folder in
      let shared = ZoneID(zoneName: "Zone")
      var random = SeededGenerator(3)
      for splitSize in [nil, ShardOutput.minSplit] as [Int?] {
        var options = BundleWriter.Options()
        options.splitSize = splitSize
        options.frameSize = 4096
        let paths = ["\(folder)/bytes.recordpack", "\(folder)/values.recordpack"]
        let writers = try paths.map {
          try BundleWriter(path: $0, container: ContainerInfo(), options: options)
        }
        for type in ["A", "B"] {
          for number in 0..<900 {
            // Names of equal and of other lengths; now and then another object for the same zone.
            let name = "\(number + 1000)" + String(repeating: "x", count: number % 3)
            let zoneID = number % 7 == 0 ? ZoneID(zoneName: "Zone") : shared
            // Text that does not compress, so that there are several files.
            let text = (0..<10).map { _ in String(random.next(), radix: 36) }.joined()
            let record = record(name, type, zoneID, text: text)
            try add(record, .private, to: writers[0])
            try writers[1].write(record, database: .private)
          }
        }
        let (first, second) = (try writers[0].finish(), try writers[1].finish())
        #expect(first.files.map(\.indexSHA256) == second.files.map(\.indexSHA256))
        #expect(first.files.count > 1 || splitSize == nil)
      }
    }
  }

  @Test("refuses a record that is repeated or out of order")
  func order() throws {
    let zone = ZoneID(zoneName: "Zone")
    let wrong = [
      record("m", "T", zone), record("k", "T", zone), record("n", "S", zone),
      record("n", "T", ZoneID(zoneName: "Yard")), record("m", "T", ZoneID(zoneName: "Zone")),
    ]
    try withFolder { folder in
      for last in wrong {
        let writer = try BundleWriter(path: "\(folder)/a", container: ContainerInfo())
        for name in ["j", "l", "m"] { try add(record(name, "T", zone), .shared, to: writer) }
        #expect(throws: BundleError.self) { try add(last, .shared, to: writer) }
      }
      let writer = try BundleWriter(path: "\(folder)/a", container: ContainerInfo())
      try add(record("m", "T", zone), .shared, to: writer)
      #expect(throws: BundleError.self) {
        try writer.writeRecord(
          dictionary: UnsafeRawBufferPointer(start: nil, count: 0),
          name: UnsafeRawBufferPointer(start: nil, count: 0), zoneID: zone, recordType: "T",
          database: .shared)
      }
      #expect(throws: BundleError.self) { try add(record("n", "T", zone), .private, to: writer) }
    }
  }
}
