/// What a project decides about the rules: severities and known findings that may pass.
public struct SchemaConfiguration: Sendable, Hashable {
  /// Severities that differ from the rules' defaults.
  public var severities: [SchemaRule.ID: SchemaSeverity]
  /// Known findings that may pass, besides those that comments in the schema allow.
  public var allowances: [SchemaAllowance]
  /// From which severity on findings make a check fail, if the file says so.
  public var failOn: SchemaSeverity?

  /// Makes a configuration; without arguments, one that leaves everything as the rules have it.
  public init(
    severities: [SchemaRule.ID: SchemaSeverity] = [:], allowances: [SchemaAllowance] = [],
    failOn: SchemaSeverity? = nil
  ) {
    self.severities = severities
    self.allowances = allowances
    self.failOn = failOn
  }

  /// The severity of a rule's findings.
  public func severity(of rule: SchemaRule) -> SchemaSeverity {
    severities[rule.id] ?? rule.defaultSeverity
  }
}

/// A configuration file cannot be understood.
public struct SchemaConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let file: String
  /// Line from 1; 0 where it is not known.
  public let line: Int
  /// Column from 1; 0 where it is not known.
  public let column: Int
  /// What is wrong, and what would be right.
  public let message: String

  /// Makes an error.
  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// `file:line:column: error: message`
  public var description: String {
    line > 0 ? "\(file):\(line):\(column): error: \(message)" : "\(file): error: \(message)"
  }
}
