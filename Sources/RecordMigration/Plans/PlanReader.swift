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
      throw PlanBounds.error(from: error, file: file)
    }
    guard let root else { throw PlanError(start, "the plan is empty") }
    let members = try PlanNode(node: root, file: file).members("a plan")
    guard let version = members["recordpack-migration"] else {
      throw PlanError(
        start, "this is no migration plan: it should begin with 'recordpack-migration: 1'")
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
    let nodes = list.isNull ? [] : try list.elements("steps")
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
      do {
        try step.check()
      } catch MigrationError.invalid(let message) {
        throw PlanError(
          node.place, message.replacingOccurrences(of: "\(node.place): ", with: ""))
      }
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

/// What must hold for a text before a YAML library may read it.
enum PlanBounds {
  private static let maximumDepth = 40

  /// The library reads nested values by recursion: brackets and indicators are counted beforehand.
  static func check(_ yaml: String, file: String, size: Int) throws {
    let start = PlanPlace(file: file, line: 1, column: 1)
    guard yaml.utf8.count <= size else {
      throw PlanError(start, "the file has more than \(size) bytes")
    }
    var (open, line, indicators, indent) = (0, 1, 0, 0)
    var isAtStart = true
    for byte in yaml.utf8 {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
      case 0x0A:
        (line, indicators, indent, isAtStart) = (line + 1, 0, 0, true)
        continue
      case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
        if isAtStart { indicators += 1 }
      case 0x20, 0x09: if isAtStart { indent += 1 }
      default: isAtStart = false
      }
      if open > maximumDepth || indicators > maximumDepth || indent > 8 * maximumDepth {
        throw PlanError(
          PlanPlace(file: file, line: line, column: 1), "values are nested too deeply")
      }
    }
    // An alias stands for a whole value again, and a few of them for millions.
    guard !yaml.utf8.contains(UInt8(ascii: "&")) || !hasAlias(yaml) else {
      throw PlanError(start, "a plan has no anchors and aliases (& and *)")
    }
  }

  private static func hasAlias(_ yaml: String) -> Bool {
    yaml.split(separator: "\n").contains { line in
      let text = line.drop { $0 == " " || $0 == "-" }
      return text.contains(": &") || text.hasPrefix("&") || text.hasPrefix("*")
    }
  }

  /// What the YAML library found, in our form.
  static func error(from error: any Error, file: String) -> PlanError {
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      let situation = (context?.text).map { $0 + ": " } ?? ""
      return PlanError(
        PlanPlace(file: file, line: mark.line, column: mark.column), situation + problem)
    case YamlError.duplicatedKeysInMapping(let duplicates, let context):
      let names = duplicates.sorted().map { "'\($0)'" }.joined(separator: ", ")
      return PlanError(
        PlanPlace(file: file, line: context.mark.line, column: context.mark.column),
        "\(names) stands here twice")
    default:
      let text = "\(error)".split(separator: "\n").first.map(String.init) ?? "this is no YAML"
      return PlanError(PlanPlace(file: file, line: 1, column: 1), text)
    }
  }
}
