#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordArchive
  import RecordBundle
  import RecordModel
  import RecordPackCloudKit
  import TestSupport
  import Testing

  @Suite("A container of CloudKit, downloaded through the bridge")
  struct BridgedDownloadTests {
    private static let zones = ["A", "B"].map { ZoneID(zoneName: $0) }

    @Test("has the records and assets that the mock has", arguments: SeededGenerator.seeds(5))
    func download(seed: UInt64) async throws {
      var rules = ServerRules.native
      rules.maxResults = 7
      let containers = try TwinContainers(rules: rules)
      let folder = try TestFolder()
      try await fill(containers.twin, seed: seed)
      var download = ContainerDownload()
      download.includesEncryptedValues = true
      let (report, summary) = try await Archiver().export(
        downloading: containers.bridged, by: download, to: folder.path("bridged.recordpack"))
      #expect(report.isComplete && summary.missingAssets == 0)
      try await Archiver().export(
        downloading: containers.twin, by: download, to: folder.path("mock.recordpack"))
      let found = try records(in: folder.path("bridged.recordpack"))
      let expected = try records(in: folder.path("mock.recordpack"))
      #expect(found.count == 40)
      for (found, expected) in zip(found, expected) { #expect(found == expected) }
    }

    private func fill(_ container: MockContainer, seed: UInt64) async throws {
      var random = RandomRecords(seed: seed)
      let database = container.privateCloudDatabase
      for zoneID in Self.zones {
        try await database.save(RecordZone(zoneID: zoneID))
        let drafts = (0..<20).map { random.draft(named: "n\($0)", in: zoneID) }
        let saved = try await database.modifyRecords(saving: drafts, deleting: [])
        for result in saved.saveResults.values { _ = try result.get() }
      }
    }

    private func records(in path: String) throws -> [ResultRecord] {
      var records: [ResultRecord] = []
      try BundleReader(path: path).forEachRecord { record, _ in
        records.append(record.asCloudKitTells)
      }
      return records
    }
  }
#endif
