import Foundation
import RecordModel
import Testing

@testable import RecordBundle

/// The faults that the targets in `Fuzz` have found.
@Suite("Bundles that broke something once")
struct FuzzFindTests {
  @Test("Lost zones that only deleted records and subscriptions name are recovered with them")
  func zonesOfTombstones() throws {
    try withFolder { folder in
      let (path, output) = ("\(folder)/a.recordpack", "\(folder)/r.recordpack")
      var content = SampleContent(records: 0, assetSize: 0)
      content.assets = []
      let watched = ZoneID(zoneName: "Watched")
      content.zones = [
        (RecordZone(zoneID: SampleContent.chats), .private),
        (RecordZone(zoneID: watched), .private),
      ]
      content.subscriptions = [
        (CloudSubscription(subscriptionID: "s", kind: .zone(watched, recordType: nil)), .private)
      ]
      var options = BundleWriter.Options()
      (options.frameSize, options.threads) = (1, 1)
      _ = try content.write(to: path, options)
      let frames = try BundleReader(path: path).indexes[0].frames
      var damaged = try bytes(of: path)
      for frame in frames[1...2] { damaged[Int(frame.offset) + frame.compressedSize - 1] ^= 0xFF }
      try write(damaged, to: path)
      let report = try BundleRecovery.recover([path], to: output, options: options)
      #expect(report.restoredZones == 2 && !report.isComplete)
      let verified = try BundleReader(path: output).verify(threads: 1)
      #expect(verified.isIntact, "\(verified.findings)")
    }
  }
}
