import RecordModel
import TestSupport
import Testing

@testable import MockCloud
@testable import RecordStore

/// Updates of copies between random changes, compared with copies that are made anew.
@Suite("The contents that a user sees, after an update")
struct AccountCopyUpdateTests {
  private static let users = ["_anna", "_ben", "_cleo"]

  private func container() throws -> MockContainer {
    var info = ContainerInfo(currentUserRecordName: "_anna")
    info.accounts = Self.users.dropFirst().map { ContainerAccount(userRecordName: $0) }
    return try MockContainer.inMemory(info: info)
  }

  private static func zoneID(_ owner: String, _ name: String = "Plans") -> ZoneID {
    ZoneID(zoneName: name, ownerName: owner == "_anna" ? ZoneID.currentUserOwnerName : owner)
  }

  /// The contents of a copy: nil where the user sees all that the container has.
  private struct Contents: Equatable {
    var zones: [[RecordZone]] = []
    var records: [[RecordID: ResultRecord]] = []
    var deletions: [Set<RecordID>] = []

    init?(_ copy: AccountCopy) throws {
      guard let store = copy.store else { return nil }
      for scope in DatabaseScope.allCases {
        try store.snapshot { snapshot in
          zones.append(try snapshot.zones(in: scope))
          var records: [RecordID: ResultRecord] = [:]
          try snapshot.forEachRecord(in: scope, filter: .all) { records[$0.recordID] = $0 }
          self.records.append(records)
          var deletions: Set<RecordID> = []
          try snapshot.forEachTombstone(in: scope) { deletions.insert($0.recordID) }
          self.deletions.append(deletions)
        }
      }
    }
  }

  @Test("are those of a new copy", arguments: SeededGenerator.seeds(4))
  func updates(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    let container = try container()
    let users = Self.users.map(Optional.some) + [nil]
    let copies = users.map { ($0, AccountCopy(of: $0)) }
    // Few names make many cycles; every other container has references to other zones.
    let changes = RandomChanges(names: seed.isMultiple(of: 4) ? 5 : 12, leavesZones: seed % 2 == 1)
    var ended = 0
    for round in 0..<40 {
      try container.store.transaction { transaction in
        for _ in 0...(round == 0 ? 80 : random.below(6)) {
          try changes.change(transaction, &random)
        }
      }
      if random.chance(10) { try changeAccounts(container, &random) }
      // Without an index of children, an update reads all records.
      if random.chance(10) {
        try container.store.transaction { transaction in
          try transaction.db.execute("DELETE FROM recordIndex; DELETE FROM indexEntry")
        }
      }
      for (user, copy) in copies where !random.chance(2) {
        if random.chance(4), try endsEarly(copy, container, after: random.below(12)) { ended += 1 }
        try copy.update(from: container)
        try makeIndexes(copy, container)
        let new = AccountCopy(of: user)
        try new.update(from: container)
        let (updated, expected) = (try Contents(copy), try Contents(new))
        guard updated == expected else {
          Issue.record("seed \(seed), round \(round), \(user ?? "nobody")")
          return
        }
      }
    }
    #expect(ended > 0)
  }

  /// Updates a copy until so many records were read, which leaves it as it was.
  ///
  /// - Returns: whether the update ended before its last record.
  private func endsEarly(
    _ copy: AccountCopy, _ container: MockContainer, after count: Int
  ) throws -> Bool {
    let before = try Contents(copy)
    var read = 0
    do {
      try copy.update(from: container) {
        read += 1
        return read > count
      }
      return false
    } catch let error as ContainerStoreError {
      guard case .closed = error else { throw error }
      #expect(try Contents(copy) == before)
      return true
    }
  }

  /// Adds or removes a user, whose zones can be there.
  private func changeAccounts(
    _ container: MockContainer, _ random: inout SeededGenerator
  ) throws {
    var info = try container.store.info()
    let user = random.pick(["_ben", "_cleo", "_dora"])
    let others = info.accounts.filter { $0.userRecordName != user }
    let isAdded = others.count == info.accounts.count
    let accounts = others + (isAdded ? [ContainerAccount(userRecordName: user)] : [])
    info.accounts = accounts.sorted { $0.userRecordName < $1.userRecordName }
    try container.store.setInfo(info)
  }

  /// Changes of the private zones of all users.
  private struct RandomChanges {
    let names: Int
    /// Whether references may lead to other zones.
    let leavesZones: Bool

    private static let zones = [zoneID("_anna"), zoneID("_ben"), zoneID("_ben", "Notes")]

    func change(
      _ transaction: ContainerTransaction, _ random: inout SeededGenerator
    ) throws {
      let zoneID = random.pick(Self.zones)
      guard try transaction.hasZone(zoneID, in: .private) else {
        return try transaction.save(RecordZone(zoneID: zoneID), in: .private)
      }
      let recordID = RecordID(recordName: name(&random), zoneID: zoneID)
      switch random.below(60) {
      case 0: try transaction.deleteZone(zoneID, in: .private)
      case 1: _ = try transaction.delete(zoneID.zoneWideShare, in: .private)
      case 2..<10: _ = try transaction.delete(recordID, in: .private)
      case 10..<30: _ = try transaction.save([share(in: zoneID, &random)], in: .private)
      default: _ = try transaction.save([record(recordID, &random)], in: .private)
      }
    }

    private func name(_ random: inout SeededGenerator) -> String {
      random.chance(8) ? "s\(random.below(3))" : "r\(random.below(names))"
    }

    private func record(_ recordID: RecordID, _ random: inout SeededGenerator) -> DraftRecord {
      var draft = DraftRecord(recordType: "Note", recordID: recordID)
      draft["number"] = random.below(100)
      func reference(_ name: String) -> Reference {
        let zoneID = leavesZones && random.chance(80) ? random.pick(Self.zones) : recordID.zoneID
        return Reference(recordID: RecordID(recordName: name, zoneID: zoneID))
      }
      // Also a parent that does not exist, that is a share, or that has the record above itself.
      if !random.chance(6) {
        let number = Int(recordID.recordName.dropFirst()) ?? 0
        let isTree = number > 0 && !random.chance(5)
        draft.parent = reference(isTree ? "r\(random.below(number))" : name(&random))
      }
      if random.chance(4) { draft.share = reference("s\(random.below(3))") }
      return draft
    }

    private func share(in zoneID: ZoneID, _ random: inout SeededGenerator) -> DraftRecord {
      let name = random.chance(25) ? Share.zoneWideRecordName : "s\(random.below(3))"
      var draft = DraftRecord(
        recordType: Share.recordType, recordID: RecordID(recordName: name, zoneID: zoneID))
      let status: [ShareParticipant.AcceptanceStatus] = [.pending, .accepted, .accepted, .accepted]
      draft.shareInfo = Share(
        participants: users.map { user in
          ShareParticipant(
            role: AccountCopyUpdateTests.zoneID(user).ownerName == zoneID.ownerName
              ? .owner : .privateUser,
            permission: random.pick([.readOnly, .readWrite, .readWrite, .none]),
            acceptanceStatus: random.pick(status),
            userIdentity: UserIdentity(userRecordName: user))
        })
      if random.chance(6) {
        draft.parent = Reference(
          recordID: RecordID(recordName: self.name(&random), zoneID: zoneID))
      }
      return draft
    }
  }

  /// Makes the indexes that the next update needs, as the console does behind its pages.
  private func makeIndexes(_ copy: AccountCopy, _ container: MockContainer) throws {
    for missing in try copy.missingIndexes(in: container.store) {
      try container.store.make(missing)
    }
  }

  // MARK: What an update reads

  /// A share of Ben, and whether Anna has accepted it.
  private static func share(
    in zoneID: ZoneID, _ status: ShareParticipant.AcceptanceStatus = .accepted
  ) -> DraftRecord {
    var share = DraftRecord(
      recordType: Share.recordType, recordID: RecordID(recordName: "share", zoneID: zoneID))
    share.shareInfo = Share(
      participants: [
        ShareParticipant(
          role: .owner, permission: .readWrite, acceptanceStatus: .accepted,
          userIdentity: UserIdentity(userRecordName: "_ben")),
        ShareParticipant(
          role: .privateUser, permission: .readWrite, acceptanceStatus: status,
          userIdentity: UserIdentity(userRecordName: "_anna")),
      ])
    return share
  }

  /// A zone of Ben with records below a share that Anna has accepted.
  private func sharedZone(
    _ container: MockContainer, _ name: String = "Plans"
  ) throws -> ZoneID {
    let zoneID = Self.zoneID("_ben", name)
    func recordID(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zoneID) }
    let share = Self.share(in: zoneID)
    var root = DraftRecord(recordType: "Note", recordID: recordID("root"))
    root.share = Reference(recordID: share.recordID)
    let leaves = (0..<3).map { number in
      var leaf = DraftRecord(recordType: "Note", recordID: recordID("leaf\(number)"))
      leaf.parent = Reference(recordID: root.recordID)
      return leaf
    }
    try container.store.transaction { transaction in
      try transaction.save(RecordZone(zoneID: zoneID), in: .private)
      _ = try transaction.save([share, root] + leaves, in: .private)
    }
    return zoneID
  }

  @Test func `has not read the records of a shared zone that did not change`() throws {
    let container = try container()
    let zoneID = try sharedZone(container)
    let copy = AccountCopy(of: "_anna")
    try copy.update(from: container)
    try makeIndexes(copy, container)
    // An update that reads this record finds that it is damaged, and removes it from the copy.
    try container.store.transaction { transaction in
      try transaction.db.run("UPDATE record SET json = x'00' WHERE name = ?", ["leaf0"])
      let root = RecordID(recordName: "root", zoneID: zoneID)
      let stored = try #require(try transaction.record(for: root, in: .private))
      var changed = DraftRecord(stored)
      changed["number"] = 1
      _ = try transaction.save([changed], in: .private)
    }
    try copy.update(from: container)
    let records = try #require(try Contents(copy)).records[DatabaseScope.shared.rank]
    #expect(records.count == 5)
    #expect(records[RecordID(recordName: "root", zoneID: zoneID)]?["number"] == 1)
  }

  @Test func `lacks a record whose parent in another zone is not shared any more`() throws {
    let container = try container()
    let zoneID = try sharedZone(container)
    let other = try sharedZone(container, "Notes")
    let copy = AccountCopy(of: "_anna")
    try copy.update(from: container)
    var draft = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "far", zoneID: zoneID))
    draft.parent = Reference(recordID: RecordID(recordName: "root", zoneID: other))
    try container.store.transaction { _ = try $0.save([draft], in: .private) }
    try copy.update(from: container)
    #expect(try copy.sees(RecordLocation(.private, draft.recordID)))
    try container.store.transaction {
      _ = try $0.save([Self.share(in: other, .pending)], in: .private)
    }
    try copy.update(from: container)
    #expect(try !copy.sees(RecordLocation(.private, draft.recordID)))
  }
}
