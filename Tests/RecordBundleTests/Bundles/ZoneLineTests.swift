import RecordModel
import Testing

@testable import RecordBundle

@Suite("Zone lines that verify finds")
struct ZoneLineTests {
  private typealias Zones = [(RecordZone, DatabaseScope)]

  /// Returns the findings for a set whose last file repeats other zones.
  private func findings(_ change: (inout Zones) -> Void) throws -> [String] {
    try withFolder { folder in
      let content = SampleContent(records: 6, assetSize: 10)
      var zones = content.zones
      change(&zones)
      let paths = try content.writeSet(of: 2, to: folder, lastZones: zones)
      let report = try BundleReader(paths: paths).verify(threads: 1)
      #expect(report.findings.allSatisfy { $0.source == paths[1] })
      return report.findings.map(\.message)
    }
  }

  @Test("a file that repeats other zones than the first, or repeats them in another way")
  func repeated() throws {
    let same = try findings { _ in }
    #expect(same == [])
    let other = try findings { $0[1].0.capabilities = [.atomic] }
    #expect(other == ["zone line 2 differs from that of the first file"])
    let order = try findings { $0.swapAt(1, 2) }
    #expect(order == ["zone line 2 differs from that of the first file"])
    let fewer = try findings { $0.removeLast() }
    #expect(fewer == ["the file has 2 zone lines, and the first file has 3"])
    let more = try findings { $0.append((RecordZone(zoneID: ZoneID(zoneName: "z")), .shared)) }
    #expect(more == ["the file has more zone lines than the first file"])
    let twice = try findings { $0.append($0[2]) }
    #expect(twice == ["the file has more zone lines than the first file"])
  }

  @Test("a zone that is described twice")
  func twice() throws {
    try withFolder { folder in
      let sink = try AtomicFile(path: "\(folder)/a")
      let file = try BundleFileWriter(
        sink: sink, header: BundleHeader(), options: FrameWriter.Options())
      var zone = RecordZone(zoneID: SampleContent.chats)
      try file.write(.zone(zone, .private))
      zone.capabilities = [.atomic]
      try file.write(.zone(zone, .private))
      _ = try file.finish(isLastShard: nil)
      try sink.commit()
      let report = try BundleReader(path: "\(folder)/a").verify(threads: 1)
      #expect(report.findingCount == 1)
      #expect(report.findings.first?.message.contains("is repeated") == true)
    }
  }
}
