import Foundation
import RecordModel
import RecordSchema
import Yams

/// A plan as its file has it: the migration, and where its schemas are named.
public struct MigrationPlan: Sendable {
  /// The file's name, as it was given.
  public var file: String
  /// The migration; its schemas are those that were found.
  public var migration: Migration
  /// Where `from` stands.
  public var fromPlace: PlanPlace
  /// Where `to` stands.
  public var toPlace: PlanPlace
  /// The schema file `from` names, relative to the plan; nil where it names a version.
  public var fromSchemaFile: String?
  /// The schema file `to` names, relative to the plan; nil where it names a version.
  public var toSchemaFile: String?
  /// What a skeleton asked, and still asks.
  let openQuestions: [OpenQuestion]
  /// How many questions of a skeleton nobody has answered yet: comments that begin with `QUESTION`.
  public var openQuestionCount: Int { openQuestions.count }

  /// Plans above this many bytes are refused.
  public static let maximumSize = 1 << 20

  /// Reads a plan.
  ///
  /// - Parameters:
  ///   - yaml: the text.
  ///   - file: the name under which to show it.
  /// - Throws: ``PlanError`` with line and column.
  public init(yaml: String, file: String = "plan.yml") throws {
    try PlanBounds.check(yaml, file: file, size: Self.maximumSize)
    let start = PlanPlace(file: file, line: 1, column: 1)
    let root: Node?
    do {
      root = try Yams.compose(yaml: yaml)
    } catch {
      throw YamlFault.error(from: error, file: file, yaml: yaml)
    }
    guard let root else { throw PlanError(start, "the plan is empty") }
    let members = try PlanNode(node: root, file: file).members("a plan")
    guard let version = members["recordpack-migration"] else {
      let near = members.key(near: "recordpack-migration")
      throw PlanError(
        near?.place ?? start,
        near == nil
          ? "this is no migration plan: it should begin with 'recordpack-migration: 1'"
          : "a plan begins with 'recordpack-migration: 1'; did you mean that?")
    }
    guard version.node.scalar?.string == "1" else {
      throw version.error("this version of RecordPack reads plans of version 1")
    }
    try members.allow(
      ["recordpack-migration", "title", "from", "to", "steps"], in: "a plan")
    let from = try members.required("from", "the version or schema file records come from")
    let to = try members.required("to", "the version or schema file records go to")
    var (fromVersion, fromFile) = try Self.version(from, "from")
    var (toVersion, toFile) = try Self.version(to, "to")
    if fromVersion == toVersion, fromFile != toFile {
      // ../old/schema.ckdb and schema.ckdb: the folders tell the versions apart.
      fromVersion = fromFile.map { ($0 as NSString).deletingPathExtension } ?? fromVersion
      toVersion = toFile.map { ($0 as NSString).deletingPathExtension } ?? toVersion
    }
    guard fromVersion != toVersion else {
      throw to.error("'from' and 'to' are both '\(toVersion)'")
    }
    let list = try members.required("steps", "the list of steps; [] where there are none")
    // A skeleton may have nothing but comments there.
    let nodes = list.isNull ? [] : try list.elements("steps", each: "each step begins with '- do:'")
    let steps = try nodes.map { try PlanStepReader($0).step() }
    self.file = file
    fromPlace = from.place
    toPlace = to.place
    fromSchemaFile = fromFile
    toSchemaFile = toFile
    openQuestions = OpenQuestion.all(in: yaml)
    migration = Migration(
      from: fromVersion, to: toVersion, title: try members["title"]?.text("title"), steps: steps)
    for (step, node) in zip(steps, nodes) {
      guard let fault = step.fault else { continue }
      throw PlanError(step.place(of: fault.member) ?? node.place, fault.message)
    }
  }

  private static func version(
    _ node: PlanNode, _ what: String
  ) throws -> (name: String, file: String?) {
    let text = try node.text(what)
    guard text.hasSuffix(".ckdb") else { return (text, nil) }
    let name = ((text as NSString).lastPathComponent as NSString).deletingPathExtension
    return (name, text)
  }
}
