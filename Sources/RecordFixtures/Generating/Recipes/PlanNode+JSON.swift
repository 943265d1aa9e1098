import RecordCoding
import RecordMigration

extension PlanNode {
  /// The value in JSON, in the order of the file.
  var json: JSONValue {
    if let sequence = node.sequence {
      return .array(sequence.map { PlanNode(node: $0, file: file).json })
    }
    if let mapping = node.mapping {
      return .object(
        mapping.map { key, value in
          JSONValue.Member(key.scalar?.string ?? "", PlanNode(node: value, file: file).json)
        })
    }
    guard let scalar = node.scalar else { return .null }
    guard scalar.style == .plain else { return .string(scalar.string) }
    if isNull { return .null }
    switch scalar.string {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case let text where text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil:
      return .number(text: text)
    case let text: return .string(text)
    }
  }
}

extension FixtureRecipe {
  /// Returns the members of a recipe's text in JSON, which is read as a recipe too.
  package static func json(of yaml: String) throws -> JSONValue {
    try RecipeReader.root(yaml, "recipe").json
  }
}
