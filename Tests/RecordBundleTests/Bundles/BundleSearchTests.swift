import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite("Finding one record or asset")
struct BundleSearchTests {
  @Test("Every record and asset is found, whatever the frames, and none that is not there")
  func search() throws {
    for (frameSize, split) in [(300, nil), (2000, nil), (1 << 20, nil), (4096, 64 << 10)]
      as [(Int, Int?)]
    {
      try withFolder { folder in
        let content = SampleContent(records: 120, assetSize: 300_000)
        let options = BundleWriter.Options.test(frameSize: frameSize, splitSize: split)
        _ = try content.write(to: "\(folder)/a.recordpack", options)
        let reader = try BundleReader(
          path: split == nil
            ? "\(folder)/a.recordpack" : ShardNames.path(of: 1, for: "\(folder)/a.recordpack"))
        for (record, database) in content.records {
          let found = try reader.records(named: record.recordID.recordName)
          #expect(found.count == 1 && found.first?.record == record)
          #expect(found.first?.database == database)
        }
        for name in ["", "a", "m0000001", "m000000011", "zzz", "m00000300"] {
          #expect(try reader.records(named: name).isEmpty, "\(name)")
        }
        for asset in content.assets {
          var read: [UInt8] = []
          try reader.forEachChunk(ofAsset: SampleContent.sha256(asset)) { read += $0 }
          #expect(read == asset)
        }
        for digest in ["0", "8", "f"].map({ String(repeating: $0, count: 64) }) {
          let error = #expect(throws: BundleError.self) {
            try reader.forEachChunk(ofAsset: digest) { _ in }
          }
          #expect(error?.code == .notFound)
        }
      }
    }
  }

  @Test("A search reads one frame for each zone and type")
  func reads() throws {
    try withFolder { folder in
      let content = SampleContent(records: 2000, assetSize: 300)
      let file = try content.bundle(in: folder, .test(frameSize: 4096)).files[0]
      let section = try #require(file.index.sections.first { $0.kind == .record })
      try #require(section.frames.count > 50)
      for (record, _) in content.records {
        let number = file.frame(of: record.recordID.recordName, in: section)
        let next =
          file.index.frames.indices.contains(number + 1) ? file.index.frames[number + 1].first : nil
        #expect((file.index.frames[number].first ?? "") <= record.recordID.recordName)
        if section.frames.contains(number + 1) {
          #expect((next ?? "") > record.recordID.recordName)
        }
      }
    }
  }
}
