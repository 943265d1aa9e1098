import Foundation
import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

/// Drafts of plans, and what becomes of them.
enum Planning {
  static func schema(_ types: String) throws -> CloudSchema {
    try SchemaDocument(parsing: "DEFINE SCHEMA\n" + types).validSchema()
  }

  /// One type with these fields: `text STRING, count INT64`.
  static func schema(_ type: String, _ fields: String) throws -> CloudSchema {
    try schema("RECORD TYPE \(type) (\(fields), GRANT READ TO \"_world\");")
  }

  static func draft(_ old: CloudSchema, _ new: CloudSchema) -> PlanDraft {
    PlanDraft(from: old, named: "a", to: new, named: "b")
  }

  /// The draft of one type's change.
  static func draft(_ old: String, _ new: String) throws -> PlanDraft {
    draft(try schema("Note", old), try schema("Note", new))
  }

  /// The plan with every question answered in the default way: steps that are comments are steps.
  static func answered(_ yaml: String) -> String {
    yaml.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("  # - ") || line.hasPrefix("  #   ") ? "  " + line.dropFirst(4) : String(line)
    }.joined(separator: "\n")
  }

  /// Reads a plan and holds it against both schemas.
  @discardableResult
  static func resolved(_ yaml: String, _ old: CloudSchema, _ new: CloudSchema) throws
    -> MigrationPlan
  {
    try MigrationPlan(yaml: yaml, file: "plan.yml").resolved { $0 == "a" ? old : new }
  }

  /// Real schemas, which lie beside the package where it is developed.
  static let corpus: [String] = {
    guard let folder = Place.corpus("ckdb")?.path else { return [] }
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter {
      $0.hasSuffix(".ckdb") && ($0 as NSString).lastPathComponent.first?.isNumber == true
    }
    .sorted().map { folder + "/" + $0 }
  }()

  /// A schema of a few types with a few fields, of all types there are.
  static func randomSchema(_ random: inout SeededGenerator) throws -> CloudSchema {
    let primitives = CloudSchema.Primitive.allCases
    let names = ["text", "textBody", "count", "total_count", "photo", "yes", "null", "Date", "id"]
    let types = ["Note", "Memo", "NoteItem", "On", "Chat"].filter { _ in !random.chance(3) }
    return CloudSchema(
      recordTypes: types.map { type in
        let fields = names.filter { _ in random.chance(2) }.map { name in
          CloudSchema.Field(
            name,
            CloudSchema.FieldType(
              primitives[random.below(primitives.count)], isList: random.chance(4),
              isEncrypted: random.chance(4),
              numberPreference: random.chance(2) ? .int64 : nil))
        }
        return CloudSchema.RecordType(
          type, fields: fields, grants: [CloudSchema.Grant(.read, to: "_world")])
      })
  }
}
