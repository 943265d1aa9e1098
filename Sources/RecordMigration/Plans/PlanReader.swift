import Foundation
import RecordModel
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
  public var fromLocation: PlanLocation
  /// The location of `to`.
  public var toLocation: PlanLocation
  /// The schema file in `from`, relative to the plan, or `nil` if it is a version.
  public var fromSchemaFile: String?
  /// The schema file in `to`, relative to the plan, or `nil` if it is a version.
  public var toSchemaFile: String?
  /// The questions of a draft that are still unanswered.
  let openQuestions: [OpenQuestion]
  /// The number of unanswered questions of a draft: comments that begin with `QUESTION`.
  public var openQuestionCount: Int { openQuestions.count }

  /// The maximum size of a plan in bytes.
  public static let maxSize = 1 << 20

  /// Parses a plan.
  ///
  /// - Parameters:
  ///   - yaml: The text of the plan.
  ///   - file: The display name of the file.
  /// - Throws: ``PlanError`` with line and column.
  public init(yaml: String, file: String = "plan.yml") throws {
    let start = PlanLocation(file: file, line: 1, column: 1)
    let members = try PlanNode.root(
      of: yaml, file: file, maxSize: Self.maxSize, noun: "plan",
      tagHint: "; in expressions, use 'not' instead of '!'"
    ).members("a plan")
    guard let version = members["recordpack-migration"] else {
      let near = members.key(near: "recordpack-migration")
      throw PlanError(
        near?.location ?? start,
        near == nil
          ? "this is not a migration plan: it should begin with 'recordpack-migration: 1'"
          : "a plan begins with 'recordpack-migration: 1'; did you mean that?")
    }
    guard version.node.scalar?.string == "1" else {
      throw version.error("this version of RecordPack reads plans of version 1")
    }
    try members.allow(["recordpack-migration", "title", "from", "to", "steps"], in: "a plan")
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
    for (step, node) in zip(steps, nodes) {
      guard let fault = step.fault else { continue }
      throw PlanError(step.location(of: fault.member) ?? node.location, fault.message)
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
