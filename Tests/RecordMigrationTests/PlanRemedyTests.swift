import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

@Suite("An error in a plan")
struct PlanRemedyTests {
  private func schema(_ types: String) throws -> CloudSchema {
    let grant = types.replacing(");", with: ", GRANT WRITE TO \"_creator\");")
    return try SchemaDocument(parsing: "DEFINE SCHEMA " + grant).validSchema()
  }

  @Test("about the type of a value names the function or the step that converts it")
  func remedies() throws {
    let from = try schema("RECORD TYPE Note (when STRING, who STRING, n STRING, secret STRING);")
    let to = try schema(
      "RECORD TYPE Note (when TIMESTAMP, who REFERENCE, n INT64, secret ENCRYPTED STRING);")
    func message(_ step: String, toSchema: CloudSchema? = nil) -> String {
      do {
        let steps = step.isEmpty ? "steps: []" : "steps:\n  - \(step)"
        var plan = try MigrationPlan(
          yaml: "recordpack-migration: 1\nfrom: a\nto: b\n\(steps)\n")
        plan.migration.fromSchema = from
        plan.migration.toSchema = toSchema
        _ = try Migrator([plan.migration])
        return ""
      } catch { return "\(error)" }
    }
    let add = "{do: add-field, type: Note, field: x, as: "
    #expect(
      message(add + "TIMESTAMP, expression: when}").contains(
        "must be a date, but this is a string; write date(…) around it"))
    #expect(
      message(add + "REFERENCE, expression: who}").contains(
        "must be a reference, but this is a string; write reference(…) around it, the name of"))
    #expect(message(add + "INT64, expression: n}").contains("write number(…) around it"))
    let field = message(add + "STRING, expression: name(who)}")
    #expect(!field.isEmpty && !field.contains("write"), "\(field)")
    for (field, remedy) in [
      ("when", "; add the step 'convert' with 'to: TIMESTAMP'"),
      ("who", "; add the step 'convert' with 'to: REFERENCE'"),
      ("n", "; add the step 'convert' with 'to: INT64'"), ("secret", "; add the step 'encrypt'"),
    ] {
      // The first field in the order of names is the one of the error.
      let others = ["n", "secret", "when", "who"].prefix { $0 != field }
      let kept = CloudSchema(
        recordTypes: to.recordTypes.map { type in
          var type = type
          type.fields = type.fields.map { target in
            guard others.contains(target.name) else { return target }
            return from.recordTypes[0].fields.first { $0.name == target.name } ?? target
          }
          return type
        })
      #expect(message("", toSchema: kept).hasSuffix(remedy), "\(message("", toSchema: kept))")
    }
  }
}
