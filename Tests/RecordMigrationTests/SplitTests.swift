import Foundation
import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

@Suite("Steps that make records")
struct SplitTests {
  private typealias NewRecords = MigrationAction.NewRecords

  /// Migrates records that know each other.
  private func migrate(
    _ records: [ResultRecord], _ plans: [MigrationStep]...
  ) throws -> (results: [RecordID: ResultRecord], report: MigrationReport) {
    let migrations = plans.enumerated().map {
      Migration(from: "\($0)", to: "\($0 + 1)", steps: $1)
    }
    return try migrate(records, migrations)
  }

  private func migrate(
    _ records: [ResultRecord], _ migrations: [Migration]
  ) throws -> (results: [RecordID: ResultRecord], report: MigrationReport) {
    let migrator = try Migrator(migrations)
    var report = migrator.emptyReport()
    let environment = try Sample.environment(of: migrator, knowing: records)
    let results = try records.flatMap {
      try migrator.migrate($0, in: .private, environment: environment, report: &report)
    }
    #expect(Set(results.map(\.recordID)).count == results.count)
    return (Dictionary(uniqueKeysWithValues: results.map { ($0.recordID, $0) }), report)
  }

  private func id(_ name: String, _ zone: ZoneID = Sample.zone) -> RecordID {
    RecordID(recordName: name, zoneID: zone)
  }

  private static let tags = MigrationStep(
    "Note",
    .splitList(
      "tags", into: NewRecords("Tag", backReference: "note", action: .deleteSelf), as: "name",
      position: "order"))

  @Test("make one record of each element of a list, in the zone of the record, linked to it")
  func list() throws {
    let note = Sample.record(["tags": .stringList(["a", "b", "a"]), "text": .string("x")])
    let (results, report) = try migrate([note], [Self.tags])
    #expect(results.count == 4 && results[note.recordID]?.allKeys() == ["text"])
    for (number, name) in ["a", "b", "a"].enumerated() {
      let tag = try #require(results[id("n1.tags.\(number)")])
      #expect(tag.recordType == "Tag" && tag.parent == nil)
      #expect(tag["name"] == name && tag["order"] == number)
      #expect(
        tag.field(named: "note")?.value
          == .reference(Reference(recordID: note.recordID, action: .deleteSelf)))
      #expect(tag.recordChangeTag == note.recordChangeTag)
    }
    #expect(
      report.steps[0].changed == 1 && report.steps[0].made == 3 && report.results == 4
        && report.isLossless)
  }

  @Test("keep elements of an encrypted list and their places encrypted")
  func encrypted() throws {
    let note = Sample.record([:], encrypted: ["tags": .stringList(["a"])])
    let (results, _) = try migrate([note], [Self.tags])
    let tag = try #require(results[id("n1.tags.0")])
    #expect(tag.field(named: "name")?.isEncrypted == true)
    #expect(tag.field(named: "order")?.isEncrypted == true)
    #expect(tag.field(named: "note")?.isEncrypted == false)
  }

  @Test("treat a value that is no list, and a name that gets too long, as misfits")
  func misfits() throws {
    let text = Sample.record(["tags": .string("a, b")])
    var step = Self.tags
    let error = #expect(throws: MigrationError.self) { try migrate([text], [step]) }
    #expect(error?.message.contains("a string, which is not a list") == true)
    step.misfit = .keep(in: "other")
    #expect(try migrate([text], [step]).results[text.recordID]?["other"] == "a, b")
    let long = Sample.record(
      "Note", String(repeating: "n", count: 250), ["tags": .stringList(["a"])])
    let tooLong = #expect(throws: MigrationError.self) { try migrate([long], [Self.tags]) }
    #expect(tooLong?.message.contains("the new record would have") == true)
    #expect(tooLong?.message.contains("257") == true, "\(tooLong?.message ?? "")")
  }

  private static let address = MigrationStep(
    "Note",
    .splitRecord(
      ["street", "city"], into: NewRecords("Address", setsParent: true), reference: "address"))

  @Test("move some fields to a record of its own, and back")
  func part() throws {
    let both = Sample.record(
      ["street": .string("Main"), "text": .string("x")], encrypted: ["city": .string("Ulm")])
    let none = Sample.record("Note", "n2", ["text": .string("y")])
    let plan = Migration(from: "1", to: "2", steps: [Self.address])
    let (results, report) = try migrate([both, none], [plan])
    #expect(results.count == 3 && results[none.recordID] == none && report.isLossless)
    let new = try #require(results[id("n1.address")])
    #expect(new.recordType == "Address" && new.parent?.recordID == both.recordID)
    #expect(new["street"] == "Main" && new.field(named: "city")?.isEncrypted == true)
    #expect(results[both.recordID]?.allKeys() == ["address", "text"])
    let back = try migrate(Array(results.values), [try plan.reversed()])
    #expect(back.results == [both.recordID: both, none.recordID: none])
  }

  @Test("have an inverse only where nothing else changes what they made")
  func inverse() throws {
    func reasons(_ steps: MigrationStep...) -> String {
      do {
        _ = try Migration(from: "1", to: "2", steps: steps).reversed()
        return ""
      } catch { return "\(error)" }
    }
    #expect(reasons(Self.address) == "")
    #expect(reasons(Self.tags).contains("keep-field: true"))
    #expect(
      reasons(Self.address, MigrationStep("Address", .renameField("city", to: "town")))
        .contains("'rename-field Address.city' concerns the new records too"))
    #expect(
      reasons(MigrationStep("Address", .renameField("city", to: "town")), Self.address)
        .contains("there were records of type 'Address' before"))
    let unlinked = MigrationAction.splitRecord(["a"], into: NewRecords("B", backReference: "c"))
    #expect(reasons(MigrationStep("A", unlinked)).contains("cannot be found again"))
    let kept = MigrationAction.splitList(
      "tags", into: NewRecords("Tag", setsParent: true), as: "name", keepsField: true)
    #expect(reasons(MigrationStep("Note", kept)) == "")
    // The way back would delete the records of the list, too.
    #expect(
      reasons(MigrationStep("Tag", kept)).contains("there were records of type 'Tag' before"))
  }

  @Test("count records that have the new type before, which the way back would delete")
  func others() throws {
    let (note, tag) = (
      Sample.record(["tags": .stringList(["a"])]), Sample.record("Tag", "t", ["name": .string("b")])
    )
    let kept = MigrationAction.splitList(
      "tags", into: NewRecords("Tag", setsParent: true), as: "name", keepsField: true)
    for condition in [nil, try RecordExpression("has(tags)")] {
      let step = MigrationStep("Note", kept, where: condition)
      let report = try migrate([note, tag], [step]).report
      #expect(report.steps[0].inexact == 1 && !report.isLossless)
      #expect(try migrate([note], [step]).report.isLossless)
    }
  }

  @Test("copy a value of the record that a reference or the parent leads to")
  func lookUp() throws {
    let chat = Sample.record("Chat", "c", ["title": .string("Hi")], encrypted: ["k": .int64(7)])
    let empty = Sample.record("Chat", "e")
    let parent = Reference(recordID: chat.recordID)
    let full = Sample.record("Note", "n1", parent: parent, ["chat": Sample.reference("c")])
    let bare = Sample.record("Note", "n2")
    let toEmpty = Sample.record("Note", "n3", ["chat": Sample.reference("e")])
    let title = MigrationStep("Note", .lookUp("t", through: "chat", of: "Chat", from: "title"))
    let key = MigrationStep("Note", .lookUp("k", through: "parent", of: "Chat", from: "k"))
    // Its value at the beginning counts, whatever another step does to it.
    let rename = MigrationStep("Chat", .renameField("title", to: "name"))
    let (results, report) = try migrate([full, bare, toEmpty, chat, empty], [rename, title, key])
    #expect(results[full.recordID]?["t"] == "Hi")
    #expect(results[full.recordID]?.field(named: "k")?.isEncrypted == true)
    #expect(results[bare.recordID] == bare && results[toEmpty.recordID] == toEmpty)
    #expect(report.isLossless)
    let lost = Sample.record("Note", "n4", ["chat": Sample.reference("n1")])
    var step = title
    let error = #expect(throws: MigrationError.self) { try migrate([lost, full, chat], [step]) }
    #expect(
      error?.message.contains("'chat' refers to 'Chats:n1', which was no record of type 'Chat'")
        == true, "\(error?.message ?? "")")
    step.misfit = .null
    #expect(try migrate([lost, full, chat], [step]).results[lost.recordID] == lost)
  }

  @Test("look up the value of each reference in a list: by the records that are made of it")
  func references() throws {
    let chats = ["c1", "c2"].map { Sample.record("Chat", $0, ["title": .string("Title " + $0)]) }
    let list = ["c2", "c1", "c2"].map {
      Reference(recordID: RecordID(recordName: $0, zoneID: Sample.zone))
    }
    let note = Sample.record(["chats": .referenceList(list)])
    let split = MigrationStep(
      "Note", .splitList("chats", into: NewRecords("Link", setsParent: true), as: "chat"))
    let title = MigrationAction.lookUp("title", through: "chat", of: "Chat", from: "title")
    let (results, _) = try migrate(chats + [note], [split, MigrationStep("Link", title)])
    for (number, name) in ["c2", "c1", "c2"].enumerated() {
      #expect(results[id("n1.chats.\(number)")]?["title"] == "Title " + name)
    }
    let wrong = MigrationAction.lookUp("title", through: "chats", of: "Chat", from: "title")
    let error = #expect(throws: MigrationError.self) {
      try migrate(chats + [note], [MigrationStep("Note", wrong)])
    }
    #expect(error?.message.contains("split-list makes a record of each element") == true)
  }

  @Test("lead to each other whatever is renamed or moved, before and after, in one plan or two")
  func links() throws {
    let note = Sample.record(
      ["tags": .stringList(["a"]), "street": .string("Main"), "chat": Sample.reference("c")])
    let chat = Sample.record("Chat", "c", ["title": .string("Hi")])
    let other = Sample.record("Other", "o", ["note": Sample.reference("n1")])
    let new = try RecordExpression("'x-' + recordName")
    let title = MigrationStep("Note", .lookUp("t", through: "chat", of: "Chat", from: "title"))
    let changes = [
      MigrationStep("Note", .renameRecords(new)), MigrationStep("Tag", .renameRecords(new)),
      MigrationStep("Note", .move(to: Sample.other)), MigrationStep("Address", .renameRecords(new)),
      MigrationStep("Address", .move(to: Sample.other)), MigrationStep("Chat", .renameRecords(new)),
      MigrationStep("Tag", .move(to: Sample.other)),
    ]
    var random = SeededGenerator(1)
    for round in 0..<TestAmount.of(200, some: 50) {
      var steps = [Self.tags, Self.address, title] + changes.filter { _ in random.chance(2) }
      steps.shuffle(using: &random)
      // A step for a type that there is not yet does nothing.
      let cut = random.below(steps.count + 1)
      let (results, _) = try migrate(
        [note, chat, other].shuffled(using: &random), Array(steps[..<cut]), Array(steps[cut...]))
      let what = "\(round) \(steps.map(\.title)) \(cut)"
      #expect(results.count == 5, "\(what)")
      for record in results.values {
        for field in record.fields {
          guard case .reference(let reference) = field.value else { continue }
          #expect(results[reference.recordID] != nil, "\(what) \(record.recordID) \(field.name)")
        }
        if let parent = record.parent {
          #expect(results[parent.recordID]?.recordType == "Note", "\(what)")
        }
      }
      let moved = try #require(results.values.first { $0.recordType == "Note" })
      #expect(moved["t"] == "Hi", "\(what)")
    }
  }

  @Test("reject what could not work when the plan is read")
  func mistakes() {
    func message(_ step: String) -> String {
      let yaml = "recordpack-migration: 1\nfrom: a\nto: b\nsteps:\n  - \(step)\n"
      do {
        _ = try MigrationPlan(yaml: yaml)
        return ""
      } catch { return "\(error)" }
    }
    #expect(
      message("{do: split-list, type: A, field: a, into: B, as: c}").contains(
        "nothing would lead to the new records: add 'back-reference: FIELD'"))
    #expect(
      message("{do: split-record, type: A, fields: [a], into: B}").contains(
        "add 'reference: FIELD' (a field of this record that refers to it), 'back-reference"))
    #expect(
      message("{do: split-record, type: A, fields: [a, b], into: B, reference: b}").contains(
        "'b' is also a field that moves"))
    #expect(
      message("{do: split-record, type: A, fields: [a, a], into: B, parent: true}").contains(
        "'a' is listed twice"))
    #expect(
      message("{do: split-list, type: A, field: a, into: B, as: c, back-reference: c}").contains(
        "the new records would have two fields 'c'"))
    #expect(
      message("{do: split-list, type: A, field: a, into: 'B b', as: c, parent: true}").contains(
        "'B b' is not a valid name of a record type"))
    #expect(message("{do: look-up, type: A, field: a, through: b, of: C}").contains("'from'"))
  }

  private func schema(_ types: String) throws -> CloudSchema {
    let grant = types.replacing(");", with: ", GRANT WRITE TO \"_creator\");")
    return try SchemaDocument(parsing: "DEFINE SCHEMA " + grant).validSchema()
  }

  @Test("are checked against the schemas")
  func schemas() throws {
    let from = try schema(
      """
      RECORD TYPE Note (
        tags LIST<STRING>, street ENCRYPTED STRING, chat REFERENCE, n INT64, chats LIST<REFERENCE>);
      RECORD TYPE Chat (title STRING);
      """)
    let to = try schema(
      """
      RECORD TYPE Note (
        address REFERENCE, chat REFERENCE, title STRING, n INT64, chats LIST<REFERENCE>);
      RECORD TYPE Chat (title STRING);
      RECORD TYPE Tag (name STRING, note REFERENCE, place INT64);
      RECORD TYPE Address (street ENCRYPTED STRING);
      """)
    let tags = "{do: split-list, type: Note, field: tags, into: Tag, as: name, position: place, "
    let parts = [
      tags + "back-reference: note}",
      "{do: split-record, type: Note, fields: [street], into: Address, reference: address}",
      "{do: look-up, type: Note, field: title, through: chat, of: Chat, from: title}",
    ]
    func message(_ steps: [String]) -> String {
      do {
        let yaml = "recordpack-migration: 1\nfrom: a\nto: b\nsteps:\n  - "
        var plan = try MigrationPlan(yaml: yaml + steps.joined(separator: "\n  - ") + "\n")
        plan.migration.fromSchema = from
        plan.migration.toSchema = to
        _ = try Migrator([plan.migration])
        return ""
      } catch { return "\(error)" }
    }
    func message(_ index: Int, _ step: String) -> String {
      var steps = parts
      steps[index] = step
      return message(steps)
    }
    #expect(message(parts) == "")
    #expect(message(Array(parts.dropFirst())).contains("no field 'tags' of 'Note'"))
    let link = "back-reference: owner}"
    #expect(message(0, tags + link).contains("plan.yml:5:"), "the step has the place")
    #expect(message(0, tags + link).contains("no field 'owner' of 'Tag'"))
    #expect(
      message(0, tags.replacingOccurrences(of: "tags", with: "n") + link).contains(
        "field 'n' is INT64 at this step, which split-list does not accept"))
    #expect(
      message(2, "{do: look-up, type: Note, field: title, through: chat, of: Chats, from: title}")
        .contains("when the plan begins, there is no record type 'Chats'"))
    #expect(
      message(2, "{do: look-up, type: Note, field: title, through: chat, of: Chat, from: titel}")
        .contains("when the plan begins, 'Chat' has no field 'titel'"))
    #expect(
      message(2, "{do: look-up, type: Note, field: title, through: chats, of: Chat, from: title}")
        .contains("does not accept; split-list makes a record of each element"))
    #expect(
      message(2, "{do: look-up, type: Note, field: title, through: n, of: Chat, from: title}")
        .contains("field 'n' is INT64 at this step, which look-up does not accept"))
  }
}
