import Foundation
import RecordModel
import RecordPlatform
import Testing

@testable import RecordBundle

@Suite("What a bundle says of itself")
struct BundleIdentityTests {
  @Test("the content hash is the sum of the hashes of the lines, without their line feeds")
  func contentHash() throws {
    try withFolder { folder in
      let summary = try SampleContent(records: 40, assetSize: 300).write(to: "\(folder)/a")
      let reader = try BundleReader(path: "\(folder)/a")
      var sum: UInt64 = 0
      let frames = reader.files[0].frames
      for number in 0..<frames.frameCount - 1 {
        try frames.withFrame(number) { content in
          for line in content.lines { sum &+= XXH64.hash(line) }
        }
      }
      let digits = String(sum, radix: 16)
      #expect(summary.contentHash == String(repeating: "0", count: 16 - digits.count) + digits)
      #expect(reader.contentHash == summary.contentHash)
    }
  }

  @Test("the content hash is the same however the content is compressed, cut, and split")
  func sameContent() throws {
    try withFolder { folder in
      let content = SampleContent(records: 3000, assetSize: 300_000)
      var options = BundleWriter.Options()
      let hash = try content.write(to: "\(folder)/a", options).contentHash
      options.level = 7
      options.frameSize = 3000
      options.threads = 1
      #expect(try content.write(to: "\(folder)/b", options).contentHash == hash)
      options.splitSize = 64 << 10
      let split = try content.write(to: "\(folder)/c.recordpack", options)
      #expect(split.files.count > 3)
      #expect(split.contentHash == hash)
      #expect(try BundleReader(path: split.files[1].path).contentHash == hash)
      #expect(try BundleReader(path: split.files[1].path).verify().isIntact)
      // The hashes of the files are those of their own lines.
      #expect(Set(split.files.map(\.index.contentHash) + [hash]).count == split.files.count + 1)
      var other = content
      other.container.schemaVersion = "2"
      #expect(try other.write(to: "\(folder)/d").contentHash != hash)
      other = content
      other.records[1000].0 = content.records[1000].0
      other.records.remove(at: 2000)
      #expect(try other.write(to: "\(folder)/d").contentHash != hash)
    }
  }

  @Test("the digest of a frame is that of its bytes in the file, and the seal's that of the index")
  func digests() throws {
    try withFolder { folder in
      let summary = try SampleContent(records: 500, assetSize: 300).write(to: "\(folder)/a")
      let bytes = try bytes(of: "\(folder)/a")
      let frames = summary.files[0].index.frames
      try #require(frames.count > 2)
      for frame in frames {
        let start = Int(frame.offset)
        #expect(
          SampleContent.sha256(Array(bytes[start..<start + frame.compressedSize])) == frame.sha256)
      }
      let last = try #require(frames.last)
      let index = Int(last.offset) + last.compressedSize
      let tableSize = 8 + 12 * (frames.count + 2) + 9
      let seal = bytes.count - tableSize - 44
      #expect(SampleContent.sha256(Array(bytes[index..<seal])) == summary.files[0].indexSHA256)
      let start: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 36, 0, 0, 0] + Array("RPK1".utf8)
      #expect(Array(bytes[seal..<seal + 12]) == start)
      let digest = bytes[seal + 12..<seal + 44].map { byte in
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }.joined()
      #expect(digest == summary.files[0].indexSHA256)
    }
  }

  @Test("the index has the name that the first line of each frame is ordered by")
  func firstNames() throws {
    try withFolder { folder in
      let content = SampleContent(records: 400, assetSize: 700_000)
      let reader = try content.bundle(in: folder, .test(frameSize: 5000))
      var kinds: Set<LineKind> = []
      try reader.mapFrames(threads: 1) { frame in
        var item: BundleItem?
        try frame.forEachLine { line, number in
          if item == nil { item = try frame.item(line, number: number) }
        }
        return (frame.number, item)
      } consume: { number, item in
        let first = reader.indexes[0].frames[number].first
        if let item { kinds.insert(item.kind) }
        switch item {
        case nil, .zone, .zoneTombstone: #expect(first == nil)
        case .subscription(let subscription, _): #expect(first == subscription.subscriptionID)
        case .record(let record, _): #expect(first == record.recordID.recordName)
        case .tombstone(let tombstone, _): #expect(first == tombstone.recordID.recordName)
        case .asset(let chunk): #expect(first == chunk.sha256)
        }
      }
      #expect(kinds.isSuperset(of: [.zone, .record, .asset]))
    }
  }

  @Test("a record, or an asset, is read though every other frame is damaged: one frame is needed")
  func oneFrame() throws {
    try withFolder { folder in
      let content = SampleContent(records: 400, assetSize: 700_000)
      let reader = try content.bundle(in: folder, .test(frameSize: 3000))
      let whole = try bytes(of: "\(folder)/a")
      func damagingAll(but kept: Range<Int>, _ body: (BundleReader) throws -> Void) throws {
        var damaged = whole
        for (number, frame) in reader.indexes[0].frames.enumerated()
        where number > 0 && !kept.contains(number) {
          damaged[Int(frame.offset) + frame.compressedSize / 2] ^= 1
        }
        try write(damaged, to: "\(folder)/b")
        try body(try BundleReader(path: "\(folder)/b"))
      }
      let section = try #require(reader.sections.first { $0.kind == .record })
      for (record, _) in [content.records[0], content.records[217], content.records[399]] {
        let name = record.recordID.recordName
        let frame = reader.files[0].frame(of: name, in: section)
        try damagingAll(but: frame..<frame + 1) { bundle in
          let found = try bundle.records(named: name)
          #expect(found.map(\.record) == [record])
        }
      }
      let asset = try #require(content.assets.first { $0.count == 700_000 })
      let digest = SampleContent.sha256(asset)
      let pieces = try #require(reader.sections.first { $0.kind == .asset })
      let first = reader.files[0].frame(of: digest, in: pieces)
      try damagingAll(but: first..<first + 4) { bundle in
        var read: [UInt8] = []
        try bundle.forEachChunk(ofAsset: digest) { read += $0 }
        #expect(read == asset)
      }
    }
  }

  @Test("zones are ordered by their owners first, then by their names")
  func zoneOrder() throws {
    try withFolder { folder in
      let writer = try BundleWriter(path: "\(folder)/a", container: ContainerInfo())
      let zones = [
        ZoneID(zoneName: "B"), ZoneID(zoneName: "C"), ZoneID(zoneName: "A", ownerName: "_b"),
        ZoneID(zoneName: "D", ownerName: "_b"),
      ]
      for zoneID in zones { try writer.write(RecordZone(zoneID: zoneID), database: .private) }
      #expect(throws: BundleError.self) {
        try writer.write(
          RecordZone(zoneID: ZoneID(zoneName: "E", ownerName: "_a")), database: .private)
      }
      _ = try writer.finish()
      let reader = try BundleReader(path: "\(folder)/a")
      #expect(try reader.zones().map(\.zone.zoneID) == zones)
      #expect(try reader.verify().isIntact)
    }
  }
}
