import Foundation
import Yams

extension SchemaConfiguration {
  /// The maximum file size in bytes.
  private static let maxSize = 256 << 10

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
    self.init()
    let root: Node?
    do {
      root = try BoundedYAML.root(of: yaml, maxSize: Self.maxSize, noun: "configuration")
    } catch let fault as YAMLFault {
      throw SchemaConfigurationError(
        file: file, line: fault.line, column: fault.column, message: fault.message)
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
      let near = NearNames.nearest(to: name, among: SchemaRule.all.map(\.id.rawValue), maxEdits: 8)
      throw error(
        node, "there is no rule '\(name.printable)'" + (near.map { "; did you mean \($0)?" } ?? ""))
    }
    return id
  }

  func severity(_ node: Node) throws -> SchemaSeverity {
    guard let severity = SchemaSeverity(rawValue: node.string ?? "") else {
      let names = SchemaSeverity.allCases.map(\.rawValue).joined(separator: ", ")
      throw error(node, "'\((node.string ?? "").printable)' is not a severity; use one of \(names)")
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
      throw error(node, "the subject is empty; use '*' for all")
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
}
