import RecordModel
import RecordSchema
import RecordStore

extension MockContainer {
  /// Deploys the schema of a development container to this container, which is production.
  ///
  /// ```swift
  /// try await production.deploySchema(from: development)
  /// ```
  ///
  /// - Returns: the changes and what is known about them, as `recordpack schema diff` reports it.
  /// - Throws: ``SchemaDeploymentError``, with all reasons why CloudKit refuses the schema;
  ///   `SchemaSyntaxError` if one of the schemas has errors. Then nothing is changed.
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
  /// - Throws: ``SchemaDeploymentError``, with all reasons why CloudKit refuses the schema;
  ///   `SchemaSyntaxError` if one of the schemas has errors. Then nothing is changed.
  @discardableResult
  public func deploy(
    _ schema: SchemaDocument, version: String? = nil
  ) async throws -> SchemaReport {
    try await perform { [self] in
      try store.changing(at: now()) { transaction in
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
