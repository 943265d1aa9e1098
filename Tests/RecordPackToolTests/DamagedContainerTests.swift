import Foundation
import RecordPack
import Testing

@Suite("A container with a damaged byte, on the command line")
struct DamagedContainerTests {
  @Test(
    "verify reports it with exit code 1 in whatever table it is, and export never leaves it out")
  func damage() async throws {
    try await withFolder { folder in
      let container = try ContainerStore.open(path: folder + "/c.sqlite", mode: .create)
      let database = container.database(.private)
      let zone = ZoneID(zoneName: "zone-unmistakable")
      try database.save([RecordZone(zoneID: zone)])
      for type in ["TypeUnmistakable", "Other"] {
        let recordID = RecordID(recordName: "\(type)-unmistakable", zoneID: zone)
        try database.save([DraftRecord(recordType: type, recordID: recordID)])
      }
      try container.close()
      let whole = try Data(contentsOf: URL(fileURLWithPath: folder + "/c.sqlite"))
      var places: [Int] = []
      for name in ["zone-unmistakable", "TypeUnmistakable"] {
        var rest = whole.startIndex..<whole.endIndex
        while let found = whole.range(of: Data(name.utf8), in: rest) {
          places.append(found.lowerBound)
          rest = found.upperBound..<whole.endIndex
        }
      }
      // The tables of zones, types, sections and records, and their indexes.
      #expect(places.count >= 8)
      for place in places {
        var damaged = whole
        damaged[place] ^= 1
        try damaged.write(to: URL(fileURLWithPath: folder + "/\(place).sqlite"))
      }
      let verified = try await ToolProcess.shell("recordpack verify *.sqlite", in: folder)
      #expect(verified.code == 1, "\(verified.errors)")
      for place in places {
        #expect(verified.output.contains("\(place).sqlite: damaged"), "\(verified.output)")
        let exported = try await ToolProcess.run(
          "export", "\(place).sqlite", "-o", "d.recordpack", "--force", in: folder)
        let isWhole = exported.output.contains("2 records")
        #expect(exported.code == 2 || exported.code == 0 && isWhole, "\(place): \(exported.output)")
      }
    }
  }
}
