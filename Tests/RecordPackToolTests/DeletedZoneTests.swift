import Foundation
import RecordPack
import StoreTestSupport
import Testing

@Suite("Deleted zones, on the command line")
struct DeletedZoneTests {
  @Test("--zone takes the trace of a deleted zone")
  func filter() async throws {
    try await withFolder { folder in
      let container = try ContainerStore.open(path: folder + "/c.sqlite", mode: .create)
      let database = container.database(.private)
      try database.save(["Gone", "Kept"].map { RecordZone(zoneID: ZoneID(zoneName: $0)) })
      try database.deleteZone(ZoneID(zoneName: "Gone"))
      try container.close()
      let whole = try await ToolProcess.run("export", "c.sqlite", "-o", "c.recordpack", in: folder)
      #expect(whole.code == 0, "\(whole.errors)")

      for (line, source, target) in [
        ("export c.sqlite -o part.recordpack", "c.sqlite", "part.recordpack"),
        ("import c.recordpack part.sqlite", "c.recordpack", "part.sqlite"),
      ] {
        let part = try await ToolProcess.run(line: line + " --zone Gone", in: folder)
        #expect(part.code == 0, "\(part.errors)")
        let inspected = try await ToolProcess.run("inspect", target, "--json", in: folder)
        let summary = try Samples.json(inspected.output)
        #expect(summary["zoneTombstones"] as? Int == 1, "\(source)")
      }
    }
  }
}
