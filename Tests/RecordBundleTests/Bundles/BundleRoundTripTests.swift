import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite struct BundleRoundTripTests {
  @Test("what is written is read back, and verifies")
  func roundTrip() throws {
    try withFolder { folder in
      let content = SampleContent(records: 500)
      let options = BundleWriter.Options.test(frameSize: 10_000)
      let summary = try content.write(to: "\(folder)/a.recordpack", options)
      #expect(summary.records == 500)
      let reader = try BundleReader(path: "\(folder)/a.recordpack")
      #expect(reader.container == content.container)
      #expect(reader.recordCount == 500)
      var records: [ResultRecord] = []
      try reader.forEachRecord { record, database in
        records.append(record)
        #expect(database == .private)
      }
      #expect(records == content.records.map(\.0))
      #expect(try reader.zones().map(\.zone) == content.zones.map(\.0))
      for asset in content.assets {
        var read: [UInt8] = []
        try reader.forEachChunk(ofAsset: SampleContent.sha256(asset)) { read += $0 }
        #expect(read == asset)
      }
      let report = try reader.verify()
      #expect(report.isIntact, "\(report.findings)")
      #expect(report.assets == 3 && report.records == 500)
      #expect(report.contentHash == reader.contentHash)
      #expect(report.contentHash == summary.contentHash)
      #expect(report.indexDigests == summary.files.map(\.indexSHA256))
    }
  }

  @Test("a record that cannot be written is left out, and the next is counted in its own section")
  func leftOut() throws {
    try withFolder { folder in
      let path = folder + "/a.recordpack"
      let writer = try BundleWriter(path: path, container: ContainerInfo())
      try writer.write(RecordZone(zoneID: .default), database: .private)
      func record(_ type: String, _ digit: Int, _ value: Double) -> ResultRecord {
        let name = "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEE0\(digit)"
        return ResultRecord(
          systemFields: SystemFields(recordID: RecordID(recordName: name), recordType: type),
          fields: [Field(name: "number", value: .double(value))])
      }
      try writer.write(record("A", 1, 1), database: .private)
      #expect(throws: (any Error).self) {
        try writer.write(record("B", 2, .nan), database: .private)
      }
      for digit in 3...5 { try writer.write(record("B", digit, 2), database: .private) }
      _ = try writer.finish()
      let reader = try BundleReader(path: path)
      let counts = reader.sections.filter { $0.kind == .record }.map(\.lines)
      #expect(counts == [1, 3])
      #expect(try reader.verify().isIntact)
    }
  }

  @Test(
    "the bytes do not depend on the threads, nor the content hash on the level",
    arguments: [2, 3, 5])
  func deterministic(threads: Int) throws {
    try withFolder { folder in
      let content = SampleContent(records: 800)
      var options = BundleWriter.Options.test(frameSize: 5000, threads: 1)
      let one = try content.write(to: "\(folder)/1.recordpack", options)
      options.threads = threads
      let many = try content.write(to: "\(folder)/n.recordpack", options)
      #expect(try bytes(of: "\(folder)/1.recordpack") == bytes(of: "\(folder)/n.recordpack"))
      options.level = 9
      let small = try content.write(to: "\(folder)/9.recordpack", options)
      #expect(many.contentHash == one.contentHash)
      #expect(small.contentHash == one.contentHash)
      #expect(small.size != one.size)
    }
  }

  @Test("a part is read without the frames of the others")
  func filtered() throws {
    try withFolder { folder in
      let content = SampleContent(records: 300)
      let options = BundleWriter.Options.test(frameSize: 4000)
      _ = try content.write(to: "\(folder)/a.recordpack", options)
      let reader = try BundleReader(path: "\(folder)/a.recordpack")
      var count = 0
      try reader.forEachRecord(RecordFilter(recordTypes: ["Nothing"])) { _, _ in count += 1 }
      try reader.forEachRecord(RecordFilter(databases: [.public])) { _, _ in count += 1 }
      #expect(count == 0)
      try reader.forEachRecord(RecordFilter(zoneIDs: [SampleContent.chats])) { _, _ in count += 1 }
      #expect(count == 300)
      #expect(try reader.records(named: "m00000123").first?.record == content.records[123].0)
      #expect(try reader.records(named: "nobody").isEmpty)
      var names: [String] = []
      try reader.forEachRecordID { id, _, _ in names.append(id.recordName) }
      #expect(names == content.records.map(\.0.recordID.recordName))
    }
  }

  @Test("lines out of order, or twice, are refused, and the writer goes on")
  func order() throws {
    try withFolder { folder in
      let content = SampleContent(records: 3, assetSize: 300_000)
      let writer = try BundleWriter(path: "\(folder)/a.recordpack", container: content.container)
      for (zone, database) in content.zones { try writer.write(zone, database: database) }
      #expect(throws: BundleError.self) { try writer.write(content.zones[0].0, database: .public) }
      try writer.write(content.records[1].0, database: .private)
      #expect(throws: BundleError.self) {
        try writer.write(content.records[1].0, database: .private)
      }
      #expect(throws: BundleError.self) {
        try writer.write(content.records[0].0, database: .private)
      }
      try writer.write(content.records[2].0, database: .private)
      let asset = content.assets.first { $0.count == 300_000 } ?? []
      try asset.withUnsafeBytes { bytes in
        let first = UnsafeRawBufferPointer(rebasing: bytes[..<AssetChunk.size])
        let sha256 = SampleContent.sha256(asset)
        try writer.writeAssetChunk(
          sha256: sha256, assetSize: asset.count, offset: 0, bytes: first)
        #expect(throws: BundleError.self) { try writer.finish() }
        try writer.writeAssetChunk(
          sha256: sha256, assetSize: asset.count, offset: AssetChunk.size,
          bytes: UnsafeRawBufferPointer(rebasing: bytes[AssetChunk.size...]))
      }
      _ = try writer.finish()
      let report = try BundleReader(path: "\(folder)/a.recordpack").verify()
      #expect(report.isIntact, "\(report.findings)")
      #expect(report.records == 2)
    }
  }

  @Test("nothing stands under the final name until the bundle is finished")
  func atomic() throws {
    try withFolder { folder in
      let path = "\(folder)/a.recordpack"
      try write("old".utf8, to: path)
      var writer: BundleWriter? = try BundleWriter(path: path, container: ContainerInfo())
      try writer?.write(RecordZone(zoneID: .default), database: .private)
      #expect(try bytes(of: path) == Array("old".utf8))
      writer = nil
      #expect(try bytes(of: path) == Array("old".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.recordpack"])
    }
  }

  @Test("a line of another program, in another layout, is read too")
  func foreignLayout() throws {
    try withFolder { folder in
      let path = "\(folder)/a.recordpack"
      let record = SampleContent(records: 1).records[0].0
      let text = try record.jsonValue().compactText
      let line = "{ \"database\" : \"shared\", \"kind\":\"record\", " + text.dropFirst()
      let sink = try AtomicFile(path: path)
      let file = try BundleFileWriter(
        sink: sink, header: BundleHeader(), options: FrameWriter.Options())
      try file.write(.zone(RecordZone(zoneID: SampleContent.chats), .shared))
      let section = LineKey(
        kind: .record, database: .shared, zoneID: SampleContent.chats, recordType: "Message")
      try file.writeLine(in: section, name: record.recordID.recordName) {
        $0.append(text: line)
      }
      _ = try file.finish(isLastShard: nil)
      try sink.commit()
      let reader = try BundleReader(path: path)
      var read: [ResultRecord] = []
      try reader.forEachRecord { record, database in
        read.append(record)
        #expect(database == .shared)
      }
      #expect(read == [record])
    }
  }
}
