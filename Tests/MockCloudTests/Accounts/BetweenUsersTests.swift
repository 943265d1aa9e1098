import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel
import Testing

private let work = ZoneID(zoneName: "Work")

private func ofMira(_ name: String, _ zone: String = "Notes") -> RecordID {
  RecordID(recordName: name, zoneID: ZoneID(zoneName: zone, ownerName: "_mira"))
}

private func user(
  _ name: String, _ permission: ShareParticipant.Permission = .readWrite,
  _ status: ShareParticipant.AcceptanceStatus = .accepted,
  role: ShareParticipant.Role = .privateUser
) -> ShareParticipant {
  ShareParticipant(
    role: role, permission: permission, acceptanceStatus: status,
    userIdentity: UserIdentity(userRecordName: name))
}

/// What users who share with each other do not learn of each other, do not change, and are told.
@Suite("Between users")
struct BetweenUsersTests {
  /// Returns a container of mira with the zones "Notes" and "Work", and the accounts of kenji and ada.
  private func make(
    _ rules: ServerRules = .native
  ) async throws -> (MockContainer, MockAccount, MockAccount) {
    let c = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.x", currentUserRecordName: "_mira"), rules: rules,
      now: { testDate })
    let k = try c.account("_kenji", emailAddress: "kenji@example.com")
    let a = try c.account("_ada")
    try await c.privateCloudDatabase.save(RecordZone(zoneID: notes))
    try await c.privateCloudDatabase.save(RecordZone(zoneID: work))
    return (c, k, a)
  }

  /// Shares a stored or new note of mira's.
  private func share(
    _ c: MockContainer, _ root: String, _ share: String, _ p: [ShareParticipant],
    zone: ZoneID = notes
  ) async throws {
    var r: DraftRecord
    if let stored = try? await c.privateCloudDatabase.record(for: id(root, in: zone)) {
      r = DraftRecord(stored)
    } else {
      r = note(root, in: zone)
    }
    let s = DraftRecord(sharing: &r, participants: p, recordName: share)
    try await c.privateCloudDatabase.modifyRecords(saving: [r, s], deleting: [])
  }

  @Test("A conflict shows a participant the share as the participant sees it")
  func conflict() async throws {
    let (c, k, _) = try await make()
    try await share(c, "root", "share", [user("_kenji"), user("_ada", .readWrite, .pending)])
    let db = k.sharedCloudDatabase
    let mine = try await db.record(for: ofMira("share"))
    #expect(mine.shareInfo?.participants.count == 2)
    var d = DraftRecord(try await c.privateCloudDatabase.record(for: id("share")))
    d[Share.titleKey] = "x"
    try await c.privateCloudDatabase.save(d)
    var old = DraftRecord(mine)
    old[Share.titleKey] = "y"
    let e = await cloudError { try await db.save(old) }
    #expect(e?.code == .serverRecordChanged)
    #expect(e?.conflict?.serverRecord?.shareInfo?.participants.count == 2)
    #expect(
      e?.conflict?.serverRecord?.shareInfo?.currentUserParticipant?.userIdentity.userRecordName
        == "_kenji")
  }

  @Test("A reference to be validated does not tell what else exists")
  func validation() async throws {
    let (c, k, _) = try await make()
    try await share(c, "root", "share", [user("_kenji")])
    try await c.privateCloudDatabase.save(note("secret"))
    try await c.privateCloudDatabase.save(note("other", in: work))
    let db = k.sharedCloudDatabase
    func attempt(_ target: RecordID, _ name: String) async -> CloudError.Code? {
      var d = note(name, below: "root", in: ofMira("").zoneID)
      d["ref"] = Reference(recordID: target, action: .validate)
      return await cloudError { try await db.save(d) }?.code
    }
    let no = await attempt(ofMira("nothing"), "x1")
    #expect(no == .referenceViolation)
    #expect(await attempt(ofMira("secret"), "x2") == no, "record of a visible zone")
    #expect(await attempt(ofMira("other", "Work"), "x3") == no, "record of an invisible zone")
    // What the owner has set is no obstacle: neither such a reference nor the parent of the root.
    var root = DraftRecord(try await c.privateCloudDatabase.record(for: id("root")))
    root["ref"] = Reference(recordID: id("secret"), action: .validate)
    root.parent = Reference(recordID: id("secret"))
    try await c.privateCloudDatabase.save(root)
    root = DraftRecord(try await db.record(for: ofMira("root")))
    root["text"] = "by kenji"
    try await db.save(root)
  }

  @Test(
    "A zone that comes again with participants who have accepted expires tokens")
  func zoneThatComesAgain() async throws {
    for kind in 0..<3 {
      let (c, k, _) = try await make()
      let db = k.sharedCloudDatabase
      try await c.privateCloudDatabase.save(note("before"))
      try await share(c, "root", "share", [user("_kenji")])
      let first = try await db.recordZoneChanges(
        inZoneWith: ofMira("").zoneID, since: nil, desiredKeys: nil, resultsLimit: nil)
      let dbToken = try await db.databaseChanges(since: nil, resultsLimit: nil).changeToken
      try await c.privateCloudDatabase.modifyRecords(
        saving: [], deleting: [id("root"), id("share")])
      #expect(try await db.allRecordZones().isEmpty)
      switch kind {
      case 0: try await share(c, "root2", "share2", [user("_kenji")])  // new root
      case 1: try await share(c, "before", "share2", [user("_kenji")])  // stored root
      default:
        try await c.privateCloudDatabase.save(
          DraftRecord(sharingZone: notes, participants: [user("_kenji")]))
      }
      #expect(try await db.allRecordZones().count == 1)
      let e = await cloudError {
        try await db.recordZoneChanges(
          inZoneWith: ofMira("").zoneID, since: first.changeToken, desiredKeys: nil,
          resultsLimit: nil)
      }
      #expect(e?.code == .changeTokenExpired, "kind \(kind)")
      let dbPage = try await db.databaseChanges(since: dbToken, resultsLimit: nil)
      #expect(dbPage.modifications.count == 1)
      #expect(dbPage.deletions.isEmpty, "kind \(kind): zone both changed and deleted")
    }
  }

  @Test("__defaultOwner__ in a stamp is the signed-in user, whoever asks")
  func stamps() async throws {
    let c = try MockContainer.inMemory(now: { testDate })
    try await c.publicCloudDatabase.save(note("m", in: .default))
    try await c.privateCloudDatabase.save(RecordZone(zoneID: notes))
    try await c.privateCloudDatabase.save(note("p"))
    let k = try c.account("_kenji")
    let mira = try await c.userRecordID().recordName
    let seen = try await k.publicCloudDatabase.record(for: id("m", in: .default))
    #expect(seen.creatorUserRecordID?.recordName == mira, "kenji sees the creator of mira's record")
    let q = RecordQuery(
      recordType: "Note",
      filters: [
        QueryFilter(
          "___createdBy", .equals,
          .reference(Reference(recordID: RecordID(recordName: "_kenji", zoneID: .default))))
      ])
    let found = try await k.publicCloudDatabase.records(matching: q)
    #expect(found.matchResults.isEmpty, "kenji created nothing")
  }

  @Test("A removed participant joins a public share by its link")
  func joiningAgain() async throws {
    let (c, k, _) = try await make()
    var root = note("root")
    let s = DraftRecord(
      sharing: &root, participants: [user("_kenji", .readWrite, .removed)],
      publicPermission: .readWrite, recordName: "share")
    try await c.privateCloudDatabase.modifyRecords(saving: [root, s], deleting: [])
    let url = try #require(
      try await c.privateCloudDatabase.record(for: id("share")).shareInfo?.url.flatMap {
        URL(string: $0)
      })
    try await k.accept(k.shareMetadata(for: url))
    #expect(try await k.sharedCloudDatabase.allRecordZones().count == 1)
  }

  @Test("An administrator does not exceed the number of participants")
  func tooManyParticipants() async throws {
    var rules = ServerRules.native
    rules.maxParticipants = 3
    let (c, k, _) = try await make(rules)
    try await share(
      c, "root", "share",
      [user("_kenji", role: .administrator), user("_ada", .readWrite, .pending)])
    let db = k.sharedCloudDatabase
    let r = try await db.record(for: ofMira("share"))
    var d = DraftRecord(r)
    d.shareInfo?.participants.append(user("_zoe", .readOnly, .pending))
    let e = await cloudError { try await db.save(d) }
    #expect(e?.code == .tooManyParticipants)
    let n = try await c.privateCloudDatabase.record(for: id("share")).shareInfo?.participants.count
    #expect(n == 3)
  }

  @Test("A participant does not move the root of a share")
  func root() async throws {
    let (c, k, _) = try await make()
    let mira = c.privateCloudDatabase
    try await share(c, "root", "share", [user("_kenji")])
    try await mira.save(note("secret"))
    let tag = try await mira.record(for: id("secret")).recordChangeTag
    let db = k.sharedCloudDatabase
    func attempt(_ parent: String) async throws -> CloudError.Code? {
      var d = DraftRecord(try await db.record(for: ofMira("root")))
      d.parent = Reference(recordID: ofMira(parent))
      return await cloudError { try await db.save(d) }?.code
    }
    let e1 = try await attempt("nothing")
    let e2 = try await attempt("secret")
    #expect(e2 != nil, "the root is now below a record that kenji does not see")
    #expect(e1 == e2, "tells whether 'secret' exists")
    #expect(try await mira.record(for: id("secret")).recordChangeTag == tag)
    #expect(await cloudError { try await mira.deleteRecord(withID: id("secret")) } == nil)
  }

  @Test("A record with a share below it is not moved below another share")
  func nestedShares() async throws {
    let (c, _, _) = try await make()
    let mira = c.privateCloudDatabase
    try await mira.modifyRecords(saving: [note("a"), note("b", below: "a")], deleting: [])
    try await share(c, "b", "shareB", [user("_kenji")])
    try await share(c, "root", "shareR", [user("_kenji")])
    var d = DraftRecord(try await mira.record(for: id("a")))
    d.parent = Reference(recordID: id("root"))
    let e = await cloudError { try await mira.save(d) }
    #expect(e?.code == .alreadyShared)
  }

  @Test("The root that is saved while its share is deleted comes back without it")
  func savedRoot() async throws {
    let (c, _, _) = try await make()
    let mira = c.privateCloudDatabase
    try await share(c, "root", "share", [user("_kenji")])
    var d = DraftRecord(try await mira.record(for: id("root")))
    d["text"] = "new"
    let r = try await mira.modifyRecords(saving: [d], deleting: [id("share")])
    let saved = try #require(try r.saveResults[id("root")]?.get())
    let stored = try await mira.record(for: id("root"))
    #expect(saved.recordChangeTag == stored.recordChangeTag)
    #expect(saved.share == stored.share)
  }

  @Test("An account of the metadata has a default zone")
  func accountOfMetadata() async throws {
    var info = ContainerInfo(currentUserRecordName: "_mira")
    info.accounts = [ContainerAccount(userRecordName: "_kenji")]
    let c = try MockContainer.inMemory(info: info, now: { testDate })
    let k = try c.account("_kenji")
    #expect(
      await cloudError { try await k.privateCloudDatabase.save(note("x", in: .default)) } == nil)
    #expect(try await k.privateCloudDatabase.allRecordZones().count == 1)
  }

  @Test("Who sees a deleted record is told, in any order of the deletions")
  func deletions() async throws {
    for order in 0..<2 {
      let (c, k, _) = try await make()
      let mira = c.privateCloudDatabase
      var root = DraftRecord(recordType: "List", recordID: id("list"))
      let s = DraftRecord(sharing: &root, participants: [user("_kenji")], recordName: "share")
      try await mira.modifyRecords(saving: [root, s], deleting: [])
      try await mira.save(note("item", below: "list"))
      let phone = k.device("Phone")
      try await k.sharedCloudDatabase.save(
        CloudSubscription(subscriptionID: "t", kind: .database(recordType: "Note")))
      let both = [id("list"), id("item")]
      try await mira.modifyRecords(saving: [], deleting: order == 0 ? both : both.reversed())
      #expect(phone.takeNotifications().count == 1, "order \(order)")
    }
  }

  @Test("Accounts and subscriptions that are added at once are all kept")
  func atOnce() async throws {
    let (c, k, _) = try await make()
    try await withThrowingTaskGroup(of: Void.self) { g in
      for i in 0..<40 {
        g.addTask { _ = try c.account("_u\(i)") }
        g.addTask {
          try await k.privateCloudDatabase.save(
            CloudSubscription(
              subscriptionID: "s\(i)",
              kind: .query(
                RecordQuery(recordType: "T\(i)"), zoneID: nil, firesOn: [.create], firesOnce: false)
            ))
        }
      }
      try await g.waitForAll()
    }
    #expect(try c.accounts.count == 42)
    #expect(try await k.privateCloudDatabase.allSubscriptions().count == 40)
    let zones = try await c.privateCloudDatabase.allRecordZones().map(\.zoneID)
    #expect(zones.allSatisfy { $0.ownerName == "__defaultOwner__" }, "\(zones)")
    _ = try c.store.verify { Issue.record("\($0)") }
  }

  @Test("Shares have links of their own, whatever their names")
  func links() async throws {
    let (c, _, _) = try await make()
    let mira = c.privateCloudDatabase
    for name in ["A", "A:B", "A/B", "A:B:_x"] {
      try await mira.save(RecordZone(zoneID: ZoneID(zoneName: name)))
    }
    var urls: [String?] = []
    for (zone, share) in [("A", "B:c"), ("A:B", "c")] {
      let z = ZoneID(zoneName: zone)
      var r = note("r", in: z)
      let s = DraftRecord(sharing: &r, recordName: share)
      try await mira.modifyRecords(saving: [r, s], deleting: [])
      urls.append(try await mira.record(for: s.recordID).shareInfo?.url)
    }
    #expect(Set(urls).count == urls.count, "\(urls)")
  }

  @Test("A parent in another zone is refused")
  func parentInOtherZone() async throws {
    let (c, k, _) = try await make()
    let mira = c.privateCloudDatabase
    try await share(c, "root", "share", [user("_kenji")])
    var d = note("y", in: work)
    d.parent = Reference(recordID: id("root"))
    let e = await cloudError { try await mira.save(d) }
    #expect(e != nil, "a parent in another zone")
    try await share(c, "w", "shareW", [user("_kenji")], zone: work)
    let seen = try await k.sharedCloudDatabase.records(for: [ofMira("y", "Work")])
    #expect(!(seen.values.first?.isSuccess ?? false))
  }

  @Test("A zone subscription tells of records that ceased to be visible")
  func lostRecords() async throws {
    let (c, k, _) = try await make()
    let mira = c.privateCloudDatabase
    try await share(c, "root", "share", [user("_kenji")])
    try await mira.save(note("child", below: "root"))
    try await mira.save(note("elsewhere"))
    let phone = k.device("P")
    try await k.sharedCloudDatabase.save(
      CloudSubscription(subscriptionID: "z", kind: .zone(ofMira("").zoneID, recordType: nil)))
    try await k.sharedCloudDatabase.save(
      CloudSubscription(subscriptionID: "d", kind: .database(recordType: nil)))
    var d = DraftRecord(try await mira.record(for: id("child")))
    d.parent = Reference(recordID: id("elsewhere"))
    try await mira.save(d)
    #expect(Set(phone.takeNotifications().map(\.subscriptionID)) == ["z", "d"])
  }

  @Test("A participant does not change the owner and the link of a share")
  func otherMembers() async throws {
    let (c, k, _) = try await make()
    try await share(c, "root", "share", [user("_kenji")])
    let before = try await c.privateCloudDatabase.record(for: id("share")).shareInfo
    var d = DraftRecord(try await k.sharedCloudDatabase.record(for: ofMira("share")))
    d.shareInfo?.owner = user("_kenji", role: .owner)
    d.shareInfo?.url = "https://evil.example.com"
    d.shareInfo?.shortGUID = "evil"
    d.shareInfo?.currentUserParticipant = user("_kenji", role: .owner)
    let e = await cloudError { try await k.sharedCloudDatabase.save(d) }
    let after = try await c.privateCloudDatabase.record(for: id("share")).shareInfo
    #expect(before == after, "\(String(describing: e))")
  }

  @Test("Pages of changed zones have each zone, whatever else has changed in it")
  func pagesOfZones() async throws {
    let (c, k, _) = try await make()
    let mira = c.privateCloudDatabase
    try await mira.save(note("invisible"))
    try await share(c, "a", "sa", [user("_kenji")])
    try await share(c, "b", "sb", [user("_kenji")], zone: work)
    var d = DraftRecord(try await mira.record(for: id("invisible")))
    d["text"] = "new"
    try await mira.save(d)
    var token: ServerChangeToken?
    var zones: [ZoneID] = []
    var more = true
    while more {
      let page = try await k.sharedCloudDatabase.databaseChanges(since: token, resultsLimit: 1)
      zones += page.modifications.map(\.zoneID)
      (token, more) = (page.changeToken, page.moreComing)
    }
    #expect(Set(zones) == [ofMira("").zoneID, ofMira("", "Work").zoneID], "\(zones)")
    #expect(zones.count == 2)
  }

  @Test("A shared zone of an import is written as far as its share lets the user")
  func imported() async throws {
    let container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    let zoneID = ZoneID(zoneName: "Trips", ownerName: "_owner")
    var root = note("root", in: zoneID)
    let share = DraftRecord(
      sharing: &root, participants: [user("_mira", .readOnly)], recordName: "share")
    let shared = container.store.database(.shared)
    try shared.save([RecordZone(zoneID: zoneID)])
    try shared.save([root, share, note("child", below: "root", in: zoneID)])
    try shared.save([note("alone", in: zoneID)])
    let database = container.sharedCloudDatabase
    for name in ["root", "child"] {
      var draft = DraftRecord(try await database.record(for: id(name, in: zoneID)))
      draft["text"] = "changed"
      let error = await cloudError { try await database.save(draft) }
      #expect(error?.code == .permissionFailure, "\(name)")
    }
    let new = await cloudError {
      try await database.save(note("new", below: "child", in: zoneID))
    }
    #expect(new?.code == .permissionFailure)
    // Nothing is known about a record whose share was not imported.
    var draft = DraftRecord(try await database.record(for: id("alone", in: zoneID)))
    draft["text"] = "changed"
    try await database.save(draft)
  }

  @Test("Deleting what a share refers to does not end the share for the others")
  func cascadeToShare() async throws {
    let (c, k, _) = try await make()
    try await share(c, "root", "share", [user("_kenji"), user("_ada")])
    let database = k.sharedCloudDatabase
    let zoneID = ofMira("root").zoneID
    try await database.save(note("target", below: "root", in: zoneID))
    var record = DraftRecord(try await database.record(for: ofMira("share")))
    record["owner"] = Reference(recordID: ofMira("target"), action: .deleteSelf)
    try await database.save(record)
    try await database.deleteRecord(withID: ofMira("target"))
    #expect(try await c.privateCloudDatabase.record(for: id("share")).isShare)
  }

  @Test("An administrator who may only read changes who takes part, and nothing else")
  func readingAdministrator() async throws {
    let (c, k, _) = try await make()
    try await share(c, "root", "share", [user("_kenji", .readOnly, role: .administrator)])
    let database = k.sharedCloudDatabase
    let stored = try await database.record(for: ofMira("share"))
    var draft = DraftRecord(stored)
    var info = try #require(stored.shareInfo)
    info.participants.append(user("_ada", .readOnly, .pending))
    draft.shareInfo = info
    try await database.save(draft)
    let all = try await c.privateCloudDatabase.record(for: id("share")).shareInfo?.participants
    #expect(all?.count == 3)
    var root = DraftRecord(try await database.record(for: ofMira("root")))
    root["text"] = "changed"
    let error = await cloudError { try await database.save(root) }
    #expect(error?.code == .permissionFailure)
  }

  @Test("A user of another container cannot sign in")
  func otherContainer() async throws {
    let (c, _, _) = try await make()
    let (_, stranger, _) = try await make()
    let phone = c.device("Phone")
    #expect(throws: CloudError.self) { try phone.signIn(as: stranger) }
  }

  @Test("The link of a deleted share is not one of a share that is made again under its name")
  func oldLink() async throws {
    let (c, k, _) = try await make()
    func url() async throws -> URL {
      let record = try await c.privateCloudDatabase.record(for: id("share"))
      return try #require(URL(string: record.shareInfo?.url ?? ""))
    }
    try await share(c, "root", "share", [user("_kenji", .readWrite, .pending)])
    let old = try await url()
    try await c.privateCloudDatabase.deleteRecord(withID: id("share"))
    try await share(c, "root", "share", [user("_kenji", .readWrite, .pending)])
    let new = try await url()
    let error = await cloudError { try await k.shareMetadata(for: old) }
    #expect(error?.code == .unknownItem && old != new)
    try await k.accept(k.shareMetadata(for: new))
  }
}
