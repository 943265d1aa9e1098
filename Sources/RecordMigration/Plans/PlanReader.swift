import Foundation
import RecordSchema

/// A plan file: the migration, and the locations of its schemas.
///
/// ```swift
/// let plan = try MigrationPlan(path: "Migrations/v1-v2.yml")
/// let migrator = try Migrator([plan.migration])
/// ```
public struct MigrationPlan: Sendable {
  /// The file name, as passed by the caller.
  public var file: String
  /// The migration, with the schemas that were found.
  public var migration: Migration
  /// The location of `from`.
  package var fromLocation: PlanLocation
  /// The location of `to`.
  package var toLocation: PlanLocation
  /// The schema file in `from`, relative to the plan, or `nil` if it is a version.
  package var fromSchemaFile: String?
  /// The schema file in `to`, relative to the plan, or `nil` if it is a version.
  package var toSchemaFile: String?
  /// The questions of a draft that are still unanswered.
  let openQuestions: [OpenQuestion]
  /// The number of unanswered questions of a draft: comments that begin with `QUESTION`.
  package var openQuestionCount: Int { openQuestions.count }

  /// The maximum size of a plan in bytes.
  package static let maxSize = 1 << 20

  /// Parses a plan.
  ///
  /// - Parameters:
  ///   - yaml: The text of the plan.
  ///   - file: The display name of the file.
  /// - Throws: ``MigrationError`` with the code `plan`.
  public init(yaml: String, file: String = "plan.yml") throws {
    self = try MigrationError.reading { try MigrationPlan(reading: yaml, file) }
  }

  private init(reading yaml: String, _ file: String) throws {
    let members = try YAMLMembers.document(
      yaml, file: file, maxSize: Self.maxSize, key: "recordpack-migration", noun: "plan",
      allowing: ["title", "from", "to", "steps"],
      tagHint: "; in expressions, use 'not' instead of '!'")
    let from = try members.required("from", "the source version or its schema file")
    let to = try members.required("to", "the target version or its schema file")
    var (fromVersion, fromFile) = try Self.version(from, "from")
    var (toVersion, toFile) = try Self.version(to, "to")
    if fromVersion == toVersion, fromFile != toFile {
      // For `../old/schema.ckdb` and `schema.ckdb`, the folders distinguish the versions.
      fromVersion = fromFile.map { ($0 as NSString).deletingPathExtension } ?? fromVersion
      toVersion = toFile.map { ($0 as NSString).deletingPathExtension } ?? toVersion
    }
    guard fromVersion != toVersion else {
      throw to.error("'from' and 'to' are both '\(toVersion)'")
    }
    let list = try members.required("steps", "the list of steps; [] for none")
    // In a draft, the list may consist of comments only.
    let nodes = list.isNull ? [] : try list.elements("steps", each: "each step begins with '- do:'")
    let steps = try nodes.map { try PlanStepReader($0).step() }
    self.file = file
    fromLocation = from.location
    toLocation = to.location
    fromSchemaFile = fromFile
    toSchemaFile = toFile
    openQuestions = OpenQuestion.all(in: yaml)
    migration = Migration(
      from: fromVersion, to: toVersion, title: try members["title"]?.text("title"), steps: steps)
    migration.openQuestions = openQuestionCount
    for (step, node) in zip(steps, nodes) {
      guard let fault = step.fault else { continue }
      throw MigrationError(step.location(of: fault.member) ?? node.location, fault.message)
    }
  }

  private static func version(
    _ node: YAMLNode, _ what: String
  ) throws -> (name: String, file: String?) {
    let text = try node.text(what)
    guard text.hasSuffix(".ckdb") else { return (text, nil) }
    let name = ((text as NSString).lastPathComponent as NSString).deletingPathExtension
    return (name, text)
  }
}

/// Parses a step of a plan.
struct PlanStepReader {
  private let members: YAMLMembers
  private let kind: any PlannedStepKind.Type
  /// The name of the step.
  let name: String
  private let location: PlanLocation

  /// The keys that every step may have.
  private static let common = ["do", "type", "database", "zone", "where", "misfit", "note"]

  /// The kinds of steps that plans can contain.
  static let kinds: [any PlannedStepKind.Type] = [
    ChangeType.self, LeaveBehind.self, RenameField.self, AddField.self, DropField.self,
    ConvertField.self, MapValues.self, SetEncryption.self, SetParent.self, SetReference.self,
    ClearParent.self, MoveRecords.self, RenameRecords.self, SplitList.self, SplitRecord.self,
    LookUp.self,
  ]

  /// The names of all steps.
  static let names = kinds.flatMap { $0.names.map(\.key) }

  init(_ node: YAMLNode) throws {
    if let word = node.node.scalar?.string, Self.names.contains(word) {
      throw node.error("a step is a mapping: write 'do: \(word)' with its keys below")
    }
    members = try node.members("a step")
    guard let word = members["do"] else { throw Self.nameless(members) }
    let name = try word.text("do")
    let kinds = Self.kinds.flatMap { kind in kind.names.map { (kind, $0.key, $0.value) } }
    guard let (kind, _, keys) = kinds.first(where: { $0.1 == name }) else {
      let advice = NearNames.advice(name, among: Self.names.sorted())
      throw word.error("there is no step '\(name)'" + advice)
    }
    try members.allow(Self.common + keys, in: "'\(name)'")
    (self.kind, self.name, location) = (kind, name, word.location)
  }

  func step() throws -> MigrationStep {
    let selection = try selection()
    var step = MigrationStep(
      selection, MigrationAction(try kind.read(self)),
      where: try members["where"]?.expression("where"), misfit: try misfit(),
      location: location)
    step.locations = locations
    return step
  }

  private static func nameless(_ members: YAMLMembers) -> YAMLError {
    let key = members.pairs.map(\.key).first { names.contains($0.node.scalar?.string ?? "") }
    guard let key else {
      return members.error("'do' is missing: the step's name, such as rename-field")
    }
    let name = key.node.scalar?.string ?? ""
    return key.error("a step is named by 'do': write 'do: \(name)' with its keys below")
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
          YAMLNode(node: node, file: value.file).location
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
          + NearNames.advice(other, among: policies, also: "{keep-in: FIELD}"))
    }
  }

  // MARK: Keys of a kind of step

  subscript(_ key: String) -> YAMLNode? { members[key] }

  func required(_ key: String, _ purpose: String) throws -> YAMLNode {
    try members.required(key, purpose)
  }

  func text(_ key: String, _ purpose: String) throws -> String {
    try required(key, purpose).text(key)
  }

  func field() throws -> String { try text("field", "the field's name") }

  /// Returns an error at the step.
  func error(_ message: String) -> YAMLError { members.error(message) }
}
