/// A project's configuration of the rules: severities and allowances.
public struct SchemaConfiguration: Sendable, Hashable {
  /// The severities that override the rules' defaults.
  public var severities: [SchemaRule.ID: SchemaSeverity]
  /// The allowances, in addition to those in comments of the schema.
  public var allowances: [SchemaAllowance]
  /// The minimum severity of findings that make a check fail, if the file specifies it.
  public var failOn: SchemaSeverity?

  /// Creates a configuration. Without arguments, all rules have their defaults.
  public init(
    severities: [SchemaRule.ID: SchemaSeverity] = [:], allowances: [SchemaAllowance] = [],
    failOn: SchemaSeverity? = nil
  ) {
    self.severities = severities
    self.allowances = allowances
    self.failOn = failOn
  }

  /// Returns the severity of a rule's findings.
  public func severity(of rule: SchemaRule) -> SchemaSeverity {
    severities[rule.id] ?? rule.defaultSeverity
  }
}

/// An error thrown if a configuration file cannot be parsed.
public struct SchemaConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The display name of the file.
  public let file: String
  /// The line from 1, or 0 if unknown.
  public let line: Int
  /// The column from 1, or 0 if unknown.
  public let column: Int
  /// A description of the error and the expected content.
  public let message: String

  /// `file:line:column: error: message`
  public var description: String {
    line > 0 ? "\(file):\(line):\(column): error: \(message)" : "\(file): error: \(message)"
  }
}
