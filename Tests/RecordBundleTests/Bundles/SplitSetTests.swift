import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite("Sets of files of a split bundle")
struct SplitSetTests {
  private func write(_ records: Int, in folder: String) throws -> BundleSummary {
    let options = BundleWriter.Options.test(frameSize: 600, splitSize: 64 << 10, threads: 1)
    return try SampleContent(records: records, assetSize: 300)
      .write(to: "\(folder)/a.recordpack", options)
  }

  @Test("Writing over a set of more files removes those that are left")
  func overwrite() throws {
    try withFolder { folder in
      let many = try write(600, in: folder).files.count
      try #require(many > 3)
      // A file with a matching name that does not belong to a set is not removed.
      let stranger = ShardNames.path(of: many + 1, for: "\(folder)/a.recordpack")
      try RecordBundleTests.write(Array("notes".utf8), to: stranger)
      let few = try write(5, in: folder).files.count
      try #require(few < many)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.count == few + 1 && FileManager.default.fileExists(atPath: stranger))
    }
  }

  @Test("A file that an older set has left is refused, not passed over")
  func leftover() throws {
    try withFolder { folder in
      let many = try write(600, in: folder).files
      try #require(many.count > 3)
      let left = try bytes(of: many[2].path)
      _ = try write(5, in: folder)
      try RecordBundleTests.write(left, to: many[2].path)
      let error = #expect(throws: BundleError.self) { try BundleReader(path: many[2].path) }
      #expect(error?.code == .shards && error?.source == many[2].path)
    }
  }

  @Test("Files whose headers tell of two containers are refused")
  func otherHeader() throws {
    try withFolder { folder in
      let files = try write(600, in: folder).files.map(\.path)
      var content = SampleContent(records: 600, assetSize: 300)
      content.container.schemaVersion = "2"
      let options = BundleWriter.Options.test(frameSize: 600, splitSize: 64 << 10)
      let other = try content.write(to: "\(folder)/b.recordpack", options).files.map(\.path)
      let error = #expect(throws: BundleError.self) {
        try BundleReader(paths: [files[0], other[1]] + files[2...])
      }
      #expect(error?.code == .shards)
    }
  }

  @Test("The content hash does not depend on how a bundle is split")
  func contentHash() throws {
    try withFolder { folder in
      let set = try write(600, in: folder)
      try #require(set.files.count > 3)
      let whole = try SampleContent(records: 600, assetSize: 300).write(to: "\(folder)/whole")
      #expect(set.contentHash == whole.contentHash)
      let first = try BundleReader(path: set.files[0].path)
      #expect(first.contentHash == whole.contentHash)
      #expect(try first.verify(threads: 1).isIntact)
    }
  }

  @Test("Only the number at the end of a file's name tells its place")
  func names() {
    #expect(ShardNames.number(in: "/x-00003/a.recordpack") == nil)
    #expect(ShardNames.number(in: "a-00003.recordpack") == 3)
    #expect(ShardNames.number(in: "a-0003.recordpack") == nil)
    #expect(ShardNames.number(in: "a-123456") == 123_456)
    #expect(
      ShardNames.sibling(2, of: "/x-00001/a-00001.recordpack", numbered: 1)
        == "/x-00001/a-00002.recordpack")
    #expect(ShardNames.sibling(2, of: "/x-00001/a.recordpack", numbered: 1) == nil)
    #expect(ShardNames.sibling(2, of: "a-00001.recordpack", numbered: 3) == nil)
  }
}
