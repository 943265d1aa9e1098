/// The category of a rule.
public enum SchemaCategory: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Production would reject the schema.
  case deploy = "DEPLOY"
  /// Existing or future apps fail.
  case client = "CLIENT"
  /// More users get more permissions.
  case security = "SECURITY"
  /// Stored records do not fit the schema.
  case data = "DATA"
  /// The schema itself violates the rules of the language or of CloudKit.
  case validate = "VALIDATE"
  /// Advice.
  case lint = "LINT"
  /// Other changes, most of which are permanent once deployed.
  case info = "INFO"

  /// The heading of a group of findings.
  public var heading: String {
    switch self {
    case .deploy: "Deployment to production"
    case .client: "Client compatibility"
    case .security: "Security"
    case .data: "Stored records"
    case .validate: "Validity"
    case .lint: "Advice"
    case .info: "Other differences"
    }
  }

  /// Orders categories as in reports.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.position < rhs.position }
}
