import MockCloud
import RecordBundle
import RecordModel
import RecordSchema

extension Archiver {
  /// How records are held against a schema when they are exported or imported.
  public struct Validation: Sendable {
    /// The schema; nil for the one that comes with the records, or else the container's own.
    public var schema: SchemaDocument?
    /// Whose rules hold: production refuses what the schema does not have, and development makes it
    /// just in time, so that the schema of the bundle or container grows.
    public var environment: ContainerInfo.Environment
    /// Severities and known findings that may pass.
    public var configuration: SchemaConfiguration
    /// From which severity on a finding ends the work; `off` for none.
    public var failOn: SchemaSeverity
    /// Gets the report before the work is ended or goes on.
    public var report: (@Sendable (SchemaReport) -> Void)?

    /// Makes a validation; without arguments, against the schema at hand as production would.
    public init(
      schema: SchemaDocument? = nil, environment: ContainerInfo.Environment = .production,
      configuration: SchemaConfiguration = SchemaConfiguration(),
      failOn: SchemaSeverity = .error, report: (@Sendable (SchemaReport) -> Void)? = nil
    ) {
      self.schema = schema
      self.environment = environment
      self.configuration = configuration
      self.failOn = failOn
      self.report = report
    }
  }
}

extension Archiver.Validation {
  /// Judges records that were counted.
  ///
  /// - Parameter embedded: The schema that comes with them; used where ``schema`` is nil. In
  ///   development an empty schema will do where there is none.
  /// - Throws: ``RecordValidationError`` where there is no schema, `SchemaSyntaxError` for a broken one.
  public func judge(_ census: RecordCensus, embedded: SchemaDocument?) throws -> SchemaReport {
    let checker = SchemaChecker(configuration: configuration)
    let document = schema ?? embedded
    switch environment {
    case .production:
      guard let document else { throw RecordValidationError.noSchema(source: census.source) }
      return try checker.judge(census, under: document)
    case .development:
      let base = try document?.validSchema() ?? Schema()
      let growth = base.grown(by: census)
      // Comments that allow findings stand in the grown schema too.
      let name = document.map { $0.name + " (grown)" } ?? "the grown schema"
      var report = try checker.judge(
        census, under: SchemaDocument(growth.schema, name: name), environment: .development)
      report.growth = growth
      return report
    }
  }

  /// Judges records, reports, and throws where they do not pass.
  func check(_ census: RecordCensus, embedded: SchemaDocument?) throws -> SchemaReport {
    let found = try judge(census, embedded: embedded)
    report?(found)
    if found.fails(at: failOn) { throw RecordValidationError.failed(found) }
    return found
  }
}

extension ContainerInfo {
  /// The schema that a bundle or container says it has.
  ///
  /// - Parameter source: The name of the bundle or container, under which it is shown.
  public func schemaDocument(of source: String) -> SchemaDocument? {
    schema.map { SchemaDocument(parsing: $0, name: "the schema in \(source)") }
  }
}
