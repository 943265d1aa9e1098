import RecordStore
import RecordBundle
import RecordModel
import RecordSchema

extension Archiver {
  /// How exported or imported records are validated against a schema.
  public struct Validation: Sendable {
    /// The schema; nil for the one that comes with the records, or else the container's own.
    public var schema: SchemaDocument?
    /// The environment whose rules apply. Production rejects what the schema lacks; development
    /// adds it to the schema of the bundle or container.
    public var environment: ContainerInfo.Environment
    /// The severities of rules, and the known findings to accept.
    public var configuration: SchemaConfiguration
    /// The lowest severity that fails validation; `off` for none.
    public var failOn: SchemaSeverity
    /// Called with the report before the call fails or continues.
    public var report: (@Sendable (SchemaReport) -> Void)?

    /// Creates a validation; by default under production's rules, against the schema at hand.
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
  /// Validates counted records.
  ///
  /// - Parameters:
  ///   - census: The counted records.
  ///   - embedded: The schema that comes with the records, used if ``schema`` is nil. In
  ///     development, an empty schema is used if both are nil.
  /// - Throws: ``RecordValidationError`` if there is no schema, `SchemaSyntaxError` for an invalid
  ///   one.
  public func judge(_ census: RecordCensus, embedded: SchemaDocument?) throws -> SchemaReport {
    let checker = SchemaChecker(configuration: configuration)
    let document = schema ?? embedded
    switch environment {
    case .production:
      guard let document else { throw RecordValidationError.noSchema(source: census.source) }
      return try checker.validate(census, against: document)
    case .development:
      let base = try document?.validSchema() ?? CloudSchema()
      let extended = base.extended(by: census)
      // Comments that allow findings apply to the extended schema too.
      let name = document.map { $0.name + " (extended)" } ?? "the extended schema"
      var report = try checker.validate(
        census, against: SchemaDocument(extended.schema, name: name), environment: .development)
      report.extendedSchema = extended
      return report
    }
  }

  /// Validates the records of a source that the archiver's filter selects; throws if they fail.
  func check(_ reader: ArchiveReader, _ archiver: Archiver) throws -> SchemaReport {
    let info = try reader.info()
    let source = info.identifier ?? reader.name
    let census = try reader.census(
      RecordCensus(source: source), archiver.filter, archiver.threads, archiver.progress)
    return try check(census, embedded: info.schemaDocument(of: source))
  }

  /// Validates counted records and calls ``report``; throws if they fail.
  func check(_ census: RecordCensus, embedded: SchemaDocument?) throws -> SchemaReport {
    let found = try judge(census, embedded: embedded)
    report?(found)
    if found.fails(at: failOn) { throw RecordValidationError.failed(found) }
    return found
  }
}

extension ContainerInfo {
  /// The schema that the bundle or container carries.
  ///
  /// - Parameter source: The name of the bundle or container in messages.
  public func schemaDocument(of source: String) -> SchemaDocument? {
    schema.map { SchemaDocument(parsing: $0, name: "the schema in \(source)") }
  }
}
