import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite("Files that cannot be recovered, or not together")
struct RecoveryRefusalTests {
  private var options: BundleWriter.Options {
    .test(frameSize: 600, threads: 1)
  }

  /// Returns the error of recovering files, which writes nothing.
  private func refusal(_ paths: [String], in folder: String) -> BundleError? {
    let target = "\(folder)/r.recordpack"
    let error = #expect(throws: BundleError.self) {
      try BundleRecovery.recover(paths, to: target, options: options)
    }
    #expect(!FileManager.default.fileExists(atPath: target))
    return error
  }

  @Test("Two whole bundles of one container are not one split bundle")
  func wholeBundles() throws {
    try withFolder { folder in
      _ = try SampleContent(records: 3, assetSize: 300).write(to: "\(folder)/a", options)
      _ = try SampleContent(records: 4, assetSize: 300).write(to: "\(folder)/b", options)
      let error = refusal(["\(folder)/a", "\(folder)/b"], in: folder)
      #expect(error?.code == .shards)
      #expect(error?.message.contains("belong to two bundles") == true)
    }
  }

  @Test("Files of a set whose headers name two containers belong to two bundles")
  func otherContainer() throws {
    try withFolder { folder in
      let content = SampleContent(records: 20, assetSize: 300)
      var other = content.container
      other.schemaVersion = "2"
      let paths = try content.writeSet(of: 3, to: folder, lastContainer: other)
      let error = refusal(paths, in: folder)
      #expect(error?.code == .shards && error?.source == paths[2])
      #expect(error?.message.contains("belong to two bundles") == true)
    }
  }

  @Test("A file of a set is not given twice, under another name either")
  func twice() throws {
    try withFolder { folder in
      let paths = try SampleContent(records: 20, assetSize: 300).writeSet(of: 2, to: folder)
      let copy = "\(folder)/copy-00001.recordpack"
      try FileManager.default.copyItem(atPath: paths[0], toPath: copy)
      let error = refusal(paths + [copy], in: folder)
      #expect(error?.code == .shards)
      #expect(error?.message.contains("given twice") == true)
    }
  }

  @Test("Frames of two bundles without an index do not tell which header is theirs")
  func joinedWithoutIndexes() throws {
    try withFolder { folder in
      var content = SampleContent(records: 3, assetSize: 300)
      var joined: [UInt8] = []
      for name in ["a", "b"] {
        content.container.identifier = "iCloud.com.example.\(name)"
        let reader = try content.bundle(in: folder, options)
        let last = try #require(reader.indexes[0].frames.last)
        joined += try bytes(of: "\(folder)/a")[..<(Int(last.offset) + last.compressedSize)]
      }
      try write(joined, to: "\(folder)/c")
      let error = refusal(["\(folder)/c"], in: folder)
      #expect(error?.code == .shards)
      #expect(error?.message.contains("contains two bundles") == true)
    }
  }

  @Test("A line that follows an asset within a frame is out of order")
  func behindAsset() throws {
    var filter = RecoveryFilter()
    let asset = AssetChunk(
      sha256: SampleContent.sha256([1]), assetSize: 1, offset: 0, data: [1])
    let tombstone = DeletedRecord(recordID: RecordID(recordName: "gone"))
    #expect(try filter.accepts(.zone(RecordZone(zoneID: .default), .private), of: "a"))
    #expect(try filter.accepts(.asset(asset), of: "a"))
    #expect(try filter.accepts(.zone(RecordZone(zoneID: .default), .private), of: "a"))
    let error = #expect(throws: BundleError.self) {
      try filter.accepts(.tombstone(tombstone, .private), of: "a")
    }
    #expect(error?.code == .order)
    #expect(error?.message.contains("comes after an asset") == true)
  }

  @Test("A frame that is larger than any with an acceptable content is passed over unread")
  func hugeFrame() throws {
    try withFolder { folder in
      _ = try SampleContent(records: 3, assetSize: 300).write(to: "\(folder)/a", options)
      let path = "\(folder)/huge.recordpack"
      let whole = try bytes(of: "\(folder)/a")
      // A frame without a content size and with a window of 128 KiB: uncompressed blocks, which are
      // holes of the file.
      try write([0x28, 0xB5, 0x2F, 0xFD, 0x04, 7 << 3], to: path)
      let handle = try #require(FileHandle(forWritingAtPath: path))
      let size = UInt64(ZstdFormat.maxBlockSize)
      let count = UInt64(FrameLimits.standard.maxCompressedFrame) / size + 2
      for block in 0..<count {
        let header = UInt32(size) << 3 | (block == count - 1 ? 1 : 0)
        try handle.seek(toOffset: 6 + block * (size + 3))
        try handle.write(contentsOf: withUnsafeBytes(of: header.littleEndian) { $0.prefix(3) })
      }
      try handle.seek(toOffset: 6 + count * (size + 3) + 4)
      try handle.write(contentsOf: whole)
      try handle.close()
      let report = try BundleRecovery.recover(
        [path], to: "\(folder)/r.recordpack", options: options)
      #expect(report.damage.first?.reason.contains("larger than the limit") == true, "\(report)")
      #expect(report.saved[.record] == 3)
    }
  }

  @Test("A file with more frames than the format allows is read up to these")
  func manyFrames() throws {
    try withFolder { folder in
      let reader = try SampleContent(records: 40, assetSize: 300).bundle(in: folder, options)
      let path = "\(folder)/a"
      for (count, isCut) in [(3, true), (reader.indexes[0].frames.count + 1, false)] {
        let file = try RecoveryFile(RandomAccessFile(path: path), maxFrames: count)
        #expect(file.isCutShort == isCut)
        #expect(!isCut || file.frames.count == count)
      }
    }
  }
}
