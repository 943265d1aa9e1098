import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite("Recovery of frames out of place")
struct RecoveryOrderTests {
  /// A bundle in memory: its frames without the index's, and the bytes after them.
  private struct Parts {
    var frames: [[UInt8]]
    var tail: [UInt8]
    /// The number of records in each frame.
    var records: [Int]

    init(_ path: String) throws {
      let content = try bytes(of: path)
      let index = try BundleReader(path: path).indexes[0]
      frames = index.frames.map {
        Array(content[Int($0.offset)..<Int($0.offset) + $0.compressedSize])
      }
      tail = Array(content[frames.reduce(0) { $0 + $1.count }...])
      records = index.frames.indices.map { number in
        let sections = index.sections.filter { $0.frames.contains(number) }
        return sections.allSatisfy { $0.kind == .record } && !sections.isEmpty
          ? index.frames[number].lines : 0
      }
    }
  }

  private var options: BundleWriter.Options {
    .test(frameSize: 600, threads: 1)
  }

  /// Writes a bundle whose large asset fills several frames.
  private func parts(
    in folder: String, text: String = "1", assetSize: Int = 300_000
  ) throws -> Parts {
    var content = SampleContent(records: 30, assetSize: assetSize)
    content.container.schemaVersion = "1"
    if text != "1" {
      content.records = content.records.map { record, database in
        var fields = record.fields.filter { $0.name != "text" }
        fields.append(Field(name: "text", value: .string(text)))
        return (ResultRecord(systemFields: record.systemFields, fields: fields), database)
      }
    }
    _ = try content.write(to: "\(folder)/\(text).recordpack", options)
    return try Parts("\(folder)/\(text).recordpack")
  }

  /// Recovers a file of these pieces.
  private func recover(
    _ pieces: [[UInt8]], in folder: String, unverified: String? = nil
  ) throws -> RecoveryReport {
    try write(pieces.joined(), to: "\(folder)/d.recordpack")
    return try BundleRecovery.recover(
      ["\(folder)/d.recordpack"], to: "\(folder)/r.recordpack", unverified: unverified,
      options: options)
  }

  private func isSavedWhole(in folder: String) throws -> Bool {
    try bytes(of: "\(folder)/r.recordpack") == bytes(of: "\(folder)/1.recordpack")
  }

  @Test("Frames in any order, and twice, are all saved, and nothing is lost")
  func anyOrder() throws {
    try withFolder { folder in
      let parts = try parts(in: folder)
      let (frames, tail) = (parts.frames, parts.tail)
      let last = frames.count - 1
      let orders: [[[UInt8]]] = [
        frames[..<2] + [frames[7]] + frames[2...] + [tail],
        frames[..<2] + [frames[last]] + frames[2..<last] + [frames[last], tail],
        frames[4...] + [tail] + frames[..<4],
        // Zones behind assets.
        frames[..<1] + frames[2...] + [frames[1], tail],
        frames.reversed() + [tail],
        frames + [tail] + frames + [tail],
      ]
      for pieces in orders {
        let report = try recover(pieces, in: folder)
        #expect(report.isComplete, "\(report)")
        #expect(try isSavedWhole(in: folder))
      }
    }
  }

  @Test("Without an index, frames in any order are all saved")
  func anyOrderWithoutIndex() throws {
    try withFolder { folder in
      let parts = try parts(in: folder)
      let report = try recover(Array(parts.frames[5...]) + Array(parts.frames[..<5]), in: folder)
      #expect(report.leftOutCount == 0 && report.missingAssets.isEmpty && !report.isComplete)
      #expect(try isSavedWhole(in: folder))
    }
  }

  @Test("A frame that the index does not list is left out, and offered unverified")
  func unlisted() throws {
    try withFolder { folder in
      let parts = try parts(in: folder)
      let older = try self.parts(in: folder, text: "older")
      let place = try #require(parts.records.lastIndex { $0 > 0 })
      let apart = "\(folder)/apart.jsonl"
      // Between two frames, and instead of one.
      for count in [0, 1] {
        let frames =
          parts.frames[..<place] + [older.frames[place]] + parts.frames[(place + count)...]
        let report = try recover(frames + [parts.tail], in: folder, unverified: apart)
        #expect(!report.isComplete && report.leftOutCount == older.records[place], "\(report)")
        #expect(report.leftOut.first?.contains("the index does not list it") == true)
        #expect(report.lostFrames.count == count && report.unknowns.isEmpty)
        #expect(report.unverifiedLines == older.records[place])
        let lost = count == 0 ? 0 : parts.records[place]
        #expect(report.saved[.record] == 30 - lost)
        let saved = try BundleReader(path: "\(folder)/r.recordpack").verify(threads: 1)
        #expect(saved.isIntact || count == 1, "\(saved)")
        #expect(try String(contentsOfFile: apart, encoding: .utf8).contains("older"))
      }
    }
  }

  @Test("The index of another bundle between the frames is left out")
  func foreignIndex() throws {
    try withFolder { folder in
      let parts = try parts(in: folder)
      let older = try self.parts(in: folder, text: "older")
      let report = try recover(
        parts.frames + [parts.tail, older.tail], in: folder)
      #expect(report.leftOutCount == 1 && report.lostFrames.isEmpty && report.losses.isEmpty)
      #expect(try isSavedWhole(in: folder))
    }
  }

  @Test("Two bundles of one container that were joined are refused")
  func joined() throws {
    try withFolder { folder in
      let parts = try parts(in: folder)
      let older = try self.parts(in: folder, text: "older")
      let error = #expect(throws: BundleError.self) {
        try recover(older.frames + [older.tail] + parts.frames + [parts.tail], in: folder)
      }
      #expect(error?.code == .shards)
    }
  }

  @Test(
    "What another program compressed again is saved whole, and nothing is lost",
    arguments: [300, 300_000])
  func compressedAgain(_ assetSize: Int) throws {
    try withFolder { folder in
      _ = try parts(in: folder, assetSize: assetSize)
      let pieces = try compressAgain("\(folder)/1.recordpack", frameSize: 5000, in: folder)
      let report = try recover(pieces, in: folder)
      #expect(report.isComplete && report.lostFrames.isEmpty, "\(report)")
      #expect(report.notes.count == 1 && report.notes.first?.contains("compressed") == true)
      #expect(try isSavedWhole(in: folder))
    }
  }

  @Test("Of what was compressed again and damaged, the index tells how many lines are lost")
  func compressedAgainAndDamaged() throws {
    try withFolder { folder in
      _ = try parts(in: folder, assetSize: 300)
      var pieces = try compressAgain("\(folder)/1.recordpack", frameSize: 5000, in: folder)
      pieces.remove(at: 1)
      let report = try recover(pieces, in: folder)
      let records = report.saved[.record] ?? 0
      #expect(report.leftOutCount == 0 && report.lostLines == 30 - records, "\(report)")
      #expect(records > 10 && records < 30)
      #expect(!report.isComplete && report.unknowns.count == 1, "\(report)")
    }
  }

  @Test("A header that was compressed to the same bytes does not make the other frames unlisted")
  func compressedAgainButHeader() throws {
    try withFolder { folder in
      _ = try parts(in: folder, assetSize: 300)
      let path = "\(folder)/1.recordpack"
      let second = try FrameReader(path: path).table[1]
      let header = try Array(bytes(of: path)[..<Int(second.offset)])
      var pieces = try compressAgain(path, frameSize: 5000, skippingFirst: true, in: folder)
      pieces.remove(at: 1)
      let report = try recover([header] + pieces, in: folder)
      let records = report.saved[.record] ?? 0
      #expect(report.leftOutCount == 0 && records > 10 && records < 30, "\(report)")
      #expect(report.lostLines == 30 - records)
    }
  }

  @Test(
    "Frames without a checksum or the size of their content are saved if the index proves the lines"
  )
  func compressedAgainWithoutChecksum() throws {
    try withFolder { folder in
      _ = try parts(in: folder, assetSize: 300_000)
      let path = "\(folder)/1.recordpack"
      let table = try FrameReader(path: path)
      var content: [UInt8] = []
      for number in 0..<table.table.count {
        try table.withFrame(number) { content += $0.bytes }
      }
      let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
      for size in [content.count, 7000] {
        let again = stride(from: 0, to: content.count, by: size).flatMap {
          skippable + Self.rawFrame(content[$0..<min(content.count, $0 + size)])
        }
        let report = try recover([again], in: folder)
        #expect(report.isComplete && report.saved[.record] == 30, "\(report)")
        #expect(report.notes.count == 1 && report.notes.first?.contains("compressed") == true)
        #expect(try isSavedWhole(in: folder))
        // Another letter in a record's name is noticed by the hash of the content alone.
        var changed = again
        let name = try #require(changed.firstRange(of: Array(#""recordName":""#.utf8)))
        changed[name.upperBound] ^= 1
        #expect(throws: BundleError.self) { try recover([changed], in: folder) }
        #expect(throws: BundleError.self) { try recover([Array(again.dropLast(9))], in: folder) }
      }
    }
  }

  @Test("Of a bundle without the bytes of its assets that was compressed again, these are missing")
  func compressedAgainWithoutAssets() throws {
    try withFolder { folder in
      var content = SampleContent(records: 30, assetSize: 300)
      content.assets = []
      _ = try content.write(to: "\(folder)/1.recordpack", options)
      let table = try FrameReader(path: "\(folder)/1.recordpack")
      var lines: [UInt8] = []
      for number in 0..<table.table.count { try table.withFrame(number) { lines += $0.bytes } }
      let report = try recover([Self.rawFrame(lines[...])], in: folder)
      #expect(report.missingAssets.count == 3 && !report.isComplete, "\(report)")
      #expect(report.saved[.record] == 30)
    }
  }

  /// A zstd frame of blocks that are not compressed, without a checksum or the size of its content.
  private static func rawFrame(_ content: ArraySlice<UInt8>) -> [UInt8] {
    // Magic number, no flags, a window of 128 KiB.
    var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x38]
    var rest = content
    repeat {
      let block = rest.prefix(100_000)
      rest = rest.dropFirst(block.count)
      let header = block.count << 3 | (rest.isEmpty ? 1 : 0)
      frame += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)]
      frame += block
    } while !rest.isEmpty
    return frame
  }

  /// Returns larger frames with the same lines, including the index's; then the end of the file.
  private func compressAgain(
    _ path: String, frameSize: Int, skippingFirst: Bool = false, in folder: String
  ) throws -> [[UInt8]] {
    let sink = try AtomicFile(path: "\(folder)/again")
    var options = FrameWriter.Options()
    options.frameSize = frameSize
    options.threads = 1
    let writer = try FrameWriter(sink: sink, options: options)
    let table = try FrameReader(path: path)
    for number in (skippingFirst ? 1 : 0)..<table.table.count {
      try table.withFrame(number) { content in
        for line in content.lines {
          try writer.withLineBuffer { $0.append(line) }
          try writer.finishLine()
        }
      }
    }
    let frames = try writer.finish().frames
    try sink.commit()
    let content = try bytes(of: "\(folder)/again")
    return frames.map { Array(content[Int($0.offset)..<Int($0.endOffset)]) }
      + [Array(content[Int(frames.last?.endOffset ?? 0)...])]
  }
}
