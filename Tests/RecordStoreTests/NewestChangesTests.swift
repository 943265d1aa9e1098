import RecordModel
import Testing

@testable import RecordStore

@Suite("The newest changes of a database")
struct NewestChangesTests {
  private static let limit = 20

  /// Returns a container with zones that have the same number of records and deletions each.
  private func container(zones: Int, changes: Int) throws -> ContainerStore {
    let container = try ContainerStore.test()
    for zone in (0..<zones).map({ ZoneID(zoneName: "z\($0)") }) {
      try container.transaction { transaction in
        try transaction.save(RecordZone(zoneID: zone), in: .private)
        let notes = (0..<changes).map { note("r\($0)", in: zone) }
        try transaction.save(notes, in: .private)
        for note in notes.prefix(changes / 2) {
          _ = try transaction.delete(note.recordID, in: .private)
        }
      }
    }
    return container
  }

  @Test("come from the zones that have them, the last one first")
  func order() throws {
    let container = try container(zones: 4, changes: 8)
    // The oldest zone gets the last change.
    try container.transaction {
      _ = try $0.save([note("r7", in: ZoneID(zoneName: "z0"))], in: .private)
    }
    try container.changes { snapshot in
      let found = try snapshot.newestChanges(in: .private, limit: Self.limit)
      let all = try snapshot.newestChanges(in: .private, limit: 1_000)
      #expect(found.count == Self.limit)
      #expect(found.map(\.position) == all.prefix(Self.limit).map(\.position))
      #expect(found.first?.zoneID.zoneName == "z0")
      #expect(found.map(\.position.change) == found.map(\.position.change).sorted(by: >))
    }
  }

  @Test("are read without as many changes of each other zone")
  func instructions() throws {
    let counts = try [1, 60].map { zones in
      let container = try container(zones: zones, changes: 2 * Self.limit)
      return try container.changes { snapshot in
        try snapshot.db.instructions {
          let found = try snapshot.newestChanges(in: .private, limit: Self.limit)
          #expect(found.count == Self.limit)
        }
      }
    }
    // A zone costs its row, and a look at its index.
    #expect(counts[1] < counts[0] + 60 * 60, "\(counts)")
  }
}
