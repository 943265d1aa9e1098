import Foundation
import RecordModel
import RecordPlatform
import RecordStore
import Testing

/// A new container is filled without looking for what it cannot have. An import into an empty
/// container looks for everything, and is what the results are held against.
@Suite("A new container that is filled")
struct NewContainerTests {
  /// A clock of a test may wait, and a test makes its container on a thread of Swift's tasks.
  @Test("no clock is asked while it is made")
  func clock() throws {
    let store = try ContainerStore.inMemory(info: ContainerInfo(identifier: "a")) {
      Issue.record("the clock was asked")
      return Date()
    }
    #expect(try store.info().identifier == "a")
  }

  /// Names of zones, types and records; some are canonically equivalent.
  private static let names = ["a", "b", "\u{E9}", "e\u{301}", "c"]

  /// The same imports for the same seed.
  private func fill(_ writer: ImportTransaction, seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &numbers)] }
    for number in 0..<60 {
      let scope = pick([DatabaseScope.public, .private])
      let zoneID = pick(
        [ZoneID.default]
          + Self.names.map { ZoneID(zoneName: $0, ownerName: pick(["__defaultOwner__", "_o"])) })
      let hasZone = try writer.zone(zoneID, in: scope) != nil
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0, 1: try writer.add(RecordZone(zoneID: zoneID), to: scope)
      case 2 where hasZone && !zoneID.isDefault: try writer.remove(zoneID, from: scope)
      case 3 where !hasZone: try writer.add(DeletedZone(zoneID: zoneID), to: scope)
      case 4 where hasZone:
        let recordID = RecordID(recordName: pick(Self.names), zoneID: zoneID)
        try writer.add(DeletedRecord(recordID: recordID, recordType: "a"), to: scope)
      case 5 where hasZone:
        try writer.remove(RecordID(recordName: pick(Self.names), zoneID: zoneID), from: scope)
      case 6:
        try writer.add(
          CloudSubscription(subscriptionID: pick(Self.names), kind: .database(recordType: nil)),
          to: scope)
      case 7: try writer.setInfo(ContainerInfo(identifier: pick(Self.names)))
      case _ where hasZone:
        let tag = String(number, radix: 36)
        try writer.add(
          serverRecord(
            pick(Self.names), in: zoneID, type: pick(Self.names), tag: tag, text: pick(["x", "y"])),
          to: scope)
      default: break
      }
    }
  }

  /// All contents as lines.
  private func contents(_ store: ContainerStore) throws -> [String] {
    try store.snapshot { snapshot in
      var lines = ["\(try snapshot.info())"]
      for scope in DatabaseScope.allCases {
        lines += try snapshot.zones(in: scope).map { "\($0.zoneID)" }
        lines += try snapshot.zoneTombstones(in: scope).map { "\($0)" }
        lines += try snapshot.subscriptions(in: scope).map { "\($0)" }
        lines += try snapshot.recordTypes(in: scope).map { "\($0)" }
        lines.append("\(try snapshot.lastChange(in: scope)) \(try snapshot.changes(of: scope))")
        try snapshot.forEachTombstone(in: scope) { lines.append("\($0)") }
        try snapshot.forEachRecord(in: scope) { lines.append("\($0) \($0.fields)") }
      }
      return lines
    }
  }

  @Test("has what an import into an empty container gives", arguments: SeededGenerator.seeds(40))
  func equality(seed: UInt64) throws {
    let folder = try TestFolder()
    let conflicts: (ImportConflict) -> ImportConflict.Resolution = { _ in
      seed % 2 == 0 ? .replace : .keepExisting
    }
    let imported = try ContainerStore.inMemory()
    let counts = try imported.importTransaction(onConflict: conflicts) { writer in
      try fill(writer, seed: seed)
      return writer
    }.counts
    let new = try NewContainer(limits: .cloudKit, now: { Date() })
    let filled = try new.fill(onConflict: conflicts) { writer in
      try fill(writer, seed: seed)
      return writer
    }.counts
    let path = folder.path("new.sqlite")
    let built = try ContainerStore.build(path: path, onConflict: conflicts) { writer in
      try fill(writer, seed: seed)
      return writer
    }.counts
    #expect(counts == filled && counts == built)
    let expected = try contents(imported)
    for store in [new.store, try ContainerStore.open(path: path)] {
      let found = try contents(store)
      #expect(found.count == expected.count)
      for (line, other) in zip(found, expected) { #expect(line.sameScalars(as: other)) }
      #expect(try store.verify { Issue.record("\($0)") }.isIntact)
    }
  }

  @Test("has none of it if filling fails, and can be changed afterwards")
  func changes() throws {
    struct Failure: Error {}
    let new = try NewContainer(limits: .cloudKit, now: { Date() })
    try new.fill(onConflict: { throw $0.error }) { writer in
      try writer.add(RecordZone(zoneID: notes), to: .private)
      try writer.add(serverRecord("a"), to: .private)
    }
    try new.store.database(.private).save([note("a", "changed"), note("b")])
    #expect(try new.store.verify { Issue.record("\($0)") }.isIntact)
    #expect(try new.store.snapshot { try $0.recordTypes(in: .private).map(\.recordCount) } == [2])
    let broken = try NewContainer(limits: .cloudKit, now: { Date() })
    #expect(throws: CloudError.zoneNotFound(notes, in: .private)) {
      try broken.fill(onConflict: { throw $0.error }) { writer in
        try writer.add(serverRecord("a"), to: .private)
      }
    }
  }
}
