import Testing

@testable import RecordSchema

/// Every container has `Users`, with `roles` and CloudKit's grants, whether a file mentions it or
/// not. What a file leaves out is not known, so nothing can be said to differ in it.
@Suite("The record type Users, mentioned or not")
struct BuiltInUsersTests {
  static let todo = "RECORD TYPE Todo (f STRING, GRANT READ TO \"_world\");"
  static let plain = "RECORD TYPE Users (roles LIST<INT64>, GRANT WRITE TO \"_creator\");"
  static let full = """
    RECORD TYPE Users ("___recordID" REFERENCE QUERYABLE, name STRING QUERYABLE,
      roles LIST<INT64> QUERYABLE, GRANT READ, CREATE, WRITE TO "_world");
    """
  static let withoutRoles = "RECORD TYPE Users (GRANT WRITE TO \"_creator\");"

  static func findings(
    from: String, to: String, _ kind: SchemaCheckKind = .drift
  ) throws -> [String] {
    func document(_ users: String) -> SchemaDocument {
      SchemaDocument(parsing: "DEFINE SCHEMA \(users) \(todo)")
    }
    return try SchemaChecker().compare(
      from: document(from), to: document(to), kind: kind
    ).findings.filter { $0.severity > .info }.map { "\($0.rule) \($0.subject)" }
  }

  @Test("in drift, what only the server decides is no need of the app")
  func drift() throws {
    #expect(try Self.findings(from: "", to: Self.plain) == [])
    #expect(try Self.findings(from: Self.plain, to: "") == [])
    #expect(try Self.findings(from: Self.full, to: "") == [])
    #expect(try Self.findings(from: Self.withoutRoles, to: "") == [])
    #expect(try Self.findings(from: "", to: Self.withoutRoles) == [])
    #expect(try Self.findings(from: Self.withoutRoles, to: Self.plain) == [])
    #expect(try Self.findings(from: Self.plain, to: Self.withoutRoles) == [])
  }

  @Test("fields and indexes of one's own on Users are still needed")
  func needs() throws {
    let needed = try Self.findings(from: "", to: Self.full)
    #expect(needed == ["INDEX_NOT_DEPLOYED Users.___recordID", "FIELD_NOT_DEPLOYED Users.name"])
    #expect(try Self.findings(from: Self.plain, to: Self.full).count == 4)
  }

  @Test("a deployment without Users changes no grant")
  func deploy() throws {
    #expect(try Self.findings(from: Self.plain, to: "", .deploy) == [])
    #expect(try Self.findings(from: "", to: Self.plain, .deploy) == [])
    #expect(try Self.findings(from: "", to: Self.full, .deploy) == [])
  }
}
