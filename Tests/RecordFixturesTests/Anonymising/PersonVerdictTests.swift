import Foundation
import RecordArchive
import RecordModel
import RecordStore
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("The verdict over persons, and findings")
struct PersonVerdictTests {
  private let maker: SourceMaker

  init() throws { maker = try SourceMaker() }

  private func reference(_ name: String) -> RecordValue {
    .reference(Reference(recordID: RecordID(recordName: name, zoneID: SourceMaker.zoneID)))
  }

  @Test("Persons with the same records do not stand alone; by each trace, the right ones do")
  func traces() throws {
    func records(_ change: (Int, inout [String: RecordValue]) -> Void) -> [ResultRecord] {
      (0..<20).flatMap { person in
        (0..<3).map { number in
          var fields: [String: RecordValue] = ["text": .string("\(person)"), "n": .int64(1)]
          if number == 0 { change(person, &fields) }
          return SourceMaker.record("\(person)-\(number)", by: "_user\(person)", fields)
        }
      }
    }
    let rules = "types: {Note: {text: text, n: keep, more: text}}"
    func verdict(_ yaml: String, _ records: [ResultRecord]) throws -> PersonVerdict {
      // The rules name fields that only some sources have.
      try maker.run(yaml.isEmpty ? rules : yaml, maker.source(records, schema: Self.schema))
        .report.verdict
    }
    let same = try verdict("", records { _, _ in })
    #expect(same == PersonVerdict(persons: 20))
    // A value that one person has; how many records have it does not matter.
    let value = try verdict("", records { if $0 == 3 { $1["n"] = .int64(2) } })
    #expect(value.alone == 1 && value.traces == [.init(name: "Note.n", alone: 1)])
    let field = try verdict("", records { if $0 == 3 { $1["more"] = .string("x") } }.map { $0 })
    #expect(field.alone == 1 && field.traces.map(\.name) == [PersonVerdict.presence])
    // A chain of references: each person has another place in it.
    let chain = try verdict("", records { if $0 > 0 { $1["ref"] = reference("\($0 - 1)-0") } })
    #expect(
      chain.alone == 20 && chain.traces.first == .init(name: PersonVerdict.references, alone: 20))
    // The same with texts, as Core Data's relationships are.
    let texts = try verdict(
      "types: {Note: {text: text, n: keep, link: identifier}}",
      records { if $0 > 0 { $1["link"] = .string("\($0 - 1)-0") } })
    #expect(texts.alone == 20 && texts.traces.first?.name == PersonVerdict.references)
    // Different values that each person has as often: nobody can tell which is which.
    let consistent = try verdict(
      "types: {Note: {text: text-consistent, n: keep}}", records { _, _ in })
    #expect(consistent == PersonVerdict(persons: 20))
    // Texts that are equal for two persons, and for three, and so on.
    let shared = try verdict(
      "types: {Note: {text: text-consistent, n: keep}}",
      records { $1["text"] = .string("group\([0, 1, 1, 2, 2, 2][min(5, $0)])") })
    #expect(shared.alone == 1)
    let length = try verdict("types: {Note: {text: text-length, n: keep}}", records { _, _ in })
    #expect(length.alone == 0)
    let long = try verdict(
      "types: {Note: {text: text-length, n: keep}}",
      records { if $0 == 5 { $1["text"] = .string("a longer text") } })
    #expect(long.alone == 1 && long.traces == [.init(name: "Note.text", alone: 1)])
  }

  private static let schema = """
    DEFINE SCHEMA RECORD TYPE Note (text STRING, n INT64, ref REFERENCE, link STRING, more STRING);
    """

  @Test("Numbers of records tell persons apart, whether they are creators or owners of zones")
  func counts() throws {
    let creators = (0..<40).flatMap { person in
      (0...person).map { SourceMaker.record("\(person)-\($0)", by: "_user\(person)") }
    }
    let owners = (0..<40).flatMap { person in
      (0...person).map {
        SourceMaker.record(
          "\($0)", zone: ZoneID(zoneName: "z", ownerName: "_user\(person)"))
      }
    }
    for records in [creators, owners] {
      let verdict = try maker.run("types:", maker.source(records)).report.verdict
      #expect(verdict.persons == 40 && verdict.alone == 40)
      #expect(verdict.traces.first == .init(name: PersonVerdict.references, alone: 40))
    }
  }

  @Test("Kept dates, also those of the system, are findings, and traces")
  func dates() throws {
    let records = (0..<10).map { number in
      SourceMaker.record(
        "\(number)", by: "_user\(number)",
        ["at": .timestamp(Date(timeIntervalSince1970: Double(number) * 1e6))])
    }
    let source = try maker.source(records)
    let kept = try maker.run("types: {Note: {at: keep}}", source).report
    #expect(kept.findings.map(\.key.field) == ["at"] && kept.findings[0].field.found == [.date: 10])
    #expect(kept.verdict.traces == [.init(name: "Note.at", alone: 10)])
    let system = try maker.run("dates: keep\ntypes: {Note: {at: date}}", source).report
    #expect(system.findings.map(\.key.field) == ["dates"])
    #expect(system.verdict.alone == 0)
    for rule in ["shift", "{round: day}"] {
      let shifted = try maker.run("types: {Note: {at: \(rule)}}", source).report
      #expect(shifted.verdict.alone > 0, "\(rule)")
    }
    #expect(try maker.run("types: {Note: {at: date}}", source).report.verdict.alone == 0)
  }

  /// Somewhere outside values in which one of twelve persons differs from the others.
  enum Difference: CaseIterable {
    case encryption, database, capabilities, deletedTarget, deletionDate, accountName, subscription,
      filter, participantName, action, elementOrder, textNamesRecord, textNamesUser,
      assetChecksum, address
  }

  @Test(
    "Everything that can be seen beside values tells persons apart", arguments: Difference.allCases)
  func seen(_ difference: Difference) throws {
    func users(_ isDifferent: Bool) throws -> PersonVerdict {
      let path = maker.folder.path("\(UUID()).sqlite")
      let persons = (0..<12).map { "_user\($0)" }
      var info = ContainerInfo(identifier: "iCloud.notes", currentUserRecordName: "_owner")
      info.accounts = persons.enumerated().map { number, name in
        Self.account(name, difference, isDifferent && number == 3)
      }.sorted { $0.userRecordName < $1.userRecordName }
      try ContainerStore.build(path: path, info: info) { writer in
        for (number, user) in persons.enumerated() {
          let zone = ZoneID(zoneName: "z", ownerName: user)
          try add(user, zone, number, difference, isDifferent, writer)
        }
      }
      let source = ArchiveSource.container(try ContainerStore.open(path: path, mode: .readOnly))
      let yaml = """
        dates: \(difference == .deletionDate ? "keep" : "date")
        types: {Note: {text: text, from: identifier, mail: email-consistent, photo: content}}
        """
      return try maker.run(yaml, source).report.verdict
    }
    #expect(try users(false) == PersonVerdict(persons: 12))
    let found = try users(true)
    #expect(found.alone >= 1 && found.alone <= 2, "\(found)")
  }

  private static func account(
    _ name: String, _ difference: Difference, _ isOther: Bool
  ) -> ContainerAccount {
    var account = ContainerAccount(userRecordName: name, nameComponents: .init(givenName: "Mira"))
    if difference == .accountName, isOther { account.nameComponents = nil }
    account.lookupInfo = .init(emailAddress: "\(name)@tact.app")
    let target = RecordValue.string(isOther && difference == .filter ? "_user5" : "nobody")
    account.subscriptions = [
      .init(
        CloudSubscription(
          subscriptionID: "all",
          kind: .query(
            RecordQuery(recordType: "Note", filters: [QueryFilter("from", .equals, target)]),
            zoneID: nil, firesOn: [.create],
            firesOnce: difference == .subscription && isOther)), to: .private)
    ]
    return account
  }

  private func add(
    _ user: String, _ zone: ZoneID, _ number: Int, _ difference: Difference, _ isDifferent: Bool,
    _ writer: ImportTransaction
  ) throws {
    let isOther = isDifferent && number == 3
    func differs(_ one: Difference) -> Bool { isOther && difference == one }
    let database = differs(.database) ? DatabaseScope.public : .private
    let caps: Set<RecordZone.Capability>? = differs(.capabilities) ? [.atomic] : nil
    try writer.add(RecordZone(zoneID: zone, capabilities: caps), to: database)
    func id(_ name: String) -> RecordID { RecordID(recordName: "\(name)-\(number)", zoneID: zone) }
    func reference(_ name: String) -> Reference {
      Reference(
        recordID: id(name), action: name == "b" && differs(.action) ? .deleteSelf : .none)
    }
    let links = [reference("a"), reference("b")]
    var asset = Asset(size: 3)
    asset.fileChecksum = "c"
    if differs(.assetChecksum) { asset.referenceChecksum = "r" }
    let sender =
      differs(.textNamesUser) ? "_user7" : differs(.textNamesRecord) ? "n7" : "nobody"
    let mail = differs(.address) ? "_user8@tact.app" : "other\(number)@tact.app"
    let note = SourceMaker.record(
      "n\(number)", by: user, zone: zone,
      [
        "links": .referenceList(differs(.elementOrder) ? links.reversed() : links),
        "photo": .asset(asset), "from": .string(sender), "mail": .string(mail),
      ])
    let text = Field(
      name: "text", value: .string("x"), isEncrypted: differs(.encryption))
    var system = note.systemFields
    system.recordChangeTag = "\(number)"
    try writer.add(
      ResultRecord(
        systemFields: system,
        fields: (note.fields + [text]).sorted { $0.name < $1.name }), to: database)
    let deleted = differs(.deletedTarget) ? id("c") : id("b")
    try writer.add(
      DeletedRecord(
        recordID: deleted, recordType: "Note",
        deletionDate: Date(timeIntervalSince1970: differs(.deletionDate) ? 1 : 0)), to: database)
    let people = (0..<2).map { index in
      ShareParticipant(
        participantID: "p\(number)-\(index)", role: index == 0 ? .owner : .privateUser,
        userIdentity: UserIdentity(
          userRecordName: index == 0 ? user : nil,
          nameComponents: differs(.participantName) ? nil : .init(givenName: "Mira")))
    }
    var share = DraftRecord(
      recordType: Share.recordType, recordID: id("share"))
    share.shareInfo = Share(participants: people, owner: people[0])
    try writer.add(
      ResultRecord(
        systemFields: SystemFields(
          recordID: share.recordID, recordType: Share.recordType,
          created: RecordStamp(userRecordName: user), otherMembers: share.otherMembers), fields: []),
      to: database)
  }

  @Test("Circles of references tell persons apart who all have as many", arguments: [2, 3])
  func circles(_ degree: Int) throws {
    // Nobody in one circle of twelve, or in four of three, differs from another one. In a graph without symmetries in
    // which everybody has three friends, everybody does (Frucht).
    let frucht = [-5, -2, -4, 2, 5, -2, 2, 5, -2, -5, 4, 2]
    func records(_ friends: (Int) -> [Int]) -> [ResultRecord] {
      (0..<12).map { person in
        SourceMaker.record(
          "\(person)", by: "_user\(person)",
          [
            "friends": .referenceList(
              friends(person).map { ($0 + 12) % 12 }.sorted().map {
                Reference(recordID: RecordID(recordName: "\($0)", zoneID: SourceMaker.zoneID))
              })
          ])
      }
    }
    func alone(_ friends: @escaping (Int) -> [Int]) throws -> Int {
      // One reference a record, so that the order of a list tells nothing.
      let links = records(friends).flatMap { record in
        record.fields[0].value.references.map { target in
          SourceMaker.record(
            "\(record.recordID.recordName)-\(target.recordID.recordName)", "Link",
            by: record.systemFields.created?.userRecordName, ["to": .reference(target)])
        }
      }
      let people = records { _ in [] }
      return try maker.run("types:", maker.source(people + links)).report.verdict.alone
    }
    if degree == 2 {
      #expect(try alone { [$0 + 1, $0 - 1] } == 0)
      #expect(try alone { [$0 / 3 * 3 + ($0 + 1) % 3, $0 / 3 * 3 + ($0 + 2) % 3] } == 0)
    } else {
      #expect(try alone { [$0 + 1, $0 - 1, $0 + frucht[$0]] } == 12)
    }
  }

  @Test("A kept text or name with the name of a user or record of the source is a finding")
  func identifiers() throws {
    let users = ["_0123456789abcdef0123456789abcdef", "_mira", "_kenji"]
    let uuid = UUID().uuidString
    let source = try maker.source(
      users.map { SourceMaker.record("config-\($0)", by: $0, ["v": .string("of \($0)!")]) } + [
        SourceMaker.record(uuid, ["v": .string("see note:\(uuid)"), "n": .int64(4711)]),
        SourceMaker.record("4711", ["v": .string("plain")]),
      ])
    let rules = "types: {Note: {v: text, n: number}}"
    let names = try maker.run("keep: ['config-*']\n" + rules, source).report
    #expect(names.findings.map(\.key.field) == ["names"])
    #expect(names.findings[0].field.found[.identifier] == 3)
    let texts = try maker.run("types: {Note: {v: keep, n: keep}}", source).report
    let found = Dictionary(
      uniqueKeysWithValues: texts.findings.map { ($0.key.field, $0.field.found) })
    #expect(found["v"]?[.identifier] == 4 && found["n"]?[.identifier] == 1, "\(found)")
    #expect(try maker.run(rules, source).report.findings.isEmpty)
  }
}
