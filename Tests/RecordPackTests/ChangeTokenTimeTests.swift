import Foundation
import RecordPack
import TestSupport
import Testing

struct ChangeTokenTimeTests {
  @Test("A page within many records without a tag is read from where it begins")
  func pagesOfMany() async throws {
    let folder = try TestFolder()
    let zoneID = ZoneID(zoneName: "A")
    let writer = try BundleWriter(path: folder.path("many"), container: ContainerInfo())
    try writer.write(RecordZone(zoneID: zoneID), database: .private)
    for number in 100_000..<160_000 {
      let system = SystemFields(
        recordID: RecordID(recordName: "r\(number)", zoneID: zoneID), recordType: "Note")
      try writer.write(ResultRecord(systemFields: system, fields: []), database: .private)
    }
    try writer.finish()
    let container = try MockContainer.inMemory()
    try Archiver().importBundle(BundleReader(path: folder.path("many")), into: container)
    let database = container.privateCloudDatabase
    let first = try await database.recordZoneChanges(
      inZoneWith: zoneID, since: nil, desiredKeys: nil, resultsLimit: 1)
    let word = String(decoding: first.changeToken.data, as: UTF8.self)
    func time(after name: String) async throws -> Duration {
      let token = ServerChangeToken(
        data: Data(word.replacing(".r100000", with: "." + name).utf8))
      var least = Duration.seconds(60)
      for _ in 0..<7 {
        let elapsed = try await ContinuousClock().measure {
          let page = try await database.recordZoneChanges(
            inZoneWith: zoneID, since: token, desiredKeys: nil, resultsLimit: 5)
          #expect(page.modificationResultsByID.count == 5)
        }
        least = min(least, elapsed)
      }
      return least
    }
    let (near, far) = (try await time(after: "r100000"), try await time(after: "r159900"))
    #expect(far < near * 3 + .milliseconds(2), "\(near) after the first, \(far) near the last")
  }
}
