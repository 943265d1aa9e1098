import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

@Suite("What verify finds")
struct BundleVerifyTests {
  private static let zone = ZoneID(zoneName: "Chats")

  private func record(_ name: String, _ type: String) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: Self.zone), recordType: type), fields: [])
  }

  /// Returns the findings for a bundle that `body` writes after the zone.
  private func findings(_ body: (BundleWriter) throws -> Void) throws -> [String] {
    try withFolder { folder in
      let writer = try BundleWriter(path: "\(folder)/a", container: ContainerInfo())
      try writer.write(RecordZone(zoneID: Self.zone), database: .private)
      try body(writer)
      _ = try writer.finish()
      return try BundleReader(path: "\(folder)/a").verify(threads: 1).findings.map(\.message)
    }
  }

  @Test("Names and types that differ only in Unicode normalization are different ones")
  func normalization() throws {
    let found = try findings { writer in
      try writer.write(record("e\u{301}", "e\u{301}"), database: .private)
      try writer.write(record("\u{e9}", "\u{e9}"), database: .private)
    }
    #expect(found == [])
  }

  /// Returns a reader of a bundle with a changed index.
  private func reader(
    in folder: String, index change: (inout BundleIndex) -> Void
  ) throws -> BundleReader {
    let content = SampleContent(records: 40, assetSize: 300)
    let options = BundleWriter.Options.test(frameSize: 2000, threads: 1)
    _ = try content.write(to: "\(folder)/a", options)
    let file = try BundleReader(path: "\(folder)/a").files[0]
    var index = file.index
    change(&index)
    let sink = try AtomicFile(path: "\(folder)/b")
    let writer = try FrameWriter(sink: sink)
    for number in file.contentFrames {
      try file.frames.withFrame(number) { content in
        for line in content.lines { try writer.appendLine(line) }
      }
      try writer.endFrame()
    }
    _ = try writer.finish { infos in
      // The frames are compressed as before; only the index may differ.
      #expect(infos.map(\.digest) == file.index.frames.map(\.digest))
      return Array(index.jsonValue.compactData)
    }
    try sink.commit()
    return try BundleReader(path: "\(folder)/b")
  }

  @Test("An index that says something else than the lines is refused, or found")
  func wrongIndex() throws {
    let changes: [(String, (inout BundleIndex) -> Void)] = [
      ("first frame", { $0.sections[1].frames = 1...$0.sections[1].frames.upperBound + 1 }),
      ("last frame", { $0.sections[2].frames = $0.sections[2].frames.lowerBound...3 }),
      ("assets", { $0.sections[$0.sections.count - 1].assets += 1 }),
      ("record type", { $0.sections[2].recordType = "Messages" }),
      ("name of a frame", { $0.frames[3].first = "m00000001" }),
      ("no name of a frame", { $0.frames[3].first = nil }),
      ("content hash", { $0.hash = $0.hash + $0.hash }),
      (
        "lines",
        {
          $0.frames[2].lines += 1
          $0.frames[3].lines -= 1
        }
      ),
      (
        "section's lines",
        {
          $0.sections[1].lines += 1
          $0.sections[2].lines -= 1
        }
      ),
    ]
    for (name, change) in changes {
      try withFolder { folder in
        do {
          let report = try reader(in: folder, index: change).verify(threads: 1)
          #expect(!report.isIntact, "\(name)")
        } catch is BundleError {
        }
      }
    }
    try withFolder { folder in
      let unchanged = try reader(in: folder) { _ in }
      #expect(try unchanged.verify(threads: 1).isIntact)
    }
  }

  @Test(
    "Numbers of an index that cannot be are refused, whatever is computed with them",
    arguments: ["lines", "size", "compressedSize", "offset", "bytes"])
  func hugeNumbers(member: String) throws {
    let digest = String(repeating: "0", count: 64)
    for number in [Int.max, Int.max - 1, 1 << 40, 0, -1] {
      var frame = ["offset": 0, "compressedSize": 100, "size": 50, "lines": 1]
      var total = ["lines": 3, "bytes": 150]
      if frame[member] != nil { frame[member] = number }
      if total[member] != nil, member == "bytes" { total[member] = number }
      let frames = (0..<3).map { _ in
        "{" + frame.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",")
          + ",\"sha256\":\"\(digest)\"}"
      }.joined(separator: ",")
      let line =
        "{\"kind\":\"index\",\"contentHash\":\"0000000000000000\",\"lines\":\(total["lines"]!),"
        + "\"bytes\":\(total["bytes"]!),\"sections\":[],\"frames\":[\(frames)]}"
      #expect(throws: BundleError.self, "\(number)") {
        try Array(line.utf8).withUnsafeBytes { try BundleIndex(line: $0, of: "test") }
      }
    }
  }
}
