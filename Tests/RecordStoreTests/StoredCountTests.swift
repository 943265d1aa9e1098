import RecordModel
import Testing

@testable import RecordStore

@Suite("The counts of a container")
struct StoredCountTests {
  /// Returns a container with deleted records and zones.
  private func container(deletions: Int) throws -> ContainerStore {
    let container = try ContainerStore.test()
    let names = (0..<deletions).map { note("r\($0)") }
    try container.database(.private).save(names)
    try container.database(.private).deleteRecords(names.map(\.recordID))
    try container.database(.private).save([RecordZone(zoneName: "Doomed")])
    try container.database(.private).deleteZone(ZoneID(zoneName: "Doomed"))
    return container
  }

  @Test("are read without a row for each deletion")
  func instructions() throws {
    let counts = try [3, 2_000].map { deletions in
      let container = try container(deletions: deletions)
      return try container.snapshot { snapshot in
        try snapshot.db.instructions {
          let counts = try snapshot.storedCounts(in: .private)
          #expect(counts == (0, deletions, 1))
        }
      }
    }
    #expect(counts[0] > 0 && counts[0] == counts[1], "\(counts)")
  }

  @Test("are compared once for all missing zones of a request")
  func missingZones() throws {
    let container = try ContainerStore.test()
    try container.database(.private).save((0..<200).map { RecordZone(zoneName: "z\($0)") })
    let counts = try [1, 200].map { missing in
      try container.snapshot { snapshot in
        try snapshot.db.instructions {
          for number in 0..<missing {
            let zoneID = ZoneID(zoneName: "missing\(number)")
            let error = try snapshot.missingZone(zoneID, in: .private)
            #expect(error.code == .zoneNotFound)
          }
        }
      }
    }
    #expect(counts[1] < counts[0] * 10, "\(counts)")
  }
}
