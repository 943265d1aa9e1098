import RecordModel
import RecordSchema

/// The deployment of a schema to a production container: judged, and not done yet.
///
/// Deploying makes development's schema that of production. CloudKit adds types, fields and indexes;
/// it never removes a type or field from production, and never changes the type of one. Those are
/// the errors of the rules for deployment, which `recordpack schema diff` reports, too.
///
/// Source: Apple, *Deploying an iCloud Container's Schema*.
public struct SchemaDeployment: Sendable {
  /// What changes in production, and what is known about it.
  public let report: SchemaReport
  /// The changes to production's schema.
  public let changes: SchemaDiff
  /// The reasons why CloudKit refuses the deployment, also those that the configuration or a comment
  /// in the schema allows: the server does not read them.
  public let refusals: [SchemaFinding]
  /// The schema of production after the deployment.
  let schema: String
  /// The name of its version; nil to leave production's.
  let version: String?

  /// Judges a deployment.
  ///
  /// - Parameters:
  ///   - proposal: the schema to deploy.
  ///   - production: the metadata of the container to deploy to. One without a schema has the type
  ///     `Users` only.
  ///   - version: the name of the schema's version (`ContainerInfo.schemaVersion`), if it has one.
  ///   - name: the name of that container in the report.
  ///   - configuration: the severities and allowances of the report.
  /// - Throws: `SchemaSyntaxError` if one of the schemas has errors;
  ///   ``SchemaDeploymentError/notProduction(_:)``.
  public init(
    _ proposal: SchemaDocument, to production: ContainerInfo, version: String? = nil,
    named name: String = "production",
    configuration: SchemaConfiguration = SchemaConfiguration()
  ) throws {
    guard production.environment == .production else {
      throw SchemaDeploymentError.notProduction(production.environment)
    }
    let current =
      production.schema.map { SchemaDocument(parsing: $0, name: name) }
      ?? SchemaDocument(CloudSchema(recordTypes: [.builtInUsers]), name: name)
    report = try SchemaChecker(configuration: configuration).compare(from: current, to: proposal)
    changes = SchemaDiff(from: current.schema, to: proposal.schema)
    let findings = try SchemaChecker().compare(from: current, to: proposal)
    refusals = (findings.findings + findings.suppressed.map(\.finding)).filter {
      $0.severity == .error && [.deploy, .validate].contains($0.category)
    }
    self.version = version
    schema = SchemaPrinter().print(proposal.schema)
  }

  /// Returns the metadata of the container after the deployment.
  ///
  /// - Throws: ``SchemaDeploymentError/refused(_:)``.
  func info(after production: ContainerInfo) throws -> ContainerInfo {
    guard refusals.isEmpty else { throw SchemaDeploymentError.refused(refusals) }
    var info = production
    if info.schema == nil || !changes.isEmpty { info.schema = schema }
    info.schemaVersion = version ?? info.schemaVersion
    return info
  }
}
