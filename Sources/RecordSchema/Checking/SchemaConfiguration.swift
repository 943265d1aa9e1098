/// A project's configuration of the rules: severities and suppressions.
///
/// ```swift
/// var configuration = SchemaConfiguration()
/// configuration.severities["NO_GRANT"] = .off
/// let checker = SchemaChecker(configuration: configuration)
/// ```
public struct SchemaConfiguration: Sendable, Hashable {
  /// The severities that override the rules' defaults.
  public var severities: [SchemaRule.ID: SchemaSeverity]
  /// The suppressions, in addition to those in comments.
  public var suppressions: [Suppression]
  /// The minimum severity of findings that make a check fail, if the file specifies it.
  public var failOn: SchemaSeverity?

  /// The maximum file size in bytes.
  private static let maxSize = 256 << 10

  /// Creates a configuration. Without arguments, all rules have their defaults.
  public init(
    severities: [SchemaRule.ID: SchemaSeverity] = [:], suppressions: [Suppression] = [],
    failOn: SchemaSeverity? = nil
  ) {
    self.severities = severities
    self.suppressions = suppressions
    self.failOn = failOn
  }

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
  /// - Throws: ``SchemaError/configuration(file:line:column:message:)``. Unknown keys and rules are
  ///   errors too, so that a misspelled suppression is never ignored.
  public init(yaml: String, file: String = ".recordpack.yml") throws {
    self.init()
    do {
      let root = try YAMLNode.root(
        of: yaml, file: file, maxSize: Self.maxSize, noun: "configuration")
      if let root, !root.isNull { try read(root.members("the file")) }
    } catch let error as YAMLError {
      throw SchemaError(error)
    }
  }

  private mutating func read(_ members: YAMLMembers) throws {
    try members.allow(["version", "schema"], in: "the file")
    if let version = members["version"], try version.text("version") != "1" {
      throw version.error("this version reads version 1")
    }
    guard let schema = try members["schema"]?.members("schema") else { return }
    try schema.allow(["fail-on", "severities", "allow"], in: "schema")
    failOn = try schema["fail-on"]?.one("severity")
    for (rule, severity) in try schema["severities"]?.members("severities").pairs ?? [] {
      severities[try Self.rule(rule)] = try severity.one("severity")
    }
    suppressions =
      try schema["allow"]?.elements("allow", each: "each entry begins with '- rule:'")
      .map(Self.suppression) ?? []
  }

  private static func rule(_ node: YAMLNode) throws -> SchemaRule.ID {
    let name = try node.text("rule")
    let id = SchemaRule.ID(rawValue: name)
    guard SchemaRule.named(id) != nil else {
      let near = NearNames.nearest(to: name, among: SchemaRule.all.map(\.id.rawValue), maxEdits: 8)
      throw node.error(
        "there is no rule '\(name.printable)'" + (near.map { "; did you mean \($0)?" } ?? ""))
    }
    return id
  }

  private static func suppression(_ node: YAMLNode) throws -> Suppression {
    let members = try node.members("an entry of allow")
    try members.allow(["rule", "subject", "reason"], in: "an entry of allow")
    let rule = try rule(members.required("rule", "the rule whose findings are allowed"))
    let reason = try members.required("reason", "why the findings are allowed").anyText("reason")
    let subject = try members["subject"]?.anyText("subject") ?? "*"
    guard !reason.allSatisfy(\.isWhitespace) else {
      throw node.error("an entry of allow gives no reason")
    }
    guard !subject.allSatisfy(\.isWhitespace) else {
      throw node.error("the subject is empty; use '*' for all")
    }
    return Suppression(
      rule: rule, subject: subject, reason: reason,
      source: .configuration(file: node.file, line: node.line))
  }

  /// Returns the severity of a rule's findings.
  public func severity(of rule: SchemaRule) -> SchemaSeverity {
    severities[rule.id] ?? rule.defaultSeverity
  }
}
