import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

@Suite("Encrypted values")
struct SecrecyTests {
  private static let secret = "only-for-your-eyes"
  private let record = Sample.record(
    ["plain": .string("p")], encrypted: ["secret": .string(secret)])

  private func message(_ step: MigrationStep, _ record: ResultRecord) throws -> String {
    let migrator = try Migrator([Migration(from: "1", to: "2", steps: [step])])
    let error = try #require(throws: MigrationError.self) { try migrator.migrate(record) }
    return "\(error)"
  }

  @Test(
    "do not become a record's name, whichever way it is made of them",
    arguments: [
      "field('secret')", "'x-' + lower(secret)", "if(secret == 'a', 'x', 'y')",
      "'n' + text(length(secret))", "coalesce(secret, plain)",
    ])
  func names(source: String) throws {
    let step = MigrationStep("Note", .renameRecords(try RecordExpression(source)))
    let text = try message(step, record)
    #expect(text.contains("'secret' is encrypted; a record name cannot be derived"))
    #expect(!text.contains(Self.secret))
    let back = MigrationStep(
      "Note",
      .renameRecords(
        try RecordExpression("plain + '-1'"), reverse: try RecordExpression(source)))
    #expect(throws: MigrationError.self) { try checked(back) }
    #expect(throws: MigrationError.self) { try checked(step) }
  }

  private func checked(_ step: MigrationStep) throws {
    let schema = try SchemaDocument(
      parsing: """
        DEFINE SCHEMA
          RECORD TYPE Note (plain STRING, secret ENCRYPTED STRING, GRANT READ TO "_world");
        """
    ).validSchema()
    var migration = Migration(from: "1", to: "2", steps: [step], fromSchema: schema)
    try migration.checkAgainstSchemas()
  }

  @Test("whether there is one may be asked, and what is decrypted is a value like others")
  func allowed() throws {
    let migrator = try Migrator([
      Migration(
        from: "1", to: "2",
        steps: [
          MigrationStep(
            "Note", .renameRecords(try RecordExpression("if(has(secret), plain + '1', 'b')"))),
          MigrationStep("Note", .decrypt("secret")),
          MigrationStep("Note", .renameRecords(try RecordExpression("recordName + secret"))),
        ])
    ])
    #expect(
      try migrator.migrate(record).first?.recordID.recordName == "p1\(Self.secret)")
  }

  @Test("do not become a parent")
  func parent() throws {
    let hidden = Sample.record(["a": .int64(1)], encrypted: ["chat": Sample.reference("s3cret")])
    for keepsField in [true, false] {
      let step = MigrationStep("Note", .setParent(from: "chat", keepsField: keepsField))
      let text = try message(step, hidden)
      #expect(text.contains("encrypted") && !text.contains("s3cret"))
    }
  }
}
