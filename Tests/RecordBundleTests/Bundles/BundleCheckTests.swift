import Foundation
import RecordModel
import Testing

@testable import RecordBundle

/// Faults that a reader does not detect, and that an import would lose or refuse.
@Suite("Verifying")
struct BundleCheckTests {
  private func findings(
    _ body: (BundleWriter) throws -> Void
  ) throws -> [String] {
    try withFolder { folder in
      let writer = try BundleWriter(path: "\(folder)/a", container: ContainerInfo())
      try writer.write(RecordZone(zoneID: SampleContent.chats), database: .private)
      try body(writer)
      _ = try writer.finish()
      let reader = try BundleReader(path: "\(folder)/a")
      let report = try reader.verify(threads: 1)
      #expect(report.isIntact == report.findings.isEmpty)
      return report.findings.map(\.message)
    }
  }

  private func record(_ name: String, _ type: String, fields: [Field] = []) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: SampleContent.chats), recordType: type),
      fields: fields)
  }

  @Test(
    "finds a name that comes twice in a zone, whatever the types, and a record beside its tombstone"
  )
  func names() throws {
    let found = try findings { writer in
      for (name, type) in [("a", "S"), ("b", "S"), ("a", "T"), ("c", "T")] {
        try writer.write(record(name, type), database: .private)
      }
      try writer.write(
        DeletedRecord(recordID: RecordID(recordName: "c", zoneID: SampleContent.chats)),
        database: .private)
    }
    #expect(found.count == 2)
    let types = found.first { $0.contains("'a' is repeated in zone 'Chats'") } ?? ""
    #expect(types.contains("'S'") && types.contains("'T'"))
    #expect(found.contains { $0.contains("'c' is repeated") && $0.contains("a deleted record") })
  }

  @Test("finds names that come twice in several passes, too")
  func namesInPasses() throws {
    try withFolder { folder in
      let writer = try BundleWriter(path: "\(folder)/a", container: ContainerInfo())
      try writer.write(RecordZone(zoneID: SampleContent.chats), database: .private)
      for type in ["S", "T"] {
        for number in 100..<200 where type == "S" || number % 10 == 0 {
          try writer.write(record("n\(number)", type), database: .private)
        }
      }
      _ = try writer.finish()
      let reader = try BundleReader(path: "\(folder)/a")
      var check = NameCheck(reader.sections, hashesPerPass: 20)
      try reader.forEachRecordID { recordID, _, database in
        check.add(recordID.recordName, recordID.zoneID, database)
      }
      let problems = try check.problems(in: reader, threads: 1)
      #expect(problems.count == 10)
      for number in stride(from: 100, to: 200, by: 10) {
        #expect(problems.contains { $0.contains("'n\(number)' is repeated") })
      }
    }
  }

  @Test("finds a share where CloudKit has none")
  func shares() throws {
    let found = try findings { writer in
      try writer.write(RecordZone(zoneID: .default), database: .private)
      for zoneID in [SampleContent.chats, .default] {
        let recordID = RecordID(recordName: "s", zoneID: zoneID)
        try writer.write(
          ResultRecord(
            systemFields: SystemFields(recordID: recordID, recordType: Share.recordType),
            fields: []), database: .private)
      }
    }
    #expect(found.count == 1 && found[0].contains("is a share"), "\(found)")
  }

  @Test("finds a zone that is there, and deleted")
  func livingZone() throws {
    let found = try findings {
      try $0.write(DeletedZone(zoneID: SampleContent.chats), database: .private)
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("exists, and is deleted") == true)
  }

  @Test("finds tombstones and subscriptions whose zone no line describes")
  func zones() throws {
    let other = ZoneID(zoneName: "Other")
    let found = try findings { writer in
      try writer.write(
        CloudSubscription(
          subscriptionID: "s", kind: .zone(ZoneID(zoneName: "Third"), recordType: nil)),
        database: .private)
      try writer.write(
        DeletedRecord(recordID: RecordID(recordName: "t", zoneID: other)), database: .private)
    }
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.contains("which has no line") })
    #expect(found.contains { $0.contains("subscription 's' refers to zone 'Third") })
    #expect(found.contains { $0.contains("deleted record 't' refers to zone 'Other") })
  }

  @Test("finds assets that no record refers to, and those referred to by unknown members")
  func assets() throws {
    let asset = Array("some bytes".utf8)
    let digest = SampleContent.sha256(asset)
    let missing = SampleContent.sha256([1])
    let found = try findings { writer in
      let future = RawJSON(compact: #"{"parts":[{"sha256":"\#(missing)"}]}"#)
      try writer.write(
        record("a", "T", fields: [Field(name: "f", value: .unknown(type: "FUTURE", json: future))]),
        database: .private)
      try SampleContent.write(asset, to: writer)
    }
    #expect(found.count == 2)
    #expect(
      found.contains { $0.contains("refers to asset \(missing), which is not in the bundle") })
    #expect(found.contains { $0.contains("no record refers to asset \(digest)") })
  }

  @Test("finds an asset whose digest is not in lower case")
  func upperCase() throws {
    let asset = Array("some bytes".utf8)
    let digest = SampleContent.sha256(asset)
    try withFolder { folder in
      let line =
        #"{"kind":"record","database":"private","zoneID":{"zoneName":"Z","ownerRecordName":"_o"},"#
        + #""recordType":"T","recordName":"a","fields":{"f":{"type":"ASSET","value":{"sha256":""#
        + digest.uppercased() + #"","size":10}}}}"#
      try BundleDamageTests.writeLines([BundleDamageTests.header, line], to: "\(folder)/a")
      let found = try BundleReader(path: "\(folder)/a").verify(threads: 1).findings
      #expect(found.contains { $0.line == 2 && $0.message.contains("not canonical") })
    }
  }

  /// Returns the findings for a bundle of one zone with a changed index.
  private func findings(
    in folder: String, changing change: (inout BundleIndex) -> Void
  ) throws -> [String] {
    let zone =
      #"{"kind":"zone","database":"private","zoneID":{"zoneName":"Z","ownerRecordName":"_o"},"capabilities":[]}"#
    let path = "\(folder)/a"
    try BundleDamageTests.writeLines(
      [BundleDamageTests.header, zone], to: path, changing: change)
    return try BundleReader(path: path).verify(threads: 1).findings.map(\.message)
  }

  @Test("finds an index that says something else than the lines")
  func index() throws {
    try withFolder { folder in
      // Not a closure within #expect: Swift 6.3 would run it instead of the next one.
      let unchanged = try findings(in: folder) { _ in }
      #expect(unchanged == [])
      let sum = try findings(in: folder) { $0.hash = ContentHash() }
      #expect(sum.count == 1 && sum.first?.contains("content hash") == true)
      let first = try findings(in: folder) { $0.frames[1].first = "Z" }
      #expect(first == ["frame 1 begins with another line than in the index"])
      let section = try findings(in: folder) { $0.sections[0].database = .public }
      #expect(section.count == 1 && section.first?.contains("section 0 of the index") == true)
    }
  }
}
