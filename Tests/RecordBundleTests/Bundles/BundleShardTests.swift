import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite struct BundleShardTests {
  private func split(_ content: SampleContent, in folder: String, threads: Int = 2) throws
    -> BundleSummary
  {
    var options = BundleWriter.Options()
    options.splitSize = 100_000
    options.threads = threads
    return try content.write(to: "\(folder)/a.recordpack", options)
  }

  @Test("a bundle is split into files of at most that size, each a whole bundle")
  func split() throws {
    try withFolder { folder in
      let content = SampleContent(records: 6000, assetSize: 300_000)
      let summary = try split(content, in: folder)
      #expect(summary.files.count > 3)
      for (number, file) in summary.files.enumerated() {
        #expect(file.size <= 100_000 || file.index.sections.contains { $0.kind == .asset })
        #expect(file.path.hasSuffix("a-0000\(number + 1).recordpack"))
        #expect(try bytes(of: file.path).count == file.size)
      }
      for (file, next) in zip(summary.files, summary.files.dropFirst()) {
        let header = try BundleFile(RandomAccessFile(path: next.path), upgrade: .standard).header
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

  @Test("a missing file, one given twice, and one of another bundle are named")
  func incomplete() throws {
    try withFolder { folder in
      let summary = try split(SampleContent(records: 9000, assetSize: 10), in: folder)
      let paths = summary.files.map(\.path)
      try #require(paths.count >= 3)
      for wrong in [
        Array(paths.dropLast()), Array(paths.dropFirst()), [paths[0], paths[2]], paths + [paths[1]],
      ] {
        let error = #expect(throws: BundleError.self) { try BundleReader(paths: wrong) }
        #expect(error?.kind == .shards)
      }
      #expect(try BundleReader(paths: paths.reversed()).recordCount == 9000)
      try FileManager.default.removeItem(atPath: paths[1])
      let error = #expect(throws: BundleError.self) { try BundleReader(path: paths[0]) }
      #expect(error?.description.contains("file 2") == true)
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
      #expect(error?.kind == .shards)
      #expect(error?.message.contains("another container") == true, "\(String(describing: error))")
    }
  }

  @Test("a split bundle that fails leaves no file behind")
  func atomic() throws {
    try withFolder { folder in
      var options = BundleWriter.Options()
      options.splitSize = 70_000
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
