import Foundation
import RecordModel
import Testing

@testable import RecordBundle

/// Bundles of every format version, which readers must read forever once it is published. From then
/// on, a file is not written again; a new format version adds one.
@Suite("Bundles of every published format version")
struct GoldenBundleTests {
  private func path(_ version: Int) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("format-\(version).recordpack").path
  }

  @Test("are there, one for each version")
  func complete() {
    for version in 1...BundleHeader.currentFormatVersion {
      #expect(FileManager.default.fileExists(atPath: path(version)), "format \(version)")
    }
  }

  @Test("format version 1 is read, to the last record and byte")
  func version1() throws {
    let bundle = try BundleReader(path: path(1))
    #expect(bundle.header.formatVersion == 1)
    #expect(bundle.container.schemaVersion == "v4")
    #expect(bundle.indexes.count == 1)
    #expect(bundle.contentHash == "6ac8807a5f0ca175")
    #expect(try bundle.verify().isIntact)
    #expect(bundle.indexes[0].frames.allSatisfy { $0.size <= 1 << 16 || $0.lines == 1 })
    var types: [String: Int] = [:]
    try bundle.forEachRecord { record, _ in types[record.recordType, default: 0] += 1 }
    #expect(
      types == ["Chat": 6, "Message": 72, "PrivateName": 2, "Reaction": 2, "ReadMarker": 6])
    let message = try #require(try bundle.records(named: "message-000000-000003").first?.record)
    let photo: Asset = try #require(message["photo"])
    var bytes: [UInt8] = []
    try bundle.forEachChunk(ofAsset: try #require(photo.sha256)) { bytes += $0 }
    #expect(Int64(bytes.count) == photo.size)
  }
}
