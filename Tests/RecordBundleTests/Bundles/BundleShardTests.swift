import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite struct BundleShardTests {
  private func split(_ content: SampleContent, in folder: String, threads: Int = 2) throws
    -> BundleSummary
  {
    let options = BundleWriter.Options.test(splitSize: 100_000, threads: threads)
    return try content.write(to: "\(folder)/a.recordpack", options)
  }

  @Test("A file after the one that ends the bundle is refused")
  func afterTheLast() throws {
    try withFolder { folder in
      let paths = try SampleContent(records: 30).writeSet(of: 3, to: folder, lasts: [2, 3])
      let error = #expect(throws: BundleError.self) { try BundleReader(paths: paths) }
      #expect(error?.description.contains("00002.recordpack', the file before") == true)
    }
  }

  @Test("a bundle is split into files of at most that size, each a whole bundle")
  func split() throws {
    try withFolder { folder in
      let content = SampleContent(records: 6000, assetSize: 300_000)
      let summary = try split(content, in: folder)
      #expect(summary.files.count > 3)
      for (number, file) in summary.files.enumerated() {
        #expect(file.size <= 100_000 || ownLines(file) == 1)
        #expect(file.path.hasSuffix("a-0000\(number + 1).recordpack"))
        #expect(try bytes(of: file.path).count == file.size)
      }
      for (file, next) in zip(summary.files, summary.files.dropFirst()) {
        let header = try BundleFile(RandomAccessFile(path: next.path)).header
        #expect(header.shard?.previousSHA256 == file.indexSHA256)
      }
      let reader = try BundleReader(path: summary.files[2].path)
      #expect(reader.files.count == summary.files.count)
      #expect(reader.recordCount == 6000)
      var records: [ResultRecord] = []
      try reader.forEachRecord { record, _ in records.append(record) }
      #expect(records == content.records.map(\.0))
      let report = try reader.verify()
      #expect(report.isIntact, "\(report.findings)")
      #expect(try reader.zones().count == 3)
    }
  }

  /// Returns the number of lines that not every file of the bundle has.
  private func ownLines(_ file: BundleSummary.File) -> Int {
    let shared: Set<LineKind> = [.header, .zone, .index]
    return file.index.sections.filter { !shared.contains($0.kind) }.reduce(0) { $0 + $1.lines }
  }

  @Test("a file is larger than asked for only where it holds a single line")
  func largeLines() throws {
    try withFolder { folder in
      var random = SeededGenerator(62)
      var content = SampleContent(records: 150, assetSize: 10)
      content.records = content.records.map { record, database in
        let size = Int.random(in: 0..<10, using: &random) * 8_000
        let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
        let field = Field(name: "thumbnail", value: .bytes(Data(bytes)))
        let fields = (Array(record.fields) + [field]).sorted { compareUTF8($0.name, $1.name) < 0 }
        return (ResultRecord(systemFields: record.systemFields, fields: fields), database)
      }
      let summary = try split(content, in: folder)
      for file in summary.files {
        let lines = ownLines(file)
        #expect(file.size <= 100_000 || lines == 1, "\(file.size) bytes, \(lines) lines")
      }
      let lines = summary.files.map(ownLines).reduce(0, +)
      // A subscription, two tombstones and three assets besides the records.
      #expect(lines == 156)
      #expect(try BundleReader(path: summary.files[1].path).verify().isIntact)
    }
  }

  /// Returns content with that many zones besides those of records.
  private func content(zones: Int) -> SampleContent {
    var random = SeededGenerator(3)
    var content = SampleContent(records: 1500, assetSize: 10)
    content.zones += (0..<zones).map { _ in
      let name = "\(random.next())-\(random.next())"
      return (RecordZone(zoneID: ZoneID(zoneName: name)), .private)
    }
    content.zones.sort { ($0.1, $0.0.zoneID) < ($1.1, $1.0.zoneID) }
    return content
  }

  @Test("all zones stand in every file, also where they fill many frames")
  func manyZones() throws {
    try withFolder { folder in
      let content = content(zones: 900)
      let summary = try split(content, in: folder)
      #expect(summary.files.count > 1)
      #expect(summary.files.allSatisfy { $0.size <= 100_000 })
      let reader = try BundleReader(path: summary.files[0].path)
      #expect(try reader.zones().count == 903)
      let report = try reader.verify()
      #expect(report.findings == [])
      let whole = try content.write(to: "\(folder)/whole.recordpack")
      #expect(summary.contentHash == whole.contentHash)
    }
  }

  @Test(
    "a split size that header and zones fill is refused with one that they do not fill",
    arguments: [false, true])
  func noRoom(inHeader: Bool) throws {
    try withFolder { folder in
      var content = content(zones: inHeader ? 3 : 3000)
      if inHeader {
        var random = SeededGenerator(4)
        content.container.schema = (0..<12_000).map { _ in "\(random.next())" }.joined()
      }
      let error = #expect(throws: BundleError.self) { try split(content, in: folder) }
      #expect(error?.code == .limitExceeded)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      let words = error?.message.split(separator: " ") ?? []
      let size = try #require(words.dropLast(3).last.flatMap { Int($0) }, "\(words)")
      let options = BundleWriter.Options.test(splitSize: size)
      let summary = try content.write(to: "\(folder)/a.recordpack", options)
      #expect(summary.files.allSatisfy { $0.size <= size })
      #expect(try BundleReader(path: summary.files[0].path).verify().isIntact)
    }
  }

  @Test("a file whose index would be too long is refused with what helps")
  func longIndex() throws {
    try withFolder { folder in
      var options = FrameWriter.Options()
      options.limits.maxLine = 4000
      options.threads = 1
      let sink = try AtomicFile(path: "\(folder)/a")
      let file = try BundleFileWriter(sink: sink, header: BundleHeader(), options: options)
      for number in 100..<200 {
        let key = LineKey(
          kind: .record, database: .private, zoneID: .default, recordType: "T\(number)")
        try file.writeLine(in: key, name: "a") { $0.append("{}") }
      }
      let error = #expect(throws: BundleError.self) { try file.finish(isLastShard: nil) }
      #expect(error?.code == .limitExceeded)
      #expect(error?.message.contains("the index of 100 sections") == true)
      #expect(error?.message.contains("Split the bundle into several files") == true)
      sink.discard()
    }
  }

  @Test("where a bundle is split does not depend on the threads")
  func deterministic() throws {
    try withFolder { folder in
      let content = SampleContent(records: 3000, assetSize: 10)
      let one = try split(content, in: folder, threads: 1)
      let contents = try one.files.map { try bytes(of: $0.path) }
      let many = try split(content, in: folder, threads: 4)
      #expect(try many.files.map { try bytes(of: $0.path) } == contents)
    }
  }

  /// Splits 9,000 records into at least three files.
  private func threeFiles(in folder: String) throws -> [String] {
    let summary = try split(SampleContent(records: 9000, assetSize: 10), in: folder)
    try #require(summary.files.count >= 3)
    return summary.files.map(\.path)
  }

  @Test("a missing file, one given twice, and one of another bundle are named")
  func incomplete() throws {
    try withFolder { folder in
      let paths = try threeFiles(in: folder)
      for wrong in [
        Array(paths.dropLast()), Array(paths.dropFirst()), [paths[0], paths[2]], paths + [paths[1]],
      ] {
        let error = #expect(throws: BundleError.self) { try BundleReader(paths: wrong) }
        #expect(error?.code == .shards)
      }
      #expect(try BundleReader(paths: paths.reversed()).recordCount == 9000)
      try FileManager.default.removeItem(atPath: paths[1])
      let error = #expect(throws: BundleError.self) { try BundleReader(path: paths[0]) }
      #expect(error?.description.contains("file 2") == true)
    }
  }

  @Test("a set whose first file is missing is refused, whichever file is named")
  func withoutFirst() throws {
    try withFolder { folder in
      let paths = try threeFiles(in: folder)
      try FileManager.default.removeItem(atPath: paths[0])
      for path in paths.dropFirst() {
        let error = #expect(throws: BundleError.self) { try BundleReader(path: path) }
        #expect(error?.code == .shards && error?.description.contains("file 1 is missing") == true)
      }
    }
  }

  @Test("a set whose headers differ is refused, though the digests follow")
  func headersDiffer() throws {
    try withFolder { folder in
      let content = SampleContent(records: 6, assetSize: 10)
      let paths = try content.writeSet(of: 2, to: folder)
      #expect(try BundleReader(paths: paths).verify().isIntact)
      #expect(try BundleReader(path: paths[1]).recordCount == 6)
      var other = content.container
      other.otherMembers = [OtherMember(name: "app", value: RawJSON(compact: "1"))]
      _ = try content.writeSet(of: 2, to: folder, lastContainer: other)
      let error = #expect(throws: BundleError.self) { try BundleReader(paths: paths) }
      #expect(error?.code == .shards)
      #expect(error?.message.contains("another container") == true, "\(String(describing: error))")
    }
  }

  @Test("a split bundle that fails leaves no file behind")
  func atomic() throws {
    try withFolder { folder in
      let options = BundleWriter.Options.test(splitSize: 70_000)
      let writer = try BundleWriter(
        path: "\(folder)/a.recordpack", container: ContainerInfo(), options: options)
      for (zone, database) in SampleContent(records: 0).zones {
        try writer.write(zone, database: database)
      }
      for (record, database) in SampleContent(records: 3000).records {
        try writer.write(record, database: database)
      }
      writer.cancel()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }
}
