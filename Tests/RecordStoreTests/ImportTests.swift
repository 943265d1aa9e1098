import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite("Filling a container")
struct ImportTests {
  @Test("keeps records as they are, tags and stamps too")
  func asIs() throws {
    let container = try ContainerStore.test()
    let record = serverRecord("one", tag: "k4f")
    try container.importTransaction { try $0.add(record, to: .private) }
    #expect(try container.database(.private).record(for: record.recordID) == record)
  }

  @Test("gives the same container in order, in disorder, into an empty one and into a filled one")
  func allWays() throws {
    var generator = SeededGenerator(3)
    let records = (0..<500).map { index in
      serverRecord(
        "n\(index)", in: index % 3 == 0 ? .default : notes, type: index % 2 == 0 ? "Note" : "Chat",
        text: "text \(index)")
    }
    let orders = [records, records.shuffled(using: &generator), sorted(records)]
    var texts: Set<String> = []
    for order in orders {
      texts.insert(try contents(of: try filled([order])))
      texts.insert(try contents(of: try filled([Array(order[..<200]), Array(order[200...])])))
    }
    #expect(texts.count == 1)
  }

  private func sorted(_ records: [ResultRecord]) -> [ResultRecord] {
    records.sorted {
      ($0.recordID.zoneID, $0.recordType, $0.recordID.recordName)
        < ($1.recordID.zoneID, $1.recordType, $1.recordID.recordName)
    }
  }

  private func filled(_ parts: [[ResultRecord]]) throws -> ContainerStore {
    let container = try ContainerStore.test()
    for part in parts {
      let counts = try container.importTransaction { writer in
        for record in part { try writer.add(record, to: .private) }
        return writer.counts
      }
      #expect(counts.added == part.count)
    }
    return container
  }

  @Test("is all or nothing: where it fails, the container is as it was")
  func rollback() async throws {
    struct Stop: Error {}
    let directory = try TestFolder()
    for isEmpty in [true, false] {
      let container = try ContainerStore.create(directory.path("\(isEmpty)"))
      if !isEmpty { try container.database(.private).save([note("old", in: .default)]) }
      let before = try contents(of: container)
      #expect(throws: Stop.self) {
        try container.importTransaction { writer in
          try writer.add(RecordZone(zoneID: notes), to: .private)
          for index in 0..<1000 { try writer.add(serverRecord("n\(index)"), to: .private) }
          throw Stop()
        }
      }
      #expect(try contents(of: container) == before)
      try container.database(.private).save([note("new", in: .default)])
      #expect(try await sqlite3(container.path!, "PRAGMA integrity_check") ?? "ok" == "ok")
    }
  }

  @Test("fails on a record that comes twice, and names both sides", arguments: [true, false])
  func duplicates(isSorted: Bool) throws {
    let first = serverRecord("twice", type: "Chat")
    let second = serverRecord("twice", type: "Note")
    let container = try ContainerStore.test()
    let expected = ContainerStoreError.duplicateRecord(
      first.recordID, existingType: "Chat", incomingType: "Note")
    #expect(throws: expected) {
      try container.importTransaction { writer in
        try writer.add(first, to: .private)
        if !isSorted { try writer.add(serverRecord("a", type: "Note"), to: .private) }
        try writer.add(second, to: .private)
      }
    }
    #expect(try recordNames(container.database(.private)).isEmpty)
  }

  @Test("counts a record once that comes twice and is the same")
  func identical() throws {
    for between in [[], [serverRecord("z")], [serverRecord("a")]] {
      let container = try ContainerStore.test()
      let counts = try container.importTransaction { writer in
        try writer.add(serverRecord("one"), to: .private)
        for record in between { try writer.add(record, to: .private) }
        try writer.add(serverRecord("one"), to: .private)
        try writer.finish()
        return writer.counts
      }
      #expect(counts.added == 1 + between.count)
      #expect(counts.identical == 1)
      #expect(try recordNames(container.database(.private)).count == 1 + between.count)
    }
  }

  @Test("settles conflicts as it is told, whether they show at once or at the end")
  func conflicts() throws {
    let states = ["first", "second", "third"].map { serverRecord("one", text: $0) }
    let other = serverRecord("a")
    for isEmpty in [true, false] {
      for (resolution, text) in [
        (ImportConflict.Resolution.replace, "third"), (.keepExisting, "first"),
      ] {
        let container = try ContainerStore.test()
        let database = container.database(.private)
        if !isEmpty { try database.save([note("x", in: .default)]) }
        var seen: [String] = []
        let counts = try container.importTransaction(onConflict: { conflict in
          seen.append(conflict.recordID.recordName)
          #expect(conflict.existing.count > 0 && conflict.incoming.count > 0)
          return resolution
        }) { writer in
          for record in [states[0], other, states[1], states[2]] {
            try writer.add(record, to: .private)
          }
          try writer.finish()
          return writer.counts
        }
        #expect(seen == ["one", "one"])
        #expect(counts.added == 2)
        #expect(resolution == .replace ? counts.replaced == 2 : counts.kept == 2)
        #expect(try database.record(for: states[0].recordID)["text"] == text)
        let summary = try database.recordTypes().first { $0.zoneID == notes }
        #expect(summary?.recordCount == 2)
      }
    }
  }

  @Test("takes a record of another type in the place of one, and moves it to its section")
  func typeChange() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    try database.save([note("a"), note("m"), note("z")])
    try container.importTransaction(onConflict: { _ in .replace }) {
      try $0.add(serverRecord("m", type: "Chat"), to: .private)
    }
    #expect(try recordNames(database) == ["m", "a", "z"])
    #expect(try database.recordTypes().map(\.recordCount) == [1, 2])
  }

  @Test("of a zone that is missing says which")
  func missingZone() throws {
    let container = try ContainerStore.test()
    let zone = ZoneID(zoneName: "Nowhere")
    #expect(throws: CloudError.zoneNotFound(zone, in: .shared)) {
      try container.importTransaction { try $0.add(serverRecord("one", in: zone), to: .shared) }
    }
  }

  @Test("keeps tombstones, except of records that are there")
  func tombstones() throws {
    let container = try ContainerStore.test()
    try container.importTransaction { writer in
      try writer.add(serverRecord("one"), to: .private)
      #expect(try !writer.add(DeletedRecord(recordID: note("one").recordID), to: .private))
      #expect(
        try writer.add(
          DeletedRecord(recordID: note("two").recordID, deletionDate: testDate), to: .private))
      #expect(try writer.add(DeletedZone(zoneID: ZoneID(zoneName: "Old")), to: .private))
      #expect(try !writer.add(DeletedZone(zoneID: notes), to: .private))
    }
    let database = container.database(.private)
    #expect(
      try database.tombstones() == [
        DeletedRecord(recordID: note("two").recordID, deletionDate: testDate)
      ])
    #expect(try database.zoneTombstones().map(\.zoneID.zoneName) == ["Old"])
  }

  @Test("makes later change tags greater than those that came")
  func tags() throws {
    let container = try ContainerStore.test()
    try container.importTransaction {
      try $0.add(serverRecord("one", tag: "kzz"), to: .private)
      try $0.add(serverRecord("two", tag: "not a counter, and far too long for one"), to: .private)
    }
    let saved = try container.database(.private).save([note("one")])
    #expect(saved[0].recordChangeTag == "l00")
  }

  @Test("ends with its closure: what is kept of it reads and writes no more")
  func escaping() throws {
    let container = try ContainerStore.test()
    let writer = try container.importTransaction { $0 }
    #expect(throws: ContainerStoreError.closed) {
      try writer.add(serverRecord("late"), to: .private)
    }
    let snapshot = try container.snapshot { $0 }
    #expect(throws: ContainerStoreError.closed) { try snapshot.zones(in: .private) }
    #expect(try recordNames(container.database(.private)).isEmpty)
  }

  @Test("into a new file leaves nothing where it fails, and one file where it does not")
  func build() async throws {
    struct Stop: Error {}
    let directory = try TestFolder()
    let path = directory.path("a")
    #expect(throws: Stop.self) {
      try ContainerStore.build(path: path) { writer in
        try writer.add(serverRecord("one", in: .default), to: .private)
        #expect(!directory.names.contains("a"))
        throw Stop()
      }
    }
    #expect(directory.names.isEmpty)
    try ContainerStore.build(path: path, info: ContainerInfo(identifier: "iCloud.x")) { writer in
      for index in 0..<500 {
        try writer.add(serverRecord("n\(index)", in: .default), to: .private)
      }
      // A duplicate, which is resolved at the end, without a journal on the disk.
      try writer.add(serverRecord("n7", in: .default), to: .private)
    }
    #expect(directory.names == ["a"])
    #expect(throws: ContainerStoreError.alreadyExists(path: path)) {
      try ContainerStore.build(path: path) { _ in }
    }
    let container = try ContainerStore.open(path: path)
    #expect(try recordNames(container.database(.private)).count == 500)
    #expect(try container.info().identifier == "iCloud.x")
    #expect(try await sqlite3(path, "PRAGMA integrity_check") ?? "ok" == "ok")
  }
}
