import Foundation
import RecordModel
import RecordSchema
import RecordStore

/// The deployment of a schema to a production container: checked, and not done yet.
///
/// Deploying makes development's schema that of production. CloudKit adds types, fields and indexes;
/// it never removes a type or field from production, and never changes the type of one. Those are
/// the errors of the rules for deployment, which `recordpack schema diff` reports, too.
///
/// Source: Apple, *Deploying an iCloud Container's Schema*.
package struct SchemaDeployment: Sendable {
  /// The changes of production, and the findings about them.
  package let report: SchemaReport
  /// The changes to production's schema.
  package let changes: SchemaDiff
  /// The reasons why CloudKit rejects the deployment, also those that the configuration or a
  /// comment in the schema allows: the server does not read them.
  package let refusals: [SchemaFinding]
  /// The schema of production after the deployment.
  let schema: String
  /// The name of its version; nil to leave production's.
  let version: String?

  /// Checks a deployment.
  ///
  /// - Parameters:
  ///   - proposal: the schema to deploy.
  ///   - production: the metadata of the container to deploy to. One without a schema has the type
  ///     `Users` only.
  ///   - version: the name of the schema's version (`ContainerInfo.schemaVersion`), if it has one.
  ///   - name: the name of that container in the report.
  ///   - configuration: the severities and allowances of the report.
  /// - Throws: `SchemaError.syntax` if one of the schemas has errors;
  ///   ``SchemaDeploymentError/notProduction(_:)``.
  package init(
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

extension MockContainer {
  /// Deploys the schema of a development container to this container, which is production.
  ///
  /// ```swift
  /// try await production.deploySchema(from: development)
  /// ```
  ///
  /// - Returns: the changes and what is known about them, as `recordpack schema diff` reports it.
  /// - Throws: ``SchemaDeploymentError``, with all reasons why CloudKit rejects the schema;
  ///   `SchemaError.syntax` if one of the schemas has errors. Then nothing is changed.
  @discardableResult
  public func deploySchema(from development: MockContainer) async throws -> SchemaReport {
    let info = try await development.perform { try development.store.info() }
    guard info.environment != .production else { throw SchemaDeploymentError.fromProduction }
    guard let schema = info.schema else { throw SchemaDeploymentError.noSchema }
    return try await deploy(
      SchemaDocument(parsing: schema, name: "development"), version: info.schemaVersion)
  }

  /// Deploys a schema, such as that of a `.ckdb` file, to this container, which is production.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - version: the name of its version (`ContainerInfo.schemaVersion`), if it has one.
  /// - Returns: the changes and what is known about them, as `recordpack schema diff` reports it.
  /// - Throws: ``SchemaDeploymentError``, with all reasons why CloudKit rejects the schema;
  ///   `SchemaError.syntax` if one of the schemas has errors. Then nothing is changed.
  @discardableResult
  public func deploy(
    _ schema: SchemaDocument, version: String? = nil
  ) async throws -> SchemaReport {
    try await perform { [self] in
      try store.transaction(at: now()) { transaction in
        let deployment = try SchemaDeployment(schema, to: transaction.info(), version: version)
        try transaction.deploy(deployment)
        return deployment.report
      }
    }
  }
}

extension ContainerTransaction {
  /// Replaces the schema of a production container.
  ///
  /// - Parameter deployment: a deployment to this container.
  /// - Throws: ``SchemaDeploymentError/refused(_:)``.
  package func deploy(_ deployment: SchemaDeployment) throws {
    let before = try info()
    let after = try deployment.info(after: before)
    if after != before { try setInfo(after) }
  }
}

/// A schema was not deployed; nothing was changed.
public enum SchemaDeploymentError: Error, Sendable, Hashable {
  /// CloudKit rejects the schema, for all these reasons.
  case refused([SchemaFinding])
  /// The container to deploy to is that of another environment, or of an unknown one.
  case notProduction(ContainerInfo.Environment?)
  /// The container to deploy from is production.
  case fromProduction
  /// The container to deploy from has no schema.
  case noSchema
}

extension SchemaDeploymentError: CustomStringConvertible, LocalizedError {
  /// The problem; for a schema that CloudKit rejects, a line for each reason.
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

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
