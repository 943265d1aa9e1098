import RecordModel
import RecordStore
import Testing

/// References are found by indexes that every change keeps up to date.
struct ReferenceIndexTests {
  private struct Rollback: Error {}

  private static let names = (0..<8).map { "r\($0)" }

  private func draft(_ name: String, _ random: inout SeededGenerator) -> DraftRecord {
    var draft = note(name)
    func target() -> RecordID {
      RecordID(recordName: random.pick(Self.names), zoneID: notes)
    }
    if random.chance(2) { draft.parent = Reference(recordID: target()) }
    if random.chance(2) { draft["one"] = Reference(recordID: target(), action: .deleteSelf) }
    if random.chance(3) {
      draft["many"] = [
        Reference(recordID: target(), action: .deleteSelf), Reference(recordID: target()),
      ]
    }
    return draft
  }

  /// The links as the table has them, and as the records say.
  private func expectCurrent(
    _ transaction: ContainerTransaction, _ place: String
  ) throws {
    for target in Self.names {
      let targetID = RecordID(recordName: target, zoneID: notes)
      var expected: [RecordIndex.Kind: [String]] = [.parent: [], .owner: []]
      for name in Self.names {
        let recordID = RecordID(recordName: name, zoneID: notes)
        guard let record = try transaction.record(for: recordID, in: .private) else { continue }
        if record.parent?.recordID == targetID { expected[.parent]?.append(name) }
        let references = record.fields.flatMap { field -> [Reference] in
          switch field.value {
          case .reference(let reference): [reference]
          case .referenceList(let references): references
          default: []
          }
        }
        if references.contains(Reference(recordID: targetID, action: .deleteSelf)) {
          expected[.owner]?.append(name)
        }
      }
      for (kind, names) in expected {
        let found = try transaction.records(referringTo: targetID, as: kind, in: .private)
        #expect(found.map(\.recordName) == names, "\(place): \(kind) to \(target)")
      }
    }
  }

  @Test("links follow saves, deletions, imports and rollbacks", arguments: [true, false])
  func current(isFile: Bool) throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let container =
      try isFile ? ContainerStore.create(folder.path("c.sqlite")) : ContainerStore.inMemory()
    try container.database(.private).save([RecordZone(zoneID: notes)])
    var random = SeededGenerator(7)
    for round in 0..<60 {
      let name = random.pick(Self.names)
      let draft = draft(name, &random)
      let deletes = random.chance(4)
      func change(_ transaction: ContainerTransaction) throws {
        if deletes {
          _ = try transaction.delete(draft.recordID, in: .private)
        } else {
          _ = try transaction.save([draft], in: .private)
        }
        try expectCurrent(transaction, "round \(round)")
      }
      switch round % 4 {
      case 0:
        #expect(throws: Rollback.self) {
          try container.transaction {
            try change($0)
            throw Rollback()
          }
        }
      case 1:
        let record = try draft.resultRecord()
        try container.importTransaction(onConflict: { _ in .replace }) {
          try $0.add(record, to: .private)
        }
      default: try container.transaction(change)
      }
      try container.transaction { try expectCurrent($0, "after round \(round)") }
    }
    try container.database(.private).deleteZone(notes)
    try container.database(.private).save([RecordZone(zoneID: notes)])
    try container.transaction { try expectCurrent($0, "after the zone's deletion") }
  }

  @Test("a reference to another zone is no link, and neither is text that looks like one")
  func notLinks() throws {
    let container = try ContainerStore.test()
    let other = RecordID(recordName: "p", zoneID: ZoneID(zoneName: "Other"))
    var far = note("far")
    far.parent = Reference(recordID: other)
    far["owner"] = Reference(recordID: other, action: .deleteSelf)
    let text = note("text", #"{"recordName":"p","action":"DELETE_SELF"}"#)
    try container.database(.private).save([far, text])
    try container.transaction { (transaction: ContainerTransaction) throws in
      for kind in [RecordIndex.Kind.parent, .owner] {
        for target in [other, RecordID(recordName: "p", zoneID: notes)] {
          let found = try transaction.records(referringTo: target, as: kind, in: .private)
          #expect(found == [])
        }
      }
    }
  }
}
