import Foundation
import RecordBundle
import RecordCoding
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
  /// - Throws: ``ArchiveError`` if there is no schema, `SchemaError.syntax` for an invalid
  ///   one.
  package func validate(_ census: RecordCensus, embedded: SchemaDocument?) throws -> SchemaReport {
    let checker = SchemaChecker(configuration: configuration)
    let document = schema ?? embedded
    switch environment {
    case .production:
      guard let document else { throw ArchiveError.noSchema(source: census.source) }
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
    let found = try validate(census, embedded: embedded)
    report?(found)
    if found.fails(at: failOn) { throw ArchiveError.validationFailed(found) }
    return found
  }
}

extension ContainerInfo {
  /// The schema that the bundle or container carries.
  ///
  /// - Parameter source: The name of the bundle or container in messages.
  package func schemaDocument(of source: String) -> SchemaDocument? {
    schema.map { SchemaDocument(parsing: $0, name: "the schema in \(source)") }
  }
}

extension ArchiveSource {
  /// Counts the kinds of values in records and subscriptions, on several threads, in bounded
  /// memory.
  ///
  /// - Parameters:
  ///   - name: The name of the source in reports.
  ///   - filter: The records and subscriptions to count.
  ///   - maxExamples: The number of records to name as examples of each kind.
  ///   - threads: The number of threads that scan records.
  ///   - progress: Called periodically; an error it throws ends the count.
  /// - Throws: Errors of the source, and `SchemaError.tooManyFields`.
  public func census(
    named name: String, _ filter: RecordFilter = .all,
    maxExamples: Int = RecordCensus.defaultExamples,
    threads: Int = BundleThreads.recommended,
    progress: ((ArchiveProgress) throws -> Void)? = nil
  ) throws -> RecordCensus {
    let census = RecordCensus(source: name, maxExamples: maxExamples)
    if case .responses(let responses) = self {
      var counted = try responses.census(census, filter, progress)
      if counted.hasMirroredTypes {
        let check = try checkRelationships(filter, named: name, maxExamples: maxExamples)
        check.add(to: &counted)
      }
      return counted
    }
    return try read { try $0.census(census, filter, threads, progress) }
  }
}

extension ResponseSet {
  /// Counts all records, including those that a later response replaces or deletes.
  fileprivate func census(
    _ start: RecordCensus, _ filter: RecordFilter, _ progress: ((ArchiveProgress) throws -> Void)?
  ) throws -> RecordCensus {
    var census = start
    var done = ArchiveProgress(records: 0, bytes: 0)
    try forEachResponse { response, size in
      for record in response.records where filter.contains(record, database: database) {
        try census.add(record, in: database)
      }
      for subscription in response.subscriptions
      where filter.contains(subscription, database: database) {
        census.add(subscription, in: database)
      }
      done.records = census.recordCount
      done.bytes += size
      try progress?(done)
    }
    return census
  }
}

extension ArchiveReader {
  func census(
    _ start: RecordCensus, _ filter: RecordFilter, _ threads: Int,
    _ progress: ((ArchiveProgress) throws -> Void)?
  ) throws -> RecordCensus {
    var census = start
    let selection = LineSelection([.record, .subscription], filter)
    let (source, maxExamples) = (start.source, start.maxExamples)
    try count(selection, threads: threads, progress) { batch in
      var census = RecordCensus(source: source, maxExamples: maxExamples)
      try batch.forEachRecord { record, database, _ in
        try census.add(record, in: database)
      } other: {
        try census.add($0)
      }
      return census
    } add: { counted in
      try census.add(counted)
      return census.recordCount
    }
    if census.hasMirroredTypes {
      var check = RelationshipCheck(source: source, maxExamples: maxExamples)
      try checkRelationships(filter, &check)
      check.add(to: &census)
    }
    return census
  }
}

extension RecordCensus {
  /// Counts a record from its canonical line.
  mutating func add(_ line: UnsafeRawBufferPointer, _ reader: RecordJSONReader) throws {
    if let (database, record) = reader.readCanonicalLine(line) { try add(record, in: database) }
  }

  /// Counts a subscription, or a record whose line is not canonical.
  mutating func add(_ item: BundleItem) throws {
    switch item {
    case .record(let record, let database): try add(record, in: database)
    case .subscription(let subscription, let database): add(subscription, in: database)
    case .zone, .tombstone, .zoneTombstone, .asset: break
    }
  }
}
