import RecordModel
import Synchronization
import TestSupport
import Testing

@testable import RecordStore

/// The changes of records that a container tells of its transactions.
struct RecordChangeTests {
  private typealias Contents = [RecordLocation: ResultRecord]

  private static func contents(_ store: ContainerStore) throws -> Contents {
    try store.snapshot { snapshot in
      var contents: Contents = [:]
      for database in [DatabaseScope.public, .private] {
        try snapshot.forEachRecord(in: database) {
          contents[RecordLocation(database, $0.recordID)] = $0
        }
      }
      return contents
    }
  }

  private struct Stop: Error {}

  /// Compares with the contents before and after each transaction, which is read as a whole.
  @Test(arguments: SeededGenerator.seeds(4), [false, true])
  func `are the differences between the contents before and after`(
    seed: UInt64, hasIndex: Bool
  ) throws {
    var random = SeededGenerator(seed)
    let store = try ContainerStore.inMemory()
    let zones = ["A", "B"].map { ZoneID(zoneName: $0) }
    try store.transaction { transaction in
      for zone in zones { try transaction.save(RecordZone(zoneID: zone), in: .private) }
    }
    if hasIndex { try store.makeIndex(.reference) }
    let told = Mutex<[[RecordChange]]>([])
    store.observer.withLock { $0 = { changes in told.withLock { $0.append(changes) } } }
    for _ in 0..<60 {
      let before = try Self.contents(store)
      let fails = random.chance(6)
      do {
        try store.transaction { transaction in
          for _ in 0..<random.below(6) {
            let database = random.pick([DatabaseScope.public, .private])
            let recordID = RecordID(
              recordName: "r\(random.below(6))",
              zoneID: database == .public ? .default : random.pick(zones))
            switch random.below(4) {
            case 0: try transaction.delete(recordID, in: database)
            case 1: try transaction.advanceChangeTag(of: recordID, in: database, isChange: false)
            default:
              var draft = DraftRecord(
                recordType: random.pick(["Note", "List"]), recordID: recordID)
              draft["text"] = "\(random.below(1000))"
              try transaction.save([draft], in: database)
            }
          }
          if fails { throw Stop() }
        }
      } catch is Stop {}
      let after = try Self.contents(store)
      let changes = told.withLock { told in
        defer { told = [] }
        return told
      }
      if fails { #expect(changes.isEmpty && before == after) }
      #expect(changes.count <= 1)
      let found = changes.first ?? []
      #expect(Set(found.map(\.location)).count == found.count)
      for change in found {
        #expect(change.before == before[change.location], "seed \(seed)")
        #expect(change.after == after[change.location], "seed \(seed)")
      }
      // Without a change of its own, a record may have a new tag.
      let locations = Set(found.map(\.location))
      for (location, record) in before.merging(after, uniquingKeysWith: { $1 })
      where !locations.contains(location) {
        let fields = before[location].map { Array($0.fields) }
        #expect(fields == Array(record.fields), "seed \(seed): \(location)")
        #expect(after[location]?.recordType == record.recordType)
      }
    }
  }

  @Test func `are those of 5,000 records at most`() throws {
    let store = try ContainerStore.inMemory()
    let count = Mutex(0)
    store.observer.withLock { $0 = { changes in count.withLock { $0 += changes.count } } }
    try store.transaction { transaction in
      for number in 0..<5_010 {
        try transaction.save(
          [DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n\(number)"))],
          in: .public)
      }
    }
    #expect(count.withLock(\.self) == 5_000)
  }
}
