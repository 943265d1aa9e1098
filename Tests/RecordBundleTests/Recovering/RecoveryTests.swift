import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite("Recovery of damaged bundles")
struct RecoveryTests {
  private var options: BundleWriter.Options {
    .test(frameSize: 600, threads: 1)
  }

  /// Writes a small bundle, split into files of a few records each if requested.
  private func write(in folder: String, split: Int? = nil) throws -> BundleReader {
    var options = options
    options.splitSize = split
    let content = SampleContent(records: 400, assetSize: 300)
    let path = "\(folder)/a.recordpack"
    _ = try content.write(to: path, options)
    return try BundleReader(path: split == nil ? path : ShardNames.path(of: 1, for: path))
  }

  /// Changes a bit in the middle of a frame.
  private func damage(_ path: String, frame: BundleIndex.Frame) throws {
    var content = try bytes(of: path)
    content[Int(frame.offset) + frame.compressedSize / 2] ^= 0x10
    try RecordBundleTests.write(content, to: path)
  }

  @Test("An intact bundle is saved whole, and the report says that nothing was lost")
  func intact() throws {
    try withFolder { folder in
      let reader = try write(in: folder)
      let report = try BundleRecovery.recover(
        reader.fileNames, to: "\(folder)/r.recordpack", options: options)
      #expect(report.isComplete && report.unknowns.isEmpty && report.lostFrames.isEmpty)
      #expect(try bytes(of: "\(folder)/r.recordpack") == bytes(of: reader.fileNames[0]))
    }
  }

  @Test(
    "A file that is not a bundle is named, and no file is written",
    arguments: [
      (#"{"kind":"header"}"#, "not a bundle: it is JSON text"), ("plain", "it is plain text"),
      ("\u{28}\u{35}/\u{1}", "its first bytes are not those of a zstd file"),
    ])
  func foreign(content: String, expected: String) throws {
    try withFolder { folder in
      try RecordBundleTests.write(Array(content.utf8), to: "\(folder)/a.recordpack")
      let error = #expect(throws: (any Error).self) {
        _ = try BundleRecovery.recover(
          ["\(folder)/a.recordpack"], to: "\(folder)/r.recordpack", options: options)
      }
      let message = error.map { "\($0)" } ?? ""
      #expect(message.contains(expected))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names == ["a.recordpack"])
    }
  }

  @Test("A lost frame is told with its lines, what they were, and the names they lie between")
  func lostFrame() throws {
    try withFolder { folder in
      let reader = try write(in: folder)
      let frame = reader.indexes[0].frames[5]
      try damage(reader.fileNames[0], frame: frame)
      let report = try BundleRecovery.recover(
        reader.fileNames, to: "\(folder)/r.recordpack", options: options)
      #expect(!report.isComplete && report.lostLines == frame.lines && report.unknowns.isEmpty)
      let lost = try #require(report.lostFrames.first)
      #expect(report.lostFrames.count == 1 && lost.frame == 5 && lost.lines == frame.lines)
      #expect(lost.content.contains("records of type 'Message' in zone 'Chats'"))
      #expect(lost.content.contains("from '\(try #require(frame.first))'"))
      let next = try #require(reader.indexes[0].frames[6].first)
      #expect(lost.content.contains("to before '\(next)'"))
      #expect(report.saved[.record] == 400 - frame.lines)
      #expect(try BundleReader(path: "\(folder)/r.recordpack").verify().isIntact)
    }
  }

  @Test("Without an index it is told that what followed is unknown, also where no record was lost")
  func cutOff() throws {
    try withFolder { folder in
      let reader = try write(in: folder)
      let path = reader.fileNames[0]
      let whole = try bytes(of: path)
      let last = try #require(reader.indexes[0].frames.last)
      for length in [whole.count / 3, Int(last.offset) + last.compressedSize] {
        try RecordBundleTests.write(whole[..<length], to: path)
        let report = try BundleRecovery.recover(
          [path], to: "\(folder)/r.recordpack", options: options)
        #expect(!report.isComplete)
        #expect(report.unknowns.contains { $0.contains("the index") && $0.contains("is lost") })
      }
    }
  }

  @Test("Of a split bundle that one file is named of, all beside it are saved, in order")
  func set() throws {
    try withFolder { folder in
      let reader = try write(in: folder, split: 64 << 10)
      let files = reader.fileNames
      try #require(files.count > 2)
      for paths in [[files[0]], [files[1]], files.reversed()] {
        let report = try BundleRecovery.recover(
          paths, to: "\(folder)/r.recordpack", options: options)
        #expect(report.isComplete && report.saved[.record] == 400, "\(report)")
        #expect(report.sources == files)
      }
      #expect(try BundleReader(path: "\(folder)/r.recordpack").contentHash == reader.contentHash)
    }
  }

  @Test("Missing files of a split bundle are named, and what followed the last is unknown")
  func missingFiles() throws {
    try withFolder { folder in
      let reader = try write(in: folder, split: 64 << 10)
      let files = reader.fileNames
      try #require(files.count > 2)
      try FileManager.default.removeItem(atPath: files[1])
      var report = try BundleRecovery.recover(
        [files[0]], to: "\(folder)/r.recordpack", options: options)
      #expect(!report.isComplete && report.losses.contains { $0.contains("file 2") })
      #expect(report.unknowns.count == 1, "the last file tells how many there were")
      #expect(report.unknowns.first?.contains("belongs to the same bundle as") == true)
      for file in files[2...] { try FileManager.default.removeItem(atPath: file) }
      report = try BundleRecovery.recover(
        [files[0]], to: "\(folder)/r.recordpack", options: options)
      #expect(!report.isComplete && report.losses.contains { $0.contains("file 2") })
      #expect(report.unknowns.contains { $0.contains("how many files") })
    }
  }

  @Test("Files of two bundles are refused, together and joined into one file")
  func twoBundles() throws {
    try withFolder { folder in
      var content = SampleContent(records: 3, assetSize: 300)
      _ = try content.write(to: "\(folder)/a", options)
      content.container.identifier = "iCloud.com.example.other"
      _ = try content.write(to: "\(folder)/b", options)
      let joined = try bytes(of: "\(folder)/a") + bytes(of: "\(folder)/b")
      try RecordBundleTests.write(joined, to: "\(folder)/c")
      for paths in [["\(folder)/a", "\(folder)/b"], ["\(folder)/c"]] {
        let error = #expect(throws: BundleError.self) {
          try BundleRecovery.recover(paths, to: "\(folder)/r.recordpack", options: options)
        }
        #expect(error?.code == .shards)
      }
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/r.recordpack"))
    }
  }

  @Test(
    "What no checksum proves is written apart, and marked so that nothing takes it for a bundle")
  func unverified() throws {
    try withFolder { folder in
      let reader = try write(in: folder)
      let (path, apart) = (reader.fileNames[0], "\(folder)/rest.jsonl")
      let frame = reader.indexes[0].frames[5]
      // Only the checksum is wrong: all lines can be decompressed.
      var content = try bytes(of: path)
      content[Int(frame.offset) + frame.compressedSize - 1] ^= 1
      try RecordBundleTests.write(content, to: path)
      let report = try BundleRecovery.recover(
        [path], to: "\(folder)/r.recordpack", unverified: apart, options: options)
      #expect(!report.isComplete && report.unverifiedLines == frame.lines)
      let lines = try String(contentsOfFile: apart, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == frame.lines + 1)
      #expect(lines[0].hasPrefix(#"{"kind":"unverified","format":"recordpack.unverified""#))
      #expect(lines[1].contains(try #require(frame.first)))
      let saved = try BundleReader(path: "\(folder)/r.recordpack")
      #expect(try saved.records(named: try #require(frame.first)).isEmpty)
      #expect(throws: BundleError.self) { try BundleReader(path: apart) }
      let status = try FileManager.default.attributesOfItem(atPath: apart)
      #expect(status[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("An asset whose bytes are not those of its digest is not saved")
  func wrongAsset() throws {
    try withFolder { folder in
      let path = "\(folder)/a.recordpack"
      let content = SampleContent(records: 2, assetSize: 300)
      let writer = try BundleWriter(path: path, container: content.container, options: options)
      for (zone, database) in content.zones { try writer.write(zone, database: database) }
      for (record, database) in content.records { try writer.write(record, database: database) }
      let asset = try #require(content.assets.first { $0.count == 300 })
      try [UInt8](repeating: 7, count: 300).withUnsafeBytes {
        try writer.writeAssetChunk(
          sha256: SampleContent.sha256(asset), assetSize: 300, offset: 0, bytes: $0)
      }
      _ = try writer.finish()
      let report = try BundleRecovery.recover(
        [path], to: "\(folder)/r.recordpack", options: options)
      #expect(report.missingAssets.contains(SampleContent.sha256(asset)))
      #expect(!report.isComplete && report.saved[.asset] == nil)
    }
  }
}
