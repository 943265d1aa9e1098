import Foundation
import RecordPack
import StoreTestSupport
import Testing

@Suite("With few file descriptors")
struct DescriptorTests {
  /// Runs the tool in a shell that allows it no more than so many descriptors.
  private func run(
    _ arguments: String..., limit: String, in folder: String
  ) async throws -> ToolProcess.Result {
    let script = "ulimit \(limit) && exec recordpack \"$@\""
    let tool = ToolProcess(["-c", script, "sh"] + arguments, in: folder, program: "/bin/sh")
    try tool.start()
    return await tool.finish()
  }

  private static func incompressible(_ count: Int) -> Data {
    var state: UInt64 = 62
    return Data(
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      })
  }

  @Test("a bundle of more files is written and read")
  func split() async throws {
    try await withFolder { folder in
      let container = try ContainerStore.open(path: folder + "/c.sqlite", mode: .create)
      let zoneID = ZoneID(zoneName: "Photos")
      try container.database(.private).save([RecordZone(zoneID: zoneID)])
      let bytes = Self.incompressible(170 * 36_000)
      let drafts = (0..<170).map { number in
        var draft = DraftRecord(
          recordType: "Photo", recordID: RecordID(recordName: "p\(number)", zoneID: zoneID))
        draft["thumbnail"] = bytes.dropFirst(number * 36_000).prefix(36_000)
        return draft
      }
      try container.database(.private).save(drafts)
      _ = try container.close()

      let exported = try await run(
        "export", "c.sqlite", "-o", "s.recordpack", "--split-size", "64KiB", limit: "-Sn 70",
        in: folder)
      #expect(exported.code == 0, "\(exported.errors)")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".recordpack") }
      #expect(files.count > 80)
      let verified = try await run("verify", files[0], limit: "-n 80", in: folder)
      #expect(verified.code == 0, "\(verified.errors)")
    }
  }
}
