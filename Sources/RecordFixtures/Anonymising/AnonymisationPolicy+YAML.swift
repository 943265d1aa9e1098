import RecordMigration
import RecordModel
import RecordSchema

extension AnonymisationPolicy {
  /// The maximum size of a policy in bytes.
  public static let maxSize = 4 << 20

  /// Reads a policy from a file.
  ///
  /// - Throws: `PlanError` with line and column; `MigrationError` if the file cannot be read.
  public init(path: String) throws {
    try self.init(yaml: MigrationDirectory.text(of: path, limit: Self.maxSize), file: path)
  }

  /// The first key of a policy.
  static let versionKey = "recordpack-policy"

  private enum Dates: String, CaseIterable {
    case shift, keep
  }

  /// Parses a policy.
  ///
  /// - Parameters:
  ///   - yaml: The text of the policy.
  ///   - file: The name of the file in messages.
  /// - Throws: `PlanError` with line and column.
  public init(yaml: String, file: String = "policy.yml") throws {
    let start = PlanLocation(file: file, line: 1, column: 1)
    let members = try PlanNode.root(of: yaml, file: file, maxSize: Self.maxSize, noun: "policy")
      .members("a policy")
    guard let version = members[Self.versionKey] else {
      throw PlanError(
        members.key(near: Self.versionKey)?.location ?? start,
        "this is not a policy: it should begin with '\(Self.versionKey): 1'")
    }
    guard try version.text("the version") == "1" else {
      throw version.error("this version of RecordPack reads policies of version 1")
    }
    try members.allow([Self.versionKey, "default", "dates", "keep", "types"], in: "a policy")
    self.init(defaultRule: try members["default"]?.one("default"))
    if let dates = members["dates"] {
      let choice: Dates = try dates.one("rule for dates")
      keepsDates = choice == .keep
    }
    // Lists may consist of comments only, as in a draft.
    if let keep = members["keep"], !keep.isNull { keptNames = try keep.texts("keep") }
    guard let types = members["types"], !types.isNull else { return }
    for (key, value) in try types.members("'types'").pairs {
      let type = try key.text("a record type")
      locations[type] = key.location
      var fields: [String: AnonymisationRule] = [:]
      for (name, rule) in value.isNull ? [] : try value.members("the rules of \(type)").pairs {
        let field = try name.text("a field")
        fields[field] = try rule.one("rule") as AnonymisationRule
        locations["\(type).\(field)"] = rule.location
      }
      rules[type] = fields
    }
  }
}
