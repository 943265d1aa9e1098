import Foundation
import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

@Suite("A migration that is turned round")
struct ReverseTests {
  private func reasons(_ steps: [MigrationStep], _ schema: CloudSchema? = nil) -> String {
    do {
      _ = try Migration(from: "1", to: "2", steps: steps, fromSchema: schema).reversed()
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("is refused where two types have become one, in one step or in several")
  func types() throws {
    let rename = MigrationStep("Note", .renameType(to: "Page"))
    let other = MigrationStep("Memo", .renameType(to: "Page"))
    #expect(reasons([rename]) == "")
    #expect(reasons([rename, other]).contains("rename-type Memo: there were records of type"))
    #expect(reasons([MigrationStep("Page", .dropField("x")), rename]).contains("rename-type Note"))
    // The way is free again where the type has gone on.
    #expect(reasons([rename, MigrationStep("Page", .renameType(to: "Sheet")), other]) == "")
    let part = MigrationStep(
      "Page", .renameType(to: "Sheet"), where: try RecordExpression("has(x)"))
    #expect(reasons([rename, part, other]).contains("rename-type Memo"))
    #expect(
      reasons([
        rename, MigrationStep(.init(["Memo"]), .mergeTypes(into: "Page", discriminator: "k")),
      ])
      .contains("merge-types Memo"))
  }

  @Test("is refused where records lay in the target zone unseen")
  func zones() {
    func move(_ zones: Set<String>?) -> MigrationStep {
      MigrationStep(
        .init(["Note"], zoneNames: zones), .move(to: Sample.other, from: Sample.zone))
    }
    #expect(reasons([move(nil)]) == "" && reasons([move(["Chats", "Other"])]) == "")
    #expect(reasons([move(["Chats"])]).contains("use 'from-zone' alone"))
  }

  @Test("is refused where values are kept in a field that records had")
  func overflow() throws {
    let schema = try SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE Note (a STRING, b STRING, GRANT WRITE TO \"_creator\");"
    ).validSchema()
    func step(_ name: String, where condition: String? = nil) throws -> MigrationStep {
      MigrationStep(
        "Note", .convert("a", Conversion(to: .int64, from: .string)),
        where: try condition.map(RecordExpression.init), misfit: .keep(in: name))
    }
    #expect(try reasons([step("c")], schema) == "")
    #expect(try reasons([step("b")], schema).contains("already have had a value in 'b'"))
    #expect(try reasons([step("c"), step("c")]).contains("another step also keeps values in 'c'"))
    #expect(try reasons([step("c", where: "not has(c)")]).contains("condition reads 'c'"))
  }

  @Test("does not look into references that have changed meanwhile")
  func references() throws {
    let rename = MigrationStep(
      "Chat",
      .renameRecords(
        try RecordExpression("'x' + recordName"),
        reverse: try RecordExpression("replace(recordName, 'x', '')")))
    let move = MigrationStep("Chat", .move(to: Sample.other, from: Sample.zone))
    let toName = MigrationStep("Note", .convert("c", Conversion(to: .string, from: .reference)))
    let toReference = MigrationStep(
      "Note", .convert("c", Conversion(to: .reference, from: .string)))
    let fromParent = MigrationStep("Note", .setReference("c", keepsParent: false))
    let asked = MigrationStep(
      "Note", .encrypt("a"), where: try RecordExpression("name(c) == 'general'"))
    for step in [toName, toReference, fromParent, asked] { #expect(reasons([step]) == "") }
    #expect(reasons([toName, rename, move]) == "", "a name does not follow")
    #expect(reasons([toReference, rename]).contains("'rename-records Chat' changes"))
    #expect(reasons([toReference, move]).contains("convert Note.c: it uses references"))
    #expect(reasons([fromParent, move]).contains("set-reference Note.c: it uses references"))
    #expect(reasons([fromParent, rename]) == "")
    #expect(reasons([asked, rename]).contains("encrypt Note.a: it uses references"))
    #expect(reasons([asked, move]) == "")
  }

  @Test("is refused where a condition reads what a step in Swift may change")
  func custom() throws {
    let step = MigrationAction.CustomStep("same", inverse: { [$0] }, body: { [$0] })
    #expect(reasons([MigrationStep("Note", .custom(step))]) == "")
    #expect(
      reasons([MigrationStep("Note", .custom(step), where: try RecordExpression("has(a)"))])
        .contains("its condition reads 'a'"))
  }

  @Test("parts merged types by the same condition")
  func partialMerge() throws {
    let condition = try RecordExpression("has(a)")
    let migration = Migration(from: "1", to: "2") {
      MigrationStep(
        .init(["Note", "Memo"]), .mergeTypes(into: "Note", discriminator: "kind"),
        where: condition)
    }
    let (there, back) = (try Migrator([migration]), try Migrator([migration.reversed()]))
    for (type, fields) in [
      ("Note", ["kind": RecordValue.string("Memo")]), ("Memo", ["kind": .string("Memo")]),
      ("Memo", ["a": .int64(1)]), ("Note", ["a": .int64(1)]),
    ] {
      let record = Sample.record(type, "n1", fields)
      #expect(try there.migrate(record).flatMap { try back.migrate($0) } == [record])
    }
  }
}
