import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

/// What a reader checks of a header, an index and the order of lines: each check alone, with the words
/// of its error.
@Suite("A bundle is refused")
struct BundleRefusalTests {
  private static let header = BundleDamageTests.header
  private static let zone =
    #"{"kind":"zone","database":"private","zoneID":{"zoneName":"Z","ownerRecordName":"_o"},"capabilities":[]}"#

  private func message(_ body: () throws -> Void) -> String? {
    let error = #expect(throws: BundleError.self) { try body() }
    return error?.message
  }

  @Test(
    "for a header that is none",
    arguments: [
      (#"{"kind":"zone","format":"recordpack","formatVersion":1}"#, "not the header of a bundle"),
      (#"{"kind":"header","format":"other","formatVersion":1}"#, "not the header of a bundle"),
      (#"{"kind":"header","format":"recordpack"}"#, "has no format version"),
      (
        #"{"kind":"header","format":"recordpack","formatVersion":1,"environment":"test"}"#,
        "neither 'development' nor 'production'"
      ),
      (
        #"{"kind":"header","format":"recordpack","formatVersion":1,"shard":{"number":0}}"#,
        "the shard's number is not 1 or more"
      ),
      (
        #"{"kind":"header","format":"recordpack","formatVersion":1,"shard":{}}"#,
        "the shard's number is not 1 or more"
      ),
    ])
  func header(_ line: String, _ words: String) {
    let found = message {
      _ = try Array(line.utf8).withUnsafeBytes { try BundleHeader(line: $0, of: "test") }
    }
    #expect(found?.contains(words) == true, "\(found ?? "")")
  }

  /// The index of a bundle with several sections and frames.
  private func sampleIndex() throws -> BundleIndex {
    try withFolder { folder in
      let options = BundleWriter.Options.test(frameSize: 2000, threads: 1)
      _ = try SampleContent(records: 40, assetSize: 300).write(to: "\(folder)/a", options)
      return try BundleReader(path: "\(folder)/a").indexes[0]
    }
  }

  private func parse(_ text: String) throws {
    _ = try Array(text.utf8).withUnsafeBytes { try BundleIndex(line: $0, of: "test") }
  }

  @Test("for an index whose numbers do not match each other")
  func index() throws {
    let index = try sampleIndex()
    let text = index.jsonValue.compactText
    try parse(text)
    try #require(index.sections.count > 3 && index.frames.count > 3)
    for (old, new, words) in [
      (#""kind":"index""#, #""kind":"zone""#, "should begin with"),
      (index.contentHash, index.contentHash + "0", "has no content hash"),
      (#""contentHash""#, #""hash""#, "has no content hash"),
      (#""compressedSize":"#, #""compressedSize":-"#, "has an invalid frame 0"),
      (#""lines":\#(index.lines),"#, #""lines":\#(index.lines + 1),"#, "differ from those of its"),
      (#""bytes":\#(index.bytes),"#, #""bytes":\#(index.bytes + 1),"#, "differ from those of its"),
      (#""firstFrame":1,"#, #""firstFrame":0,"#, "has an invalid section 0"),
      (#""kind":"zone""#, #""kind":"header""#, "has an invalid section 0"),
    ] {
      let place = try #require(text.range(of: old), "\(old)")
      let found = message { try parse(text.replacingCharacters(in: place, with: new)) }
      #expect(found?.contains(words) == true, "\(old): \(found ?? "")")
    }
    let last = index.sections.count - 1
    let changes: [(String, (inout BundleIndex) -> Void)] = [
      ("has an invalid section 0", { $0.sections[0].lines = $0.lines + 1 }),
      ("has an invalid section 0", { $0.sections[0].bytes = $0.bytes + 1 }),
      ("has an invalid section 0", { $0.sections[0].database = nil }),
      ("has an invalid section \(last)", { $0.sections[last].assets = -1 }),
      ("lists sections whose numbers", { $0.sections[0].bytes += 1 }),
      (
        "lists sections whose numbers",
        {
          $0.sections[0].lines += 1
          $0.sections[0].bytes += 0
        }
      ),
      ("lists section 0 in frames that are not contiguous", { $0.sections[0].frames = 2...2 }),
      (
        "lists frames without a section",
        {
          let frame = $0.frames[$0.frames.count - 1]
          $0.frames.append(frame)
          $0.sections[last].lines += frame.lines
          $0.sections[last].bytes += frame.size
        }
      ),
      (
        "out of order",
        {
          let kinds = ($0.sections[0].database, $0.sections[1].database)
          $0.sections[1].kind = $0.sections[0].kind
          $0.sections[1].zoneID = nil
          $0.sections[1].recordType = nil
          ($0.sections[0].database, $0.sections[1].database) = (.shared, kinds.0)
        }
      ),
    ]
    for (words, change) in changes {
      var changed = index
      change(&changed)
      let found = message { try parse(changed.jsonValue.compactText) }
      #expect(found?.contains(words) == true, "\(words): \(found ?? "")")
    }
  }

  @Test("for an index that does not list the frames of the file")
  func frames() throws {
    let changes: [(String, (inout BundleIndex) -> Void)] = [
      (
        "the index lists 3 frames, and the file has 2 before it",
        {
          $0.frames.append($0.frames[1])
          $0.sections[0].lines *= 2
          $0.sections[0].bytes *= 2
          $0.sections[0].frames = 1...2
        }
      ),
      ("the locations of frame 1", { $0.frames[1].offset += 1 }),
      ("the locations of frame 1", { $0.frames[1].compressedSize += 1 }),
      (
        "the locations of frame 1",
        {
          $0.frames[1].size += 1
          $0.sections[0].bytes += 1
        }
      ),
      ("has lines besides the header", { $0.frames[0].lines = 2 }),
      ("header and index disagree", { $0.isLastShard = true }),
    ]
    for (words, change) in changes {
      try withFolder { folder in
        try BundleDamageTests.writeLines(
          [Self.header, Self.zone], to: "\(folder)/a", changing: change)
        let found = message { _ = try BundleReader(path: "\(folder)/a") }
        #expect(found?.contains(words) == true, "\(words): \(found ?? "")")
      }
    }
  }

  @Test("for a file of one frame, and for a last frame with more than the index")
  func lastFrame() throws {
    try withFolder { folder in
      let sink = try AtomicFile(path: "\(folder)/one")
      let writer = try FrameWriter(sink: sink, options: .small())
      try writer.append(Self.header)
      _ = try writer.finish()
      try sink.commit()
      let one = message { _ = try BundleReader(path: "\(folder)/one") }
      #expect(one?.contains("has a single frame") == true, "\(one ?? "")")
      let index = try sampleIndex().jsonValue.compactText
      let again = try AtomicFile(path: "\(folder)/two")
      let two = try FrameWriter(sink: again, options: .small(frameSize: 1 << 20))
      try two.append(Self.header)
      try two.endFrame()
      try two.append(index)
      try two.append(index)
      _ = try two.finish()
      try again.commit()
      let more = message { _ = try BundleReader(path: "\(folder)/two") }
      #expect(more?.contains("the last frame has more than one line") == true, "\(more ?? "")")
    }
  }

  @Test("for chunks of assets that do not follow each other")
  func chunks() throws {
    let (a, b) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
    let (size, whole) = (AssetChunk.size, AssetChunk.size + 5)
    typealias Chunk = (sha256: String, size: Int, offset: Int, count: Int)
    let cases: [(String, [Chunk])] = [
      ("begins with a chunk at byte 5", [(a, 10, 5, 5)]),
      ("should begin at byte \(size)", [(a, whole, 0, size), (a, whole, 5, 5)]),
      ("should begin at byte \(size)", [(a, whole, 0, size), (a, whole + 1, size, 6)]),
      ("ends after \(size) of its", [(a, whole, 0, size), (b, 1, 0, 1)]),
      ("comes after", [(b, 1, 0, 1), (a, 1, 0, 1)]),
      ("a chunk of 3 bytes", [(a, whole, 0, 3)]), ("a chunk of 6 bytes", [(a, 5, 0, 6)]),
      ("a chunk of 0 bytes", [(a, 5, 0, 0)]),
    ]
    for (words, chunks) in cases {
      let found = message {
        var order = LineOrderCheck()
        for chunk in chunks {
          try order.advance(
            toAsset: chunk.sha256, size: chunk.size, offset: chunk.offset, count: chunk.count,
            at: LineLocation(source: "test"))
        }
      }
      #expect(found?.contains(words) == true, "\(words): \(found ?? "")")
    }
    var order = LineOrderCheck()
    for (digest, chunkSize, offset, count) in [
      (a, whole, 0, size), (a, whole, size, 5), (b, 0, 0, 0),
    ] {
      try order.advance(
        toAsset: digest, size: chunkSize, offset: offset, count: count,
        at: LineLocation(source: "test"))
    }
  }

  @Test(
    "for a chunk whose members do not fit",
    arguments: [
      (#""size":5,"offset":6,"data":"""#, "an asset line has sha256"),
      (#""size":-1,"offset":0,"data":"""#, "an asset line has sha256"),
      (#""size":5,"offset":0,"data":"?""#, "is not base64"),
      (#""size":5,"offset":0,"data":"AAAAAAAA""#, "a chunk of 6 bytes at 0"),
      (#""size":5,"offset":5,"data":"AA==""#, "a chunk of 1 bytes at 5"),
    ])
  func chunkMembers(_ members: String, _ words: String) {
    let digest = String(repeating: "a", count: 64)
    for other in ["", #","x":1"#] {
      let line = #"{"kind":"asset","sha256":"\#(digest)",\#(members)\#(other)}"#
      let found = message {
        _ = try Array(line.utf8).withUnsafeBytes {
          try AssetChunk(line: $0, at: LineLocation(source: "test"))
        }
      }
      #expect(found?.contains(words) == true, "\(line): \(found ?? "")")
    }
  }

  @Test("for files of two split bundles of one container, and for one file given twice")
  func sets() throws {
    try withFolder { folder in
      func paths(_ name: String, _ content: SampleContent) throws -> [String] {
        let path = "\(folder)/\(name)"
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: false)
        return try content.writeSet(of: 2, to: path)
      }
      let first = try paths("a", SampleContent(records: 20, assetSize: 20))
      let second = try paths("b", SampleContent(records: 30, assetSize: 20))
      var content = SampleContent(records: 20, assetSize: 20)
      content.container.identifier = "iCloud.com.example.other"
      let other = try paths("c", content)
      let mixed = message { _ = try BundleReader(paths: [first[0], second[1]]) }
      #expect(mixed?.contains("does not follow") == true, "\(mixed ?? "")")
      for (files, words) in [
        ([first[0], other[1]], "belong to two bundles"), ([first[0], second[0]], "given twice"),
      ] {
        let found = message {
          _ = try BundleRecovery.recover(files, to: "\(folder)/r.recordpack")
        }
        #expect(found?.contains(words) == true, "\(found ?? "")")
      }
    }
  }

  @Test("for an asset that ends early, and recovers no record behind one")
  func afterAssets() throws {
    try withFolder { folder in
      let content = SampleContent(records: 1, assetSize: 20)
      _ = try content.write(to: "\(folder)/a", .test(threads: 1))
      let reader = try BundleReader(path: "\(folder)/a")
      let early = message { try reader.checkEnd(ofAsset: "x", after: 3, of: 5) }
      #expect(early?.contains("asset x ends after 3 of its 5 bytes") == true, "\(early ?? "")")
      try reader.checkEnd(ofAsset: "x", after: 5, of: 5)
      var filter = RecoveryFilter()
      let chunk = AssetChunk(
        sha256: String(repeating: "a", count: 64), assetSize: 1, offset: 0, data: [1])
      let isAccepted = try filter.accepts(.asset(chunk), of: "test")
      #expect(isAccepted)
      let (record, database) = content.records[0]
      let late = message { _ = try filter.accepts(.record(record, database), of: "test") }
      #expect(late?.contains("a record comes after an asset") == true, "\(late ?? "")")
    }
  }

  @Test(
    "in a frame that cannot be followed",
    arguments: [
      // A block of a reserved type, one that is too large, and one that the file does not have.
      ([0x24, 2, 2 << 3 | 7, 0, 0, 1, 1, 0, 0, 0, 0], "a block header of the frame is not valid"),
      ([0x24, 2, 0x01, 0xFF, 0xFF, 1, 1, 0, 0, 0, 0], "a block header of the frame is not valid"),
      ([0x24, 2, 2 << 3 | 1, 0, 0, 1, 1, 0, 0], "the file ends inside the frame"),
    ] as [([UInt8], String)])
  func extents(_ rest: [UInt8], _ words: String) throws {
    let file = try RandomAccessFile(Data([0x28, 0xB5, 0x2F, 0xFD] + rest), name: "test")
    var blocks = 0
    let problem = #expect(throws: FrameExtent.Problem.self) {
      try FrameExtent(file, at: 0, limits: .standard, blocks: &blocks)
    }
    #expect(problem?.reason == words)
  }
}
