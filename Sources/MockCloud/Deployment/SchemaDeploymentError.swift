import RecordModel
import RecordSchema

/// A schema was not deployed; nothing was changed.
public enum SchemaDeploymentError: Error, Sendable, Hashable {
  /// CloudKit refuses the schema, for all these reasons.
  case refused([SchemaFinding])
  /// The container to deploy to is that of another environment, or of an unknown one.
  case notProduction(ContainerInfo.Environment?)
  /// The container to deploy from is production.
  case fromProduction
  /// The container to deploy from has no schema.
  case noSchema
}

extension SchemaDeploymentError: CustomStringConvertible {
  /// What is wrong; for a schema that is refused, each reason on a line of its own.
  public var description: String {
    switch self {
    case .refused(let findings):
      (["the schema cannot be deployed:"] + findings.map { "\($0.rule): \($0.message)" })
        .joined(separator: "\n")
    case .notProduction(let environment?):
      "a schema is deployed to production; the container's environment is "
        + "\(environment.rawValue)"
    case .notProduction(nil):
      "a schema is deployed to production; the container does not name its environment"
    case .fromProduction:
      "a schema is deployed from development; the container's environment is production"
    case .noSchema: "the container to deploy from has no schema"
    }
  }
}
