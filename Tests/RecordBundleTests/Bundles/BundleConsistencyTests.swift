import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

/// Files whose checksums are right, but whose parts contradict each other: each fails one check.
@Suite("A bundle whose parts contradict each other")
struct BundleConsistencyTests {
  /// Writes a file with one frame of lines and a last frame, and returns the error of opening it.
  private func error(
    of lines: [String] = [BundleDamageTests.header],
    last: (inout BundleIndex) throws -> String? = { _ in nil }
  ) throws -> BundleError? {
    try withFolder { folder in
      let path = folder + "/a.recordpack"
      let sink = try AtomicFile(path: path)
      let writer = try FrameWriter(sink: sink, options: FrameWriter.Options())
      for line in lines { try writer.append(line) }
      _ = try writer.finish { frames in
        var outline = BundleIndexBuilder()
        var index = outline.index(frames: frames, header: ContentHash(), isLastShard: nil)
        return Array((try last(&index) ?? index.jsonValue.compactText).utf8)
      }
      try sink.commit()
      do {
        _ = try BundleReader(path: path)
        return nil
      } catch { return error as? BundleError }
    }
  }

  @Test("is read if they do not")
  func consistent() throws {
    #expect(try error() == nil)
  }

  @Test(
    "is refused for its header",
    arguments: [
      (#"{"kind":"zone","format":"recordpack","formatVersion":1}"#, "is not the header"),
      (#"{"kind":"header","format":"other","formatVersion":1}"#, "is not the header"),
      (
        #"{"kind":"header","format":"recordpack","formatVersion":1,"shard":{"number":0}}"#,
        "the shard's number is not 1 or more"
      ),
    ])
  func header(line: String, part: String) throws {
    let text = try error(of: [line])?.message ?? ""
    #expect(text.contains(part), "\(text)")
  }

  @Test("is refused if its first frame has more than the header, or it has no index")
  func frames() throws {
    let zone = #"{"kind":"zone","database":"private","zoneID":{"zoneName":"Z"}}"#
    #expect(
      try error(of: [BundleDamageTests.header, zone])?.message.contains(
        "the first frame has lines besides the header") == true)
    #expect(
      try error(of: [], last: { _ in BundleDamageTests.header })?.message.contains(
        "a single frame") == true)
    #expect(
      try error(last: { "\($0.jsonValue.compactText)\n{}" })?.message.contains(
        "more than one line") == true)
    #expect(
      try error(last: { _ in zone })?.message.contains(#"should begin with {"kind":"index""#)
        == true)
  }

  @Test("is refused if its index does not match the frames or the header")
  func index() throws {
    func message(_ change: (inout BundleIndex) -> Void) throws -> String {
      try error(last: { index in
        change(&index)
        return nil
      })?.message ?? ""
    }
    #expect(try message { $0.frames = [] }.contains("the index lists 0 frames"))
    #expect(
      try message { $0.frames[0].compressedSize += 1 }.contains(
        "the locations of frame 0 in the index and the seek table differ"))
    #expect(try message { $0.isLastShard = true }.contains("header and index disagree"))
    let lines = try error(last: {
      $0.jsonValue.compactText.replacing(#""lines":1,"bytes""#, with: #""lines":2,"bytes""#)
    })
    #expect(lines?.message.contains("differ from those of its frames") == true)
    let section = try error(last: {
      $0.jsonValue.compactText.replacing(
        #""sections":[]"#, with: #""sections":[{"kind":"zone","lines":9,"bytes":9}]"#)
    })
    #expect(section?.message.contains("has an invalid section 0") == true)
  }

  @Test("is refused if its files follow another bundle's, or are given twice")
  func shards() throws {
    try withFolder { folder in
      var sets: [[String]] = []
      for (name, records) in [("a", 4), ("b", 6)] {
        let path = "\(folder)/\(name)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        sets.append(try SampleContent(records: records, assetSize: 20).writeSet(of: 2, to: path))
      }
      let mixed = #expect(throws: BundleError.self) {
        try BundleReader(paths: [sets[0][0], sets[1][1]])
      }
      #expect(mixed?.message.contains("does not follow") == true)
    }
  }

  @Test("is refused if an asset is longer or shorter than its lines say")
  func assets() throws {
    let digest = String(repeating: "a", count: 64)
    let long = #"{"kind":"asset","sha256":"\#(digest)","size":1,"offset":0,"data":"AAAA"}"#
    try withFolder { folder in
      let path = folder + "/a.recordpack"
      try BundleDamageTests.writeLines([BundleDamageTests.header, long], to: path)
      let reader = try BundleReader(path: path)
      let messages = try reader.verify(threads: 1).findings.map(\.message)
      #expect(messages.contains { $0.contains("a chunk of 3 bytes at 0 of an asset of 1 bytes") })
      let short = #expect(throws: BundleError.self) {
        try reader.checkEnd(ofAsset: digest, after: 3, of: 4)
      }
      #expect(short?.code == .mismatch)
      try reader.checkEnd(ofAsset: digest, after: 4, of: 4)
    }
  }
}
