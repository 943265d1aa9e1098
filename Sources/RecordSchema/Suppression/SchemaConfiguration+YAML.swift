import Foundation
import Yams

extension SchemaConfiguration {
  /// The maximum file size in bytes.
  private static let maximumSize = 256 << 10
  /// The maximum nesting depth, because the YAML library parses nested values recursively.
  private static let maximumDepth = 40

  /// Parses the `schema:` section of a `.recordpack.yml` file.
  ///
  /// ```yaml
  /// version: 1
  /// schema:
  ///   fail-on: warning
  ///   severities:
  ///     INDEX_REMOVED: warning
  ///   allow:
  ///     - rule: FIELD_REMOVED
  ///       subject: Todo.order
  ///       reason: never shipped
  /// ```
  ///
  /// - Parameters:
  ///   - yaml: The text of the file.
  ///   - file: The display name of the file.
  /// - Throws: ``SchemaConfigurationError`` with line and column. Unknown keys and rules are errors
  ///   too, so that a misspelled allowance is never ignored.
  public init(yaml: String, file: String = ".recordpack.yml") throws {
    let reader = ConfigurationReader(file: file)
    try reader.checkBounds(yaml, size: Self.maximumSize, depth: Self.maximumDepth)
    self.init()
    let root: Node?
    do {
      root = try Yams.compose(yaml: yaml)
    } catch {
      throw reader.error(from: error)
    }
    guard let root, root.string?.isEmpty != true else { return }
    for (key, value) in try reader.members(of: root, "the file") {
      switch key.string {
      case "version":
        guard value.int == 1 else { throw reader.error(value, "this version reads version 1") }
      case "schema": try readSchema(value, reader)
      default: throw reader.unknown(key, expected: ["version", "schema"])
      }
    }
  }

  private mutating func readSchema(_ node: Node, _ reader: ConfigurationReader) throws {
    for (key, value) in try reader.members(of: node, "schema") {
      switch key.string {
      case "fail-on": failOn = try reader.severity(value)
      case "severities":
        for (rule, severity) in try reader.members(of: value, "severities") {
          severities[try reader.rule(rule)] = try reader.severity(severity)
        }
      case "allow":
        guard let sequence = value.sequence else {
          throw reader.error(value, "allow is a list of entries, each beginning with '- rule:'")
        }
        allowances = try sequence.map { try reader.allowance($0) }
      default: throw reader.unknown(key, expected: ["fail-on", "severities", "allow"])
      }
    }
  }
}

private struct ConfigurationReader {
  let file: String

  func members(of node: Node, _ what: String) throws -> [(key: Node, value: Node)] {
    guard let mapping = node.mapping else {
      throw error(node, "\(what) is not a mapping of keys to values")
    }
    return mapping.map { ($0.key, $0.value) }
  }

  func rule(_ node: Node) throws -> SchemaRule.ID {
    let name = node.string ?? ""
    let id = SchemaRule.ID(rawValue: name)
    guard SchemaRule.named(id) != nil else {
      let known = SchemaRule.all.map(\.id.rawValue)
      let closest = known.min {
        EditDistance.between(Array($0.utf8), Array(name.utf8.prefix(64)))
          < EditDistance.between(Array($1.utf8), Array(name.utf8.prefix(64)))
      }
      throw error(
        node,
        "there is no rule '\(name.printable)'"
          + (closest.map { "; did you mean \($0)?" } ?? ""))
    }
    return id
  }

  func severity(_ node: Node) throws -> SchemaSeverity {
    guard let severity = SchemaSeverity(rawValue: node.string ?? "") else {
      let names = SchemaSeverity.allCases.map(\.rawValue).joined(separator: ", ")
      throw error(node, "'\((node.string ?? "").printable)' is no severity; there are \(names)")
    }
    return severity
  }

  func allowance(_ node: Node) throws -> SchemaAllowance {
    var rule: SchemaRule.ID?
    var subject = "*"
    var reason = ""
    for (key, value) in try members(of: node, "an entry of allow") {
      switch key.string {
      case "rule": rule = try self.rule(value)
      case "subject": subject = value.string ?? ""
      case "reason": reason = value.string ?? ""
      default: throw unknown(key, expected: ["rule", "subject", "reason"])
      }
    }
    guard let rule else { throw error(node, "an entry of allow names no rule") }
    guard !reason.allSatisfy(\.isWhitespace) else {
      throw error(node, "an entry of allow gives no reason")
    }
    guard !subject.allSatisfy(\.isWhitespace) else {
      throw error(node, "the subject is empty; write '*' for all")
    }
    return SchemaAllowance(
      rule: rule, subject: subject, reason: reason,
      source: .configuration(file: file, line: node.mark?.line ?? 0))
  }

  func unknown(_ key: Node, expected: [String]) -> SchemaConfigurationError {
    let known = expected.joined(separator: ", ")
    return error(key, "unknown key '\((key.string ?? "").printable)'; there are \(known)")
  }

  func error(_ node: Node, _ message: String) -> SchemaConfigurationError {
    SchemaConfigurationError(
      file: file, line: node.mark?.line ?? 0, column: node.mark?.column ?? 0, message: message)
  }

  /// Converts an error of the YAML library.
  func error(from error: any Error) -> SchemaConfigurationError {
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      // The context's own description repeats the location, so only its text is used.
      let situation = (context?.text).map { $0 + ": " } ?? ""
      return SchemaConfigurationError(
        file: file, line: mark.line, column: mark.column, message: situation + problem)
    default:
      let text = "\(error)".split(separator: "\n").first.map(String.init) ?? "no YAML"
      return SchemaConfigurationError(file: file, line: 0, column: 0, message: text.printable)
    }
  }

  /// Throws if nesting would cause too deep a recursion in the YAML library. Counts brackets even
  /// in quotation marks, and indicators that nest on one line (`- - - x`).
  func checkBounds(_ yaml: String, size: Int, depth: Int) throws {
    guard yaml.utf8.count <= size else {
      throw SchemaConfigurationError(
        file: file, line: 0, column: 0, message: "the file has more than \(size) bytes")
    }
    var open = 0
    var line = 1
    var indicators = 0
    var isAtStart = true
    for byte in yaml.utf8 {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
      case 0x0A:
        line += 1
        indicators = 0
        isAtStart = true
        continue
      case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"): if isAtStart { indicators += 1 }
      case 0x20, 0x09: break
      default: isAtStart = false
      }
      if open > depth || indicators > depth {
        throw SchemaConfigurationError(
          file: file, line: line, column: 1, message: "values are nested too deeply")
      }
    }
  }
}
