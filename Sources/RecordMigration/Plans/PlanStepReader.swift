import RecordModel
import RecordSchema

/// Parses a step of a plan.
struct PlanStepReader {
  private let members: PlanMembers

  /// The keys that every step may have.
  private static let common = ["do", "type", "database", "zone", "where", "misfit", "note"]

  /// The kinds of steps that plans can contain.
  static let kinds: [any PlannedStepKind.Type] = [
    RenameType.self, MergeTypes.self, DeleteType.self, LeaveBehind.self, RenameField.self,
    AddField.self, DropField.self, ConvertField.self, SplitField.self, JoinFields.self,
    MapValues.self, EncryptField.self, DecryptField.self, SetParent.self, SetReference.self,
    ClearParent.self, MoveRecords.self, RenameRecords.self,
  ]

  init(_ node: PlanNode) throws {
    if let word = node.node.scalar?.string, Self.kind(word) != nil {
      throw node.error("a step is a mapping: write 'do: \(word)' with its keys below")
    }
    members = try node.members("a step")
  }

  func step() throws -> MigrationStep {
    guard let name = members["do"] else { throw nameless() }
    let word = try name.text("do")
    guard let kind = Self.kind(word) else {
      let known = Self.kinds.map { $0.name }.sorted()
      throw name.error("there is no step '\(word)'" + NearWord.advice(word, among: known))
    }
    try members.allow(Self.common + kind.keys, in: "'\(word)'")
    let selection = try selection()
    var step = MigrationStep(
      selection, MigrationAction(try kind.read(self)),
      where: try members["where"]?.expression("where"), misfit: try misfit(),
      location: name.location)
    step.locations = locations
    return step
  }

  private static func kind(_ name: String) -> (any PlannedStepKind.Type)? {
    kinds.first { $0.name == name }
  }

  private func nameless() -> PlanError {
    guard
      let key = members.pairs.first(where: { Self.kind($0.key.node.scalar?.string ?? "") != nil })
    else {
      return PlanError(members.location, "'do' is missing: the step's name, such as rename-field")
    }
    let name = key.key.node.scalar?.string ?? ""
    return key.key.error("a step is named by 'do': write 'do: \(name)' with its keys below")
  }

  /// The locations of the values of all keys, of nested values as `key.inner`, and of names in
  /// expressions.
  private var locations: [String: PlanLocation] {
    var locations: [String: PlanLocation] = [:]
    for (key, value) in members.pairs {
      let name = key.node.scalar?.string ?? ""
      locations[name] = value.location
      if ["where", "expression", "name", "reverse"].contains(name) {
        locations["\(name)."] = value.location(ofColumn: 1)
        for (word, location) in value.locationsOfNames() { locations["\(name).\(word)"] = location }
      }
      for (inner, innerValue) in value.node.mapping?.map({ ($0.key, $0.value) }) ?? [] {
        let node = name == "values" ? inner : innerValue
        locations["\(name).\(inner.scalar?.string ?? "")"] =
          PlanNode(node: node, file: value.file).location
      }
    }
    return locations
  }

  private func selection() throws -> MigrationStep.Selection {
    let types = try members.required("type", "the record type, a list of them, or '*' for all")
      .texts("type")
    return MigrationStep.Selection(
      types == ["*"] ? nil : Set(types),
      databases: try members["database"].map { Set(try $0.several("database")) },
      zoneNames: try members["zone"].map { Set(try $0.texts("zone")) })
  }

  private func misfit() throws -> MisfitPolicy {
    guard let node = members["misfit"] else { return .fail }
    if node.isNull { return .null }
    if node.node.mapping != nil {
      let members = try node.members("misfit")
      try members.allow(["keep-in"], in: "misfit")
      return .keep(
        in: try members.required("keep-in", "the field for these values").text("keep-in"))
    }
    switch try node.text("misfit") {
    case "fail": return .fail
    case "null": return .null
    case "skip": return .skip
    case let other:
      let policies = ["fail", "null", "skip"]
      throw node.error(
        "there is no policy '\(other)'"
          + NearWord.advice(other, among: policies, also: "{keep-in: FIELD}"))
    }
  }

  // MARK: Keys of a kind of step

  subscript(_ key: String) -> PlanNode? { members[key] }

  func required(_ key: String, _ purpose: String) throws -> PlanNode {
    try members.required(key, purpose)
  }

  func text(_ key: String, _ purpose: String) throws -> String {
    try required(key, purpose).text(key)
  }

  func field() throws -> String { try text("field", "the field's name") }

  func separator() throws -> String {
    try required("separator", "the separator between the parts").anyText("separator")
  }

  /// Returns an error at the step.
  func error(_ message: String) -> PlanError { PlanError(members.location, message) }
}
