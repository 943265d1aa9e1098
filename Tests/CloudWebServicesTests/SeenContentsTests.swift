import Foundation
import MockCloud
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform
import RecordStore
import TestSupport
import Testing

@testable import CloudWebServices

/// The console as a user: views show what the server returns to the user, and nothing else.
@Suite("What a user sees in the console")
struct SeenContentsTests {
  private static let users = ["_anna", "_ben", "_cleo"]
  private static let schema = """
    DEFINE SCHEMA
    RECORD TYPE Note (text STRING QUERYABLE SEARCHABLE SORTABLE, file ASSET, \
    GRANT READ, WRITE, CREATE TO "_creator", \
    GRANT READ TO "_world", GRANT CREATE TO "_icloud");
    RECORD TYPE Secret (text STRING QUERYABLE, GRANT READ, WRITE TO "_creator", \
    GRANT CREATE TO "_icloud");
    RECORD TYPE Users (roles LIST<INT64>, GRANT WRITE TO "_creator", GRANT READ TO "_world");
    """

  /// A container as a plain list, by which the test decides who sees what.
  private struct Model {
    struct Item {
      var owner: String
      var zone: String
      var name: String
      var type = "Note"
      var parent: String?
      var share: String?
    }
    var items: [String: Item] = [:]
    /// The users who have accepted each share, by its name and the owner's zone.
    var accepted: [String: Set<String>] = [:]

    static func key(_ owner: String, _ zone: String, _ name: String) -> String {
      "\(owner)/\(zone)/\(name)"
    }

    func sees(_ user: String, _ item: Item) -> Bool {
      if item.zone.isEmpty { return item.type == "Note" || item.owner == user }
      if item.owner == user { return true }
      let whole = Self.key(item.owner, item.zone, Share.zoneWideRecordName)
      if accepted[whole]?.contains(user) == true { return true }
      var next: Item? = item
      for _ in 0..<20 {
        guard let current = next else { return false }
        if let share = current.share {
          return accepted[Self.key(current.owner, current.zone, share)]?.contains(user) == true
        }
        next = current.parent.flatMap { items[Self.key(current.owner, current.zone, $0)] }
      }
      return false
    }
  }

  /// The text of a record, which is nowhere else.
  private static func mark(_ item: Model.Item) -> String {
    "mark-\(item.owner.dropFirst())-\(item.zone)-\(item.name)-"
  }

  @Test("is what the server returns, in every view and export", arguments: SeededGenerator.seeds(2))
  func views(seed: UInt64) async throws {
    var random = SeededGenerator(seed)
    let client = try WebClient(
      admin: WebAdmin(), page: .withServices, schema: Self.schema)
    for user in Self.users.dropFirst() { _ = try client.container.account(user) }
    var model = Model()
    for round in 0..<TestAmount.of(4, some: 2) {
      // After the first round, views show what has changed since a user looked at them.
      try change(&model, client.container.store, isPart: round > 0, &random)
      try await send(client, model)
      let users = round == 0 ? Self.users : [random.pick(Self.users)]
      for user in users { try await check(user, model, client, seed, &random) }
    }
  }

  // MARK: Changes

  private static func zoneID(_ owner: String, _ zone: String) -> ZoneID {
    ZoneID(zoneName: zone, ownerName: owner == "_anna" ? ZoneID.currentUserOwnerName : owner)
  }

  /// - Parameter isPart: whether most records and shares stay as they are.
  private func change(
    _ model: inout Model, _ store: ContainerStore, isPart: Bool, _ random: inout SeededGenerator
  ) throws {
    var removed: [Model.Item] = []
    var (saved, shares): (Set<String>, Set<String>) = ([], [])
    for key in model.items.keys.sorted() where Int.random(in: 0..<6, using: &random) == 0 {
      if let item = model.items.removeValue(forKey: key), item.name != Share.zoneWideRecordName {
        removed.append(item)
      }
    }
    for owner in Self.users {
      for zone in ["Plans", "Notes"] {
        for number in 0..<4 where !isPart || random.chance(4) {
          let name = "r\(number)"
          var item = Model.Item(owner: owner, zone: zone, name: name)
          if number > 0, Bool.random(using: &random) {
            item.parent = "r\(Int.random(in: 0..<number, using: &random))"
          }
          if Int.random(in: 0..<3, using: &random) == 0 { item.share = "s\(number)" }
          model.items[Model.key(owner, zone, name)] = item
          saved.insert(Model.key(owner, zone, name))
        }
        for share in ["s0", "s1", "s2", "s3", Share.zoneWideRecordName]
        where !isPart || random.chance(4) {
          shares.insert(Model.key(owner, zone, share))
          let isZone = share == Share.zoneWideRecordName
          model.accepted[Model.key(owner, zone, share)] = Set(
            Self.users.filter {
              $0 != owner && Int.random(in: 0..<(isZone ? 6 : 2), using: &random) == 0
            })
        }
      }
      for (number, type) in ["Note", "Secret"].enumerated() {
        let name = "\(owner.dropFirst())p\(number)"
        let item = Model.Item(owner: owner, zone: "", name: name, type: type)
        model.items[Model.key(owner, "", item.name)] = item
        saved.insert(Model.key(owner, "", item.name))
      }
    }
    try store.saveAll { save, delete in
      for item in removed {
        try delete(Self.recordID(item), item.zone.isEmpty ? .public : .private)
      }
      for (key, item) in model.items where saved.contains(key) {
        try save(draft(item), item.zone.isEmpty ? .public : .private, item.owner)
      }
      for (key, users) in model.accepted where shares.contains(key) {
        let parts = key.split(separator: "/").map(String.init)
        let zoneID = Self.zoneID(parts[0], parts[1])
        var share = DraftRecord(
          recordType: Share.recordType, recordID: RecordID(recordName: parts[2], zoneID: zoneID))
        share.shareInfo = Share(
          participants: [
            ShareParticipant(
              role: .owner, permission: .readWrite, acceptanceStatus: .accepted,
              userIdentity: UserIdentity(userRecordName: parts[0]))
          ]
            + Self.users.filter { $0 != parts[0] }.map {
              ShareParticipant(
                role: .privateUser, permission: .readOnly,
                acceptanceStatus: users.contains($0) ? .accepted : .pending,
                userIdentity: UserIdentity(userRecordName: $0))
            })
        try save(share, .private, parts[0])
      }
    }
  }

  private static func recordID(_ item: Model.Item) -> RecordID {
    RecordID(
      recordName: item.name, zoneID: item.zone.isEmpty ? .default : zoneID(item.owner, item.zone))
  }

  private func draft(_ item: Model.Item) -> DraftRecord {
    let recordID = Self.recordID(item)
    var draft = DraftRecord(recordType: item.type, recordID: recordID)
    draft["text"] = Self.mark(item)
    if item.type == "Note" { draft["file"] = Asset(data: Data("file-\(Self.mark(item))".utf8)) }
    func reference(_ name: String) -> Reference {
      Reference(recordID: RecordID(recordName: name, zoneID: recordID.zoneID))
    }
    draft.parent = item.parent.map(reference)
    draft.share = item.share.map(reference)
    return draft
  }

  /// Sends requests, whose bodies are in the list of requests and in histories.
  private func send(_ client: WebClient, _ model: Model) async throws {
    for user in Self.users {
      for item in model.items.values where item.owner == user && item.name == "r0" {
        _ = try await client.with(user: user).post(
          "records/modify",
          """
          {"zoneID":{"zoneName":"\(item.zone)"},"operations":[{"operationType":"forceUpdate","record":
          {"recordType":"Note","recordName":"r0","fields":{"text":{"value":"\(Self.mark(item))"}}}}]}
          """)
      }
    }
  }

  // MARK: Checking

  private func check(
    _ user: String, _ model: Model, _ client: WebClient, _ seed: UInt64,
    _ random: inout SeededGenerator
  ) async throws {
    let hidden = model.items.values.filter { !model.sees(user, $0) }.map(Self.mark)
    var seen: Set<String> = []
    let cookie = "console-actor=\(user)"
    for target in targets() {
      let hasRecords = target.hasPrefix("records") || target.hasPrefix("export")
      // All tables, and some of the other views: each takes a tenth of a second.
      guard hasRecords || random.chance(TestAmount.of(2, some: 6)) else { continue }
      let answer = try await client.page(target, cookie: cookie)
      #expect(answer.status < 500, "seed \(seed): \(user), \(target): \(answer.problem)")
      let text = answer.text
      for mark in hidden where text.contains(mark) {
        Issue.record("seed \(seed): \(user) sees \(mark) in \(target)")
      }
      guard hasRecords else { continue }
      let shown = Set(model.items.values.map(Self.mark).filter(text.contains))
      seen.formUnion(shown)
      guard target.hasPrefix("export?format=json"), random.chance(TestAmount.of(1, some: 4)) else {
        continue
      }
      let bundle = target.replacing("format=json", with: "format=recordpack")
      let file = try await client.page(bundle, cookie: cookie).response.body
      #expect(try Self.exported(file) == Exported(shown), "seed \(seed): \(user), \(target)")
    }
    let visible = Set(model.items.values.filter { model.sees(user, $0) }.map(Self.mark))
    #expect(seen == visible, "seed \(seed): \(user) \(visible.subtracting(seen).sorted())")
    let file = try await client.send(
      WebRequest(
        "POST", "\(WebClient.console)/actions/snapshot",
        headers: ["Host": "localhost:8080", "Origin": "http://localhost:8080", "Cookie": cookie]))
    #expect(file.status == 400)
  }

  /// The marks of a bundle's records and of its files, and what else it should not have.
  private struct Exported: Equatable {
    var records: Set<String> = []
    var files: Set<String> = []
    var others: [String] = []

    init() {}

    /// A bundle of such records and nothing else. Only notes have files.
    init(_ marks: Set<String>) {
      records = marks
      files = marks.filter { !$0.contains("p1-") }
    }
  }

  private static func exported(_ bundle: Data) throws -> Exported {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try bundle.write(to: URL(fileURLWithPath: folder.file("a.recordpack")))
    let reader = try BundleReader(path: folder.file("a.recordpack"))
    var exported = Exported()
    try reader.forEachItem(of: Set(LineKind.allCases)) { item in
      switch item {
      case .record(let record, _):
        if let text: String = record["text"] { exported.records.insert(text) }
      case .asset(let chunk):
        let text = String(decoding: chunk.data, as: UTF8.self)
        exported.files.insert(String(text.dropFirst("file-".count)))
      case .zone: break
      case .subscription, .tombstone, .zoneTombstone: exported.others.append("\(item)")
      }
    }
    exported.others += try ArchiveSource.bundle(reader).info().accounts.map(\.userRecordName)
    return exported
  }

  /// Every view, of every place that a user might guess.
  private func targets() -> [String] {
    var targets = [
      "overview", "changes", "shares", "schema", "requests", "notifications", "faults", "zones",
      "users", "find?in=public/_defaultZone/__defaultOwner__&text=", "search?text=mark",
    ]
    targets += (1...12).map { "requests?number=\($0)" }
    let publicNames = Self.users.flatMap { ["\($0.dropFirst())p0", "\($0.dropFirst())p1"] }
    targets += Self.targets("public", "_defaultZone", nil, ["Note", "Secret"], publicNames)
    let names = ["r0", "r1", "s0", Share.zoneWideRecordName]
    for zone in ["Plans", "Notes"] {
      for owner in [nil] + Self.users {
        for database in owner == nil ? ["private"] : ["private", "shared"] {
          targets += Self.targets(database, zone, owner, ["Note", Share.recordType], names)
        }
      }
    }
    targets += ["r0", "r1", "annap1", "benp1"].map { "search?text=\($0)" }
    return targets
  }

  private static func targets(
    _ database: String, _ zone: String, _ owner: String?, _ types: [String], _ names: [String]
  ) -> [String] {
    let place = "database=\(database)&zone=\(zone)" + (owner.map { "&owner=\($0)" } ?? "")
    let isOwn = owner == nil
    var targets = types.flatMap { type in
      ["records?limit=200&", "export?format=json&"].map { "\($0)\(place)&type=\(type)" }
        + (isOwn ? ["export?format=csv&\(place)&type=\(type)"] : [])
    }
    targets.append(
      "find?in=\(database)/\(zone)/\(owner ?? ZoneID.currentUserOwnerName)&text=mark")
    targets += names.map { "record?\(place)&name=\($0)" }
    return targets
      + ["edit", "delete", "sharing"].map { "\($0)?\(place)&name=\(names[isOwn ? 0 : 1])" }
  }
}

extension ContainerStore {
  /// Saves and deletes records of all users in one transaction, as their owners.
  fileprivate func saveAll(
    _ body: (
      _ save: (DraftRecord, DatabaseScope, String) throws -> Void,
      _ delete: (RecordID, DatabaseScope) throws -> Void
    ) throws -> Void
  ) throws {
    try transaction { transaction in
      try body(
        { draft, scope, owner in
          if try !transaction.hasZone(draft.recordID.zoneID, in: scope) {
            try transaction.save(RecordZone(zoneID: draft.recordID.zoneID), in: scope)
          }
          _ = try transaction.save([draft], in: scope, savingAs: owner)
        },
        { recordID, scope in
          if try transaction.hasZone(recordID.zoneID, in: scope) {
            _ = try transaction.delete(recordID, in: scope)
          }
        })
    }
  }
}
