import Foundation
import RecordBundle
import RecordMigration
import RecordModel
import RecordStore
import Testing

@testable import RecordArchive

/// Whole sources, migrated with steps that make records and look values up, and by a second
/// implementation that has everything in memory.
@Suite("Records made of parts of others")
struct SplitMigrationTests {
  private static let zones = ["Home", "Work"].map { ZoneID(zoneName: $0) }

  /// One random case: the records, the steps, and what they mean.
  private struct Case {
    var records: [ResultRecord] = []
    var steps: [MigrationStep] = []
    // The list.
    let keepsList: Bool
    let position: String?
    let listLink: MigrationAction.NewRecords
    // The part.
    let keepsPart: Bool
    let reference: String?
    let partLink: MigrationAction.NewRecords
    /// The names of records after the migration.
    let prefix: [String: String]

    init(_ random: inout SeededGenerator) throws {
      (keepsList, keepsPart) = (random.chance(3), random.chance(3))
      position = random.chance(2) ? "place" : nil
      let isParent = random.chance(2)
      listLink = .init(
        "Tag", backReference: isParent ? nil : "person", action: .deleteSelf, setsParent: isParent)
      reference = random.chance(2) ? "address" : nil
      partLink = .init(
        "Address", backReference: random.chance(2) || reference == nil ? "lives" : nil,
        setsParent: random.chance(2))
      var prefix: [String: String] = [:]
      for type in ["Person", "Team"] where random.chance(3) { prefix[type] = "x-" }
      self.prefix = prefix
      for number in 0..<40 { records.append(Self.record(number, &random)) }
      steps = [
        MigrationStep(
          "Person",
          .splitList("tags", into: listLink, as: "text", position: position, keepsField: keepsList)),
        MigrationStep(
          "Person",
          .splitRecord(
            ["street", "city"], into: partLink, reference: reference, keepsFields: keepsPart)),
        MigrationStep(
          "Person", .lookUp("teamName", through: "team", of: "Team", from: "name"), misfit: .null),
        MigrationStep(
          "Person", .lookUp("bossTags", through: "boss", of: "Person", from: "tags"), misfit: .null),
      ]
      for type in prefix.keys.sorted() {
        steps.append(MigrationStep(type, .renameRecords(try RecordExpression("'x-' + recordName"))))
      }
      steps.shuffle(using: &random)
    }

    private static func record(_ number: Int, _ random: inout SeededGenerator) -> ResultRecord {
      let isTeam = number % 5 == 0
      let zone = zones[random.below(2)]
      func id(_ number: Int) -> RecordID {
        RecordID(recordName: "r\(number)", zoneID: zones[random.below(2)])
      }
      var fields: [Field] = []
      func add(_ name: String, _ value: RecordValue, isEncrypted: Bool = false) {
        guard !random.chance(4) else { return }
        fields.append(Field(name: name, value: value, isEncrypted: isEncrypted))
      }
      if isTeam {
        add("name", .string("Team \(number)"), isEncrypted: random.chance(2))
      } else {
        let count = random.below(4)
        add("tags", .stringList((0..<count).map { "t\($0 % 2)" }), isEncrypted: random.chance(3))
        add("street", .string("\(number) Main"), isEncrypted: random.chance(3))
        add("city", .int64(Int64(number)))
        add("team", .reference(Reference(recordID: id(random.below(8) * 5))))
        add("boss", .reference(Reference(recordID: id(random.below(45)), action: .deleteSelf)))
        add("other", .double(Double(number)))
      }
      return ResultRecord(
        systemFields: SystemFields(
          recordID: RecordID(recordName: "r\(number)", zoneID: zone),
          recordType: isTeam ? "Team" : "Person", recordChangeTag: String(number + 1, radix: 36)),
        fields: fields)
    }

    func write(to path: String) throws {
      try ContainerStore.build(path: path, info: ContainerInfo(schemaVersion: "1")) { writer in
        for zone in zones { try writer.add(RecordZone(zoneID: zone), to: .private) }
        for record in records { try writer.add(record, to: .private) }
      }
    }
  }

  /// A record without its stamps.
  private struct Plain: Hashable {
    var type: String
    var parent: Reference?
    var fields: [String: Field] = [:]

    mutating func add(_ name: String, _ value: RecordValue, _ isEncrypted: Bool = false) {
      fields[name] = Field(name: name, value: value, isEncrypted: isEncrypted)
    }
  }

  /// The second implementation: each record by hand, then all references.
  private func expected(_ one: Case) -> [RecordID: Plain] {
    let before = Dictionary(uniqueKeysWithValues: one.records.map { ($0.recordID, $0) })
    let wasRenamedFirst = Dictionary(
      uniqueKeysWithValues: one.prefix.keys.map { type in
        (type, one.steps.firstIndex { $0.title == "rename-records \(type)" } ?? 0)
      })
    func name(_ record: ResultRecord, at step: String) -> String {
      let place = one.steps.firstIndex { $0.title.hasPrefix(step) } ?? 0
      let isRenamed = (wasRenamedFirst[record.recordType] ?? .max) < place
      return (isRenamed ? one.prefix[record.recordType] ?? "" : "") + record.recordID.recordName
    }
    var results: [RecordID: Plain] = [:]
    for record in one.records {
      var plain = Plain(type: record.recordType)
      for field in record.fields { plain.fields[field.name] = field }
      let zone = record.recordID.zoneID
      func made(_ name: String, _ link: MigrationAction.NewRecords, _ fields: [Field]) {
        var new = Plain(type: link.recordType)
        for field in fields { new.fields[field.name] = field }
        if let back = link.backReference {
          new.add(back, .reference(Reference(recordID: record.recordID, action: link.action)))
        }
        if link.setsParent { new.parent = Reference(recordID: record.recordID) }
        results[RecordID(recordName: name, zoneID: zone)] = new
      }
      if record.recordType == "Person" {
        if let list = record.field(named: "tags"), case .stringList(let tags) = list.value {
          for (number, tag) in tags.enumerated() {
            var fields = [Field(name: "text", value: .string(tag), isEncrypted: list.isEncrypted)]
            if let position = one.position {
              let place = RecordValue.int64(Int64(number))
              fields.append(Field(name: position, value: place, isEncrypted: list.isEncrypted))
            }
            made("\(name(record, at: "split-list")).tags.\(number)", one.listLink, fields)
          }
          if !one.keepsList { plain.fields["tags"] = nil }
        }
        let part = ["street", "city"].compactMap { record.field(named: $0) }
        if !part.isEmpty {
          let own = name(record, at: "split-record") + "." + (one.reference ?? "Address")
          made(own, one.partLink, part)
          if !one.keepsPart { for field in part { plain.fields[field.name] = nil } }
          if let reference = one.reference {
            let new = RecordID(recordName: own, zoneID: zone)
            plain.add(reference, .reference(Reference(recordID: new)))
          }
        }
        for (name, through, type, from) in [
          ("teamName", "team", "Team", "name"), ("bossTags", "boss", "Person", "tags"),
        ] {
          guard case .reference(let link)? = record.field(named: through)?.value,
            let other = before[link.recordID], other.recordType == type,
            let field = other.field(named: from)
          else { continue }
          plain.add(name, field.value, field.isEncrypted)
        }
      }
      results[record.recordID] = plain
    }
    return renamed(results, one, before)
  }

  private func renamed(
    _ results: [RecordID: Plain], _ one: Case, _ before: [RecordID: ResultRecord]
  ) -> [RecordID: Plain] {
    func renamed(_ id: RecordID) -> RecordID {
      guard let type = before[id]?.recordType, let prefix = one.prefix[type] else { return id }
      return RecordID(recordName: prefix + id.recordName, zoneID: id.zoneID)
    }
    func renamed(_ reference: Reference) -> Reference {
      Reference(recordID: renamed(reference.recordID), action: reference.action)
    }
    var all: [RecordID: Plain] = [:]
    for (id, plain) in results {
      var plain = plain
      plain.parent = plain.parent.map(renamed)
      for case (let name, .reference(let reference)) in plain.fields.mapValues(\.value) {
        plain.add(name, .reference(renamed(reference)))
      }
      all[renamed(id)] = plain
    }
    return all
  }

  private func found(_ source: ArchiveSource) throws -> [RecordID: Plain] {
    var found: [RecordID: Plain] = [:]
    try source.forEachRecord { record, _ in
      var plain = Plain(type: record.recordType, parent: record.parent)
      for field in record.fields { plain.fields[field.name] = field }
      found[record.recordID] = plain
    }
    return found
  }

  @Test(
    "are what a second implementation makes, in bundles, containers and in place",
    arguments: SeededGenerator.seeds(12))
  func second(seed: UInt64) throws {
    try withFolder { folder in
      var random = SeededGenerator(seed &+ 9000)
      for round in 0..<4 {
        let one = try Case(&random)
        let path = "\(folder)/\(round)"
        try one.write(to: path + ".sqlite")
        let container = try ContainerStore.open(path: path + ".sqlite")
        let migrator = try Migrator([Migration(from: "1", to: "2", steps: one.steps)])
        let expected = expected(one)
        let what = "\(seed) \(round) \(one.steps.map(\.title))"
        var archiver = Archiver()
        archiver.threads = 1 + random.below(3)
        archiver.bundleOptions.frameSize = 1024
        _ = try archiver.migrate(
          .container(container), with: migrator, to: path + ".recordpack")
        let bundle = try BundleReader(path: path + ".recordpack")
        #expect(try found(.bundle(bundle)) == expected, "\(what)")
        #expect(try bundle.verify().findings.isEmpty, "\(what)")
        _ = try archiver.migrate(
          .container(container), with: migrator, creating: path + "-new.sqlite")
        let created = try ContainerStore.open(path: path + "-new.sqlite")
        #expect(try found(.container(created)) == expected, "\(what)")
        _ = try archiver.migrate(inPlace: container, with: migrator)
        #expect(try found(.container(container)) == expected, "\(what)")
        try check(expected, one, what)
      }
    }
  }

  /// Nothing is lost, and every link that a step made leads to a record.
  private func check(_ results: [RecordID: Plain], _ one: Case, _ what: String) throws {
    let values = Set(results.values.flatMap { $0.fields.values.map(\.value) })
    for field in one.records.flatMap(\.fields) {
      for value in field.value.elements ?? [field.value] {
        if case .reference = value { continue }
        #expect(
          values.contains(value) || one.keepsList && field.name == "tags", "\(what) \(field.name)")
      }
    }
    for (id, plain) in results {
      for name in ["person", "address", "lives"] {
        guard case .reference(let link)? = plain.fields[name]?.value else { continue }
        #expect(results[link.recordID] != nil, "\(what) \(id) \(name)")
      }
      if let parent = plain.parent { #expect(results[parent.recordID]?.type == "Person") }
      #expect(plain.type == "Person" || plain.type == "Team" || plain.fields.count > 0)
    }
  }

  @Test("have no name of a record that the plan renames, or else the migration ends with an error")
  func takenNames() throws {
    try withFolder { folder in
      let zone = Self.zones[0]
      func record(_ type: String, _ name: String, _ fields: Field...) -> ResultRecord {
        ResultRecord(
          systemFields: SystemFields(
            recordID: RecordID(recordName: name, zoneID: zone), recordType: type), fields: fields)
      }
      let person = record("Person", "p", Field(name: "city", value: .string("Ulm")))
      let taken = record("Team", "p.address")
      let other = record(
        "Other", "o", Field(name: "team", value: .reference(Reference(recordID: taken.recordID))))
      let path = folder + "/a.sqlite"
      try ContainerStore.build(path: path, info: ContainerInfo(schemaVersion: "1")) { writer in
        try writer.add(RecordZone(zoneID: zone), to: .private)
        for record in [person, taken, other] { try writer.add(record, to: .private) }
      }
      let container = try ContainerStore.open(path: path)
      let split = MigrationStep(
        "Person", .splitRecord(["city"], into: .init("Address"), reference: "address"))
      let new = try RecordExpression("'x-' + recordName")
      func migrated(_ plans: [MigrationStep]...) throws -> [RecordID: Plain] {
        let out = folder + "/out.recordpack"
        try? FileManager.default.removeItem(atPath: out)
        let migrations = plans.enumerated().map {
          Migration(from: "\($0 + 1)", to: "\($0 + 2)", steps: $1)
        }
        _ = try Archiver().migrate(.container(container), with: Migrator(migrations), to: out)
        return try found(.bundle(BundleReader(path: out)))
      }
      for type in ["Team", "Address"] {
        let rename = MigrationStep(type, .renameRecords(new))
        for steps in [[rename, split], [split, rename]] {
          // The step for a type that there is not yet does nothing; then two records have one name.
          let error = #expect(throws: MigrationError.self, "\(steps.map(\.title))") {
            try migrated(steps)
          }
          #expect(error?.message.contains("p.address") == true)
        }
      }
      // The remedy: the name is free when the plan of the split begins.
      let results = try migrated([MigrationStep("Team", .renameRecords(new))], [split])
      let moved = RecordID(recordName: "x-p.address", zoneID: zone)
      #expect(
        results[other.recordID]?.fields["team"]?.value == .reference(Reference(recordID: moved)))
      #expect(
        results[person.recordID]?.fields["address"]?.value
          == .reference(Reference(recordID: taken.recordID)))
      #expect(results[taken.recordID]?.type == "Address" && results[moved]?.type == "Team")
      #expect(try found(.container(container)).count == 3)
    }
  }

  @Test("look values up in other bundles that are imported together, and outside of the filter")
  func together() throws {
    try withFolder { folder in
      let zone = Self.zones[0]
      func record(_ type: String, _ name: String, _ fields: [Field]) -> ResultRecord {
        ResultRecord(
          systemFields: SystemFields(
            recordID: RecordID(recordName: name, zoneID: zone), recordType: type), fields: fields)
      }
      let team = record("Team", "t", [Field(name: "name", value: .string("Red"))])
      let person = record(
        "Person", "p",
        [Field(name: "team", value: .reference(Reference(recordID: team.recordID)))])
      for (name, records) in [("a", [person]), ("b", [team]), ("c", [team, person])] {
        try ContainerStore.build(
          path: "\(folder)/\(name).sqlite", info: ContainerInfo(schemaVersion: "1")
        ) { writer in
          try writer.add(RecordZone(zoneID: zone), to: .private)
          for record in records { try writer.add(record, to: .private) }
        }
      }
      let migrator = try Migrator([
        Migration(from: "1", to: "2") {
          MigrationStep("Person", .lookUp("teamName", through: "team", of: "Team", from: "name"))
        }
      ])
      func source(_ name: String) throws -> ArchiveSource {
        .container(try ContainerStore.open(path: "\(folder)/\(name).sqlite"))
      }
      var archiver = Archiver()
      archiver.filter.recordTypes = ["Person"]
      _ = try archiver.migrate(source("c"), with: migrator, to: folder + "/c.recordpack")
      let filtered = try found(.bundle(BundleReader(path: folder + "/c.recordpack")))
      #expect(filtered.count == 1)
      #expect(filtered[person.recordID]?.fields["teamName"]?.value == .string("Red"))
      #expect(throws: MigrationError.self) {
        try archiver.migrate(source("a"), with: migrator, to: folder + "/a.recordpack")
      }
      let bundles = try ["a", "b"].map { name in
        let path = "\(folder)/\(name)-old.recordpack"
        try Archiver().export(ContainerStore.open(path: "\(folder)/\(name).sqlite"), to: path)
        return try BundleReader(path: path)
      }
      try Archiver().importBundles(
        bundles.map { .init($0, with: migrator) }, creating: folder + "/together.sqlite")
      let together = try found(source("together"))
      #expect(together[person.recordID]?.fields["teamName"]?.value == .string("Red"))
    }
  }
}
