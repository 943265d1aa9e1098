import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel
import Testing

/// Three users of one container who share hierarchies of their zones with each other at random,
/// beside a plain model of who sees and may do what.
struct SharingModelTests {
  @Test(
    "every user sees and changes what shares allow, and the change feed tells of it",
    arguments: ServerModelTests.seeds)
  func users(seed: UInt64) async throws {
    var simulation = try await SharingSimulation(seed)
    for step in 0..<15 {
      let actions = [try await simulation.act(), try await simulation.act()]
      try await simulation.check("seed \(seed), step \(step): \(actions)")
    }
    _ = try simulation.container.store.verify { Issue.record("seed \(seed): \($0)") }
  }
}

/// What the users of a container share, as the model knows it.
private struct SharingModel {
  struct Participant: Equatable {
    var permission: ShareParticipant.Permission
    var hasAccepted = false
  }

  struct Note: Equatable {
    var text: String
    var parent: String?
    var share: String?
  }

  /// The contents of one owner's zone.
  struct Zone {
    var notes: [String: Note] = [:]
    /// The participants of each share, by user.
    var shares: [String: [String: Participant]] = [:]
  }

  var zones: [String: Zone] = [:]

  /// What a user may do with a note of another user; nil if the user does not see it.
  func permission(_ user: String, _ name: String, of owner: String) -> ShareParticipant.Permission?
  {
    guard let zone = zones[owner] else { return nil }
    var next: String? = name
    while let name = next, let note = zone.notes[name] {
      if let share = note.share { return permission(user, ofShare: share, of: owner) }
      next = note.parent
    }
    return nil
  }

  func permission(
    _ user: String, ofShare share: String, of owner: String
  ) -> ShareParticipant.Permission? {
    guard let participant = zones[owner]?.shares[share]?[user], participant.hasAccepted,
      participant.permission != .none
    else { return nil }
    return participant.permission
  }

  /// The notes of other users that a user sees, with their owners.
  func seen(by user: String) -> [RecordID: String] {
    var seen: [RecordID: String] = [:]
    for (owner, zone) in zones where owner != user {
      for (name, note) in zone.notes where permission(user, name, of: owner) != nil {
        seen[id(name, in: ZoneID(zoneName: "Notes", ownerName: owner))] = note.text
      }
    }
    return seen
  }

  /// The invitations that nobody has accepted yet.
  var invitations: [(owner: String, user: String, share: String)] {
    zones.sorted { $0.key < $1.key }.flatMap { owner, zone in
      zone.shares.sorted { $0.key < $1.key }.flatMap { share, participants in
        participants.filter { !$0.value.hasAccepted }.keys.sorted().map { (owner, $0, share) }
      }
    }
  }

  /// The notes below a note, and the note itself.
  func tree(_ name: String, of owner: String) -> Set<String> {
    var tree: Set = [name]
    var count = 0
    while count < tree.count {
      count = tree.count
      for (child, note) in zones[owner]?.notes ?? [:] where note.parent.map(tree.contains) ?? false
      {
        tree.insert(child)
      }
    }
    return tree
  }
}

/// Random actions on the container and on the model.
private struct SharingSimulation {
  let container: MockContainer
  private let accounts: [String: MockAccount]
  private var model = SharingModel()
  private var readers: [String: FeedReader] = [:]
  private var random: SeededGenerator
  private var number = 0
  private static let users = ["_ada", "_kenji", "_mira"]

  init(_ seed: UInt64) async throws {
    random = SeededGenerator(seed &+ 77_000_000)
    var rules = ServerRules.native
    rules.maxResults = 1 + random.below(5)
    container = try MockContainer.inMemory(
      info: ContainerInfo(currentUserRecordName: "_mira"), rules: rules, now: { testDate })
    var accounts: [String: MockAccount] = [:]
    for user in Self.users {
      accounts[user] = try container.account(user)
      try await accounts[user]?.privateCloudDatabase.save(RecordZone(zoneID: notes))
      model.zones[user] = .init()
      readers[user] = FeedReader()
    }
    self.accounts = accounts
    for _ in 0..<6 { _ = try await create("_kenji", "_kenji", below: nil) }
  }

  private func account(_ user: String) throws -> MockAccount { try #require(accounts[user]) }

  private func zoneID(of owner: String, for user: String) -> ZoneID {
    user == owner ? notes : ZoneID(zoneName: "Notes", ownerName: owner)
  }

  private func database(of owner: String, for user: String) throws -> MockDatabase {
    try account(user).database(with: user == owner ? .private : .shared)
  }

  // MARK: Actions

  /// Does something, and returns its name.
  mutating func act() async throws -> String {
    let owner = random.chance(2) ? "_kenji" : random.pick(Self.users)
    let user = random.pick(Self.users)
    let names = (model.zones[owner]?.notes.keys).map { $0.sorted() } ?? []
    let shares = (model.zones[owner]?.shares.keys).map { $0.sorted() } ?? []
    switch random.below(12) {
    case 0...2:
      return try await create(owner, user, below: random.chance(4) ? nil : names.randomOne(&random))
    case 3...4: return try await change(owner, user, names.randomOne(&random))
    case 5: return try await move(owner, user, names.randomOne(&random), names.randomOne(&random))
    case 6:
      let roots = names.filter { model.zones[owner]?.notes[$0]?.parent == nil }
      return try await share(owner, roots.randomOne(&random))
    case 7: return try await accept(owner, user, shares.randomOne(&random))
    case 8:
      guard let invitation = model.invitations.randomOne(&random) else { return "-" }
      return try await accept(invitation.owner, invitation.user, invitation.share)
    case 9: return try await changeParticipants(owner, shares.randomOne(&random))
    case 10: return try await end(owner, user, shares.randomOne(&random))
    default: return try await delete(owner, user, names.randomOne(&random))
    }
  }

  /// The error of a record, if the model says that the user may not do that.
  private func mayWrite(_ user: String, _ name: String, of owner: String) -> Bool {
    user == owner || model.permission(user, name, of: owner) == .readWrite
  }

  private mutating func create(
    _ owner: String, _ user: String, below parent: String?
  ) async throws -> String {
    number += 1
    let name = "n\(number)"
    let zoneID = zoneID(of: owner, for: user)
    var draft = note(name, in: zoneID, "new \(number)")
    draft.parent = parent.map { Reference(recordID: id($0, in: zoneID)) }
    let isAllowed = user == owner || parent.map { mayWrite(user, $0, of: owner) } ?? false
    let error = await cloudError { try await database(of: owner, for: user).save(draft) }
    #expect(
      (error == nil) == isAllowed,
      "create \(name) of \(owner) by \(user): \(String(describing: error))")
    if error == nil {
      model.zones[owner]?.notes[name] = .init(text: "new \(number)", parent: parent)
    }
    return "\(user) creates \(name) of \(owner) below \(parent ?? "-")"
  }

  private mutating func change(
    _ owner: String, _ user: String, _ name: String?
  ) async throws -> String {
    guard let name else { return "-" }
    number += 1
    var draft = DraftRecord(
      recordType: "Note", recordID: id(name, in: zoneID(of: owner, for: user)))
    draft["text"] = "text \(number)"
    let error = await cloudError {
      try await database(of: owner, for: user).modifyRecords(
        saving: [draft], deleting: [], savePolicy: .changedKeys
      ).saveResults.values.first?.get()
    }
    #expect(
      (error == nil) == mayWrite(user, name, of: owner),
      "change \(name) of \(owner) by \(user): \(String(describing: error))")
    if error == nil { model.zones[owner]?.notes[name]?.text = "text \(number)" }
    return "\(user) changes \(name) of \(owner)"
  }

  private mutating func move(
    _ owner: String, _ user: String, _ name: String?, _ parent: String?
  ) async throws -> String {
    guard let name, let parent, !model.tree(name, of: owner).contains(parent) else { return "-" }
    let database = try database(of: owner, for: user)
    let zoneID = zoneID(of: owner, for: user)
    guard let record = try? await database.record(for: id(name, in: zoneID)) else { return "-" }
    var draft = DraftRecord(record)
    draft.parent = Reference(recordID: id(parent, in: zoneID))
    let error = await cloudError { try await database.save(draft) }
    if error == nil {
      model.zones[owner]?.notes[name]?.parent = parent
    } else {
      let isAllowed = mayWrite(user, name, of: owner) && mayWrite(user, parent, of: owner)
      #expect(
        error?.code == .alreadyShared || !isAllowed && error?.code == .permissionFailure,
        "\(String(describing: error))")
    }
    return "\(user) moves \(name) of \(owner) below \(parent): \(error == nil)"
  }

  private mutating func share(_ owner: String, _ name: String?) async throws -> String {
    guard let name else { return "-" }
    let database = try database(of: owner, for: owner)
    var root = DraftRecord(try await database.record(for: id(name)))
    let others = Self.users.filter { $0 != owner && !random.chance(3) }
    let permissions = others.map { _ in
      random.chance(3) ? ShareParticipant.Permission.readOnly : .readWrite
    }
    number += 1
    let share = DraftRecord(
      sharing: &root,
      participants: zip(others, permissions).map {
        ShareParticipant(permission: $1, userIdentity: UserIdentity(userRecordName: $0))
      }, recordName: "share\(number)")
    let results = try await database.modifyRecords(saving: [root, share], deleting: []).saveResults
    let errors = results.values.compactMap(\.cloudError)
    #expect(errors.allSatisfy { [.alreadyShared, .batchRequestFailed].contains($0.code) })
    if errors.isEmpty {
      model.zones[owner]?.notes[name]?.share = "share\(number)"
      model.zones[owner]?.shares["share\(number)"] = Dictionary(
        uniqueKeysWithValues: zip(others, permissions.map { .init(permission: $0) }))
    }
    return "\(owner) shares \(name) with \(others): \(errors.isEmpty)"
  }

  private func url(_ share: String, of owner: String) async throws -> URL? {
    let record = try await database(of: owner, for: owner).record(for: id(share))
    return record.shareInfo?.url
  }

  private mutating func accept(
    _ owner: String, _ user: String, _ share: String?
  ) async throws -> String {
    guard let share, user != owner, let url = try await url(share, of: owner) else { return "-" }
    let account = try account(user)
    let error = await cloudError { try await account.accept(account.shareMetadata(for: url)) }
    let isInvited = model.zones[owner]?.shares[share]?[user] != nil
    #expect((error == nil) == isInvited, "\(String(describing: error))")
    if error == nil { model.zones[owner]?.shares[share]?[user]?.hasAccepted = true }
    return "\(user) accepts \(share) of \(owner): \(error == nil)"
  }

  private mutating func changeParticipants(_ owner: String, _ share: String?) async throws -> String
  {
    guard let share else { return "-" }
    let database = try database(of: owner, for: owner)
    let record = try await database.record(for: id(share))
    var draft = DraftRecord(record)
    var info = try #require(record.shareInfo)
    let user = random.pick(Self.users.filter { $0 != owner })
    let permission = random.pick([ShareParticipant.Permission.readOnly, .readWrite, .none])
    let removes = random.chance(2)
    let index = info.participants.firstIndex { $0.userIdentity.userRecordName == user }
    if let index, removes {
      info.participants.remove(at: index)
      model.zones[owner]?.shares[share]?[user] = nil
    } else if let index {
      info.participants[index].permission = permission
      model.zones[owner]?.shares[share]?[user]?.permission = permission
    } else {
      info.participants.append(
        ShareParticipant(
          permission: permission, userIdentity: UserIdentity(userRecordName: user)))
      model.zones[owner]?.shares[share]?[user] = .init(permission: permission)
    }
    draft.shareInfo = info
    try await database.save(draft)
    return "\(owner) changes \(user) in \(share)"
  }

  /// The owner deletes a share, or a participant leaves it.
  private mutating func end(_ owner: String, _ user: String, _ share: String?) async throws
    -> String
  {
    guard let share else { return "-" }
    let isSeen = user == owner || model.permission(user, ofShare: share, of: owner) != nil
    let error = await cloudError {
      try await database(of: owner, for: user)
        .deleteRecord(withID: id(share, in: zoneID(of: owner, for: user)))
    }
    if user == owner {
      #expect(error == nil)
      model.zones[owner]?.shares[share] = nil
      for (name, note) in model.zones[owner]?.notes ?? [:] where note.share == share {
        model.zones[owner]?.notes[name]?.share = nil
      }
    } else if isSeen {
      #expect(error == nil, "\(String(describing: error))")
      model.zones[owner]?.shares[share]?[user] = nil
    } else {
      #expect(error != nil)
    }
    return "\(user) ends \(share) of \(owner)"
  }

  private mutating func delete(
    _ owner: String, _ user: String, _ name: String?
  ) async throws -> String {
    guard let name else { return "-" }
    let error = await cloudError {
      try await database(of: owner, for: user)
        .deleteRecord(withID: id(name, in: zoneID(of: owner, for: user)))
    }
    let isParent = model.tree(name, of: owner).count > 1
    // Only the owner deletes the root of a share, and ends the share with it.
    let share = model.zones[owner]?.notes[name]?.share
    let isAllowed = mayWrite(user, name, of: owner) && (user == owner || share == nil)
    #expect((error == nil) == (isAllowed && !isParent), "\(String(describing: error))")
    if error == nil {
      model.zones[owner]?.notes[name] = nil
      if let share { model.zones[owner]?.shares[share] = nil }
    }
    return "\(user) deletes \(name) of \(owner): \(error == nil)"
  }

  // MARK: Checks

  mutating func check(_ comment: String) async throws {
    for user in Self.users {
      let expected = model.seen(by: user)
      let database = try account(user).sharedCloudDatabase
      let records = try await database.records(ofType: "Note")
      let seen = Dictionary(uniqueKeysWithValues: records.map { ($0.recordID, text(of: $0)) })
      #expect(seen == expected, "\(comment); \(user)")
      var found: Set<RecordID> = []
      for zone in try await database.allRecordZones() {
        found.formUnion(try await query(database, zone.zoneID))
        try await checkNewestChanges(database, zone.zoneID, comment)
      }
      #expect(found == Set(expected.keys), "\(comment); query of \(user)")
      let fetched = try await database.records(for: try everyNote(but: user))
      #expect(
        Set(fetched.filter { $0.value.isSuccess }.keys) == Set(expected.keys),
        "\(comment); fetch by \(user)")
      if random.chance(3) { try await readers[user]?.read(database, pages: 2, &random) }
      if random.chance(2) {
        try await readers[user]?.readAll(database, &random)
        let read = (readers[user]?.records ?? [:]).filter { $0.value.recordType == "Note" }
          .mapValues(text)
        #expect(read == expected, "\(comment); reader of \(user)")
      }
      let own = try await database.container.account(user).privateCloudDatabase
        .records(ofType: "Note").map(\.recordID.recordName)
      #expect(Set(own) == Set((model.zones[user]?.notes ?? [:]).keys), "\(comment); own of \(user)")
    }
  }

  /// Checks that the pages with the newest changes first have the changes of the usual order.
  private func checkNewestChanges(
    _ database: MockDatabase, _ zoneID: ZoneID, _ comment: String
  ) async throws {
    var (expected, end): ([RecordID], ServerChangeToken?) = ([], nil)
    var moreComing = true
    while moreComing {
      let page = try await database.recordZoneChanges(inZoneWith: zoneID, since: end)
      expected += page.modificationResultsByID.keys.map(\.self) + page.deletions.map(\.recordID)
      (end, moreComing) = (page.changeToken, page.moreComing)
    }
    var (changes, token): ([RecordID], ServerChangeToken?) = ([], nil)
    moreComing = true
    while moreComing {
      let page = try await database.newestChanges(
        inZoneWith: zoneID, since: token, resultsLimit: 2)
      changes += page.changes.map(\.recordID)
      (token, moreComing) = (page.changeToken, page.moreComing)
    }
    #expect(changes.sorted() == expected.sorted(), "\(comment); newest changes of \(zoneID)")
    #expect(token == end)
  }

  private func text(of record: ResultRecord) -> String { record["text"] ?? "" }

  private func everyNote(but user: String) throws -> [RecordID] {
    model.zones.filter { $0.key != user }.flatMap { owner, zone in
      zone.notes.keys.map { id($0, in: zoneID(of: owner, for: user)) }
    }
  }

  private func query(_ database: MockDatabase, _ zoneID: ZoneID) async throws -> Set<RecordID> {
    var page = try await database.records(
      matching: RecordQuery(recordType: "Note"), inZoneWith: zoneID)
    var found = page.matchResults.map(\.0)
    while let cursor = page.queryCursor {
      page = try await database.records(continuingMatchFrom: cursor)
      found += page.matchResults.map(\.0)
    }
    return Set(found)
  }
}

extension Array {
  fileprivate func randomOne(_ random: inout SeededGenerator) -> Element? {
    isEmpty ? nil : random.pick(self)
  }
}
