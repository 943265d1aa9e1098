import RecordModel
import Foundation
import Testing

@testable import RecordSchema

@Suite("Large schemas")
struct ScaleTests {
  /// A schema of many types with 40 fields each, in export form.
  static func text(types: Int, changed: Bool = false) -> String {
    var schema = CloudSchema()
    for type in 0..<types {
      var fields = SystemField.allCases.map { CloudSchema.Field($0.rawValue, $0.type) }
      for field in 0..<40 {
        let isRemoved = changed && (type + field) % 97 == 0
        let name = isRemoved ? "renamed_\(field)" : "field_\(field)"
        let kind = CloudSchema.Primitive.allCases[(type + field) % 9]
        fields.append(
          CloudSchema.Field(
            name, CloudSchema.FieldType(kind), .justInTime(for: CloudSchema.FieldType(kind))))
      }
      schema.recordTypes.append(
        CloudSchema.RecordType("Type_\(type)", fields: fields, grants: CloudSchema.Grant.defaults))
    }
    return SchemaPrinter().print(schema)
  }

  @Test("20,000 lines are read, printed and compared in seconds, even unoptimised")
  func manyLines() throws {
    let text = Self.text(types: 400)
    let lines = text.utf8.count { $0 == 0x0A }
    #expect(lines > 20_000)
    var document = SchemaDocument(parsing: "")
    let reading = ThreadTime.measure { document = SchemaDocument(parsing: text) }
    var printed = ""
    let printing = ThreadTime.measure { printed = SchemaPrinter().print(document.schema) }
    #expect(printed == text)
    let other = SchemaDocument(parsing: Self.text(types: 400, changed: true), name: "b")
    var report: SchemaReport?
    let comparing = try ThreadTime.measure {
      report = try SchemaChecker().compare(from: document, to: other)
    }
    #expect(report?.findings.count { $0.rule == "FIELD_REMOVED" } ?? 0 > 100)
    // Optimised, each takes a small part of a second; the bounds are for slow machines.
    #expect(reading < .seconds(20) && printing < .seconds(20) && comparing < .seconds(40))
  }

  @Test("twice the schema takes about twice the time to compare")
  func linear() throws {
    func time(types: Int) throws -> Duration {
      let from = SchemaDocument(parsing: Self.text(types: types), name: "a")
      let to = SchemaDocument(parsing: Self.text(types: types, changed: true), name: "b")
      return try (0..<3).map { _ in
        try ThreadTime.measure { _ = try SchemaChecker().compare(from: from, to: to) }
      }.min() ?? .zero
    }
    let ratio = try time(types: 200) / time(types: 50)
    // Linear is 4, quadratic 16.
    #expect(ratio < 10, "\(ratio)")
  }

  /// How much longer twice the size takes: 2 is linear, 4 quadratic.
  static func growth(_ size: Int, _ work: (Int) throws -> () throws -> Void) throws -> Double {
    func time(_ size: Int) throws -> Duration {
      let body = try work(size)
      return try (0..<3).map { _ in try ThreadTime.measure(body) }.min() ?? .zero
    }
    return try time(4 * size) / time(size)
  }

  @Test("a role that is granted thousands of times is checked in linear time")
  func manyGrants() throws {
    let ratio = try Self.growth(2000) { count in
      let grants = String(repeating: "// c\nGRANT READ TO r,\n", count: count)
      let document = SchemaDocument(
        parsing: "DEFINE SCHEMA CREATE ROLE r; RECORD TYPE T (\(grants) f STRING);")
      return {
        let report = try SchemaChecker().validate(document)
        #expect(report.count(of: .info) == min(count - 1, SchemaReport.maxFindings))
        _ = SchemaPrinter().print(document.schema)
      }
    }
    #expect(ratio < 9, "\(ratio)")
  }

  @Test("findings of a rule are kept up to a number, and the report says so")
  func manyFindings() throws {
    let document = SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE T (f STRING, GRANT "
        + String(repeating: "READ,", count: 50_000) + "READ TO \"_world\");")
    let time = try ThreadTime.measure {
      let report = try SchemaChecker().validate(document)
      #expect(report.count(of: .warning) == SchemaReport.maxFindings)
      #expect(report.limitedRules == ["DUPLICATE_OPTION"])
      #expect(report.fails(at: .warning) && !report.fails(at: .error))
      #expect(report.summary == "1000 warnings · more not listed")
      for format in SchemaReportFormat.allCases {
        let text = report.text(as: format)
        #expect(text.utf8.count < 1_000_000, "\(format)")
        #expect(
          text.contains(format == .json ? "limitedRules" : "more than 1000 findings"), "\(format)")
      }
    }
    #expect(time < .seconds(5))
  }

  @Test("findings of one rule do not hide the errors of another")
  func limitOfOneRule() throws {
    let fields = (0..<2000).map { "f\($0) NUMBER" }.joined(separator: ", ")
    let document = SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE T (\(fields), a ASSET QUERYABLE);")
    let report = try SchemaChecker().validate(document)
    #expect(report.limitedRules == ["NUMBER_TYPE_USED"])
    #expect(report.fails(at: .error))
  }

  @Test("suppressed findings are kept up to that number too, and none fails for it")
  func manySuppressed() throws {
    let document = SchemaDocument(
      parsing: "// recordpack:allow DUPLICATE_OPTION generated\nDEFINE SCHEMA RECORD TYPE T "
        + "(f STRING, GRANT " + String(repeating: "READ,", count: 5000) + "READ TO \"_world\");")
    let report = try SchemaChecker().validate(document)
    #expect(report.findings.isEmpty && !report.fails(at: .info))
    #expect(report.summary == "nothing found · 1000 suppressed · more not listed")
  }

  @Test("guessing renames of thousands of types stays within a bound")
  func manyRenames() throws {
    func text(_ letter: String) -> String {
      let fields = (0..<64).map { "\(String(repeating: letter, count: 50))\($0) STRING" }
        .joined(separator: ", ")
      let types = (0..<60).map { "RECORD TYPE T\($0) (\(fields), GRANT READ TO \"_world\");" }
      return "DEFINE SCHEMA\n" + types.joined(separator: "\n")
    }
    let (from, to) = (SchemaDocument(parsing: text("a")), SchemaDocument(parsing: text("b")))
    let time = try ThreadTime.measure { _ = try SchemaChecker().compare(from: from, to: to) }
    #expect(time < .seconds(20))
  }
}
