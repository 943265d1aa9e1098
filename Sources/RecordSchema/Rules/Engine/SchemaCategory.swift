/// What kind of question a rule answers.
public enum SchemaCategory: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Production would refuse the schema.
  case deploy = "DEPLOY"
  /// Apps that run stop working, or will not work.
  case client = "CLIENT"
  /// More people may do more.
  case security = "SECURITY"
  /// Stored records do not fit.
  case data = "DATA"
  /// The schema by itself breaks the rules of the language or of CloudKit.
  case validate = "VALIDATE"
  /// Advice.
  case lint = "LINT"
  /// What else changes; most of it is permanent once it is deployed.
  case info = "INFO"

  /// A heading for a group of findings.
  public var heading: String {
    switch self {
    case .deploy: "Deployment over production"
    case .client: "Apps that use it"
    case .security: "Who may do what"
    case .data: "Stored records"
    case .validate: "The schema itself"
    case .lint: "Advice"
    case .info: "Other differences"
    }
  }

  /// Orders as reports list the groups.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (allCases.firstIndex(of: lhs) ?? 0) < (allCases.firstIndex(of: rhs) ?? 0)
  }
}
