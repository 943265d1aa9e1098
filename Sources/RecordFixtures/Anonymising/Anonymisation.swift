import Foundation
import RecordArchive
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// Replaces everything personal in a bundle or container by pseudonyms and made-up values.
///
/// ```swift
/// let key = try AnonymisationKey(contentsOf: URL(filePath: "anonymise.key"))
/// let anonymisation = Anonymisation(try AnonymisationPolicy(path: "policy.yml"), key: key)
/// let report = try anonymisation.write(
///   ArchiveSource.open(["Customers.recordpack"]), to: "test.recordpack")
/// for (key, _) in report.findings { print("\(key.recordType).\(key.field) still looks personal") }
/// ```
///
/// Names get pseudonyms that depend on the key and the name alone: parts of a container that are
/// anonymised apart fit together. The result has the same records, types, fields, references and
/// hierarchies; other values are replaced as the policy says. It has no history of changes, and no
/// members that this version does not know.
public struct Anonymisation: Sendable {
  /// Decides what happens to each field.
  public let policy: AnonymisationPolicy
  /// Reads the source and writes the bundle.
  public var archiver = Archiver()
  var settings: AnonymiserSettings

  /// Creates an anonymisation.
  public init(_ policy: AnonymisationPolicy, key: AnonymisationKey) {
    self.policy = policy
    settings = AnonymiserSettings(policy, key)
  }

  /// Writes a bundle of what replaces the content of a source.
  ///
  /// - Parameters:
  ///   - source: A bundle or container. Responses must be imported first.
  ///   - path: The path of the bundle; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file.
  /// - Returns: The changes, and the values that still look personal.
  /// - Throws: ``AnonymisationError`` for fields without a rule, and for rules that do not fit;
  ///   `FixtureError` for rules of types and fields that the source's schema does not have; the errors
  ///   of reading and writing. An existing file is then unchanged.
  @discardableResult
  public func write(
    _ source: ArchiveSource, to path: String, overwrite: Bool = true
  ) throws -> AnonymisationReport {
    let run = try run(of: source)
    try archiver.run(
      from: [source], through: [.transform(ArchiveTransform(run))],
      into: .bundle(path: path, overwrite: overwrite))
    return run.report
  }

  /// A stage that anonymises, for `Archiver.run(from:through:into:)`.
  ///
  /// It does not know the whole source: the rule ``AnonymisationRule/keepIf`` redacts all values, and references to
  /// records of dropped types stay, except to shares.
  public var stage: ArchiveStage {
    .transform(ArchiveTransform(AnonymisationRun(settings)))
  }

  /// Anonymises the records of a source without writing them.
  ///
  /// The bytes of assets are not read, so the digests of assets are not those of
  /// ``write(_:to:overwrite:)``.
  ///
  /// - Parameter body: Called with each record and what replaces it.
  /// - Returns: The changes that a run would make, and the values that would still look personal;
  ///   without assets.
  /// - Throws: The errors of ``write(_:to:overwrite:)``.
  package func preview(
    _ source: ArchiveSource,
    _ body: (_ before: ResultRecord, _ after: ResultRecord, DatabaseScope) throws -> Void
  ) throws -> AnonymisationReport {
    let run = try run(of: source)
    let info = try source.info()
    let anonymiser = run.anonymiser(for: info)
    _ = try anonymiser.info(info)
    let filter = archiver.filter
    for one in try source.zones()
    where filter.contains(database: one.database, zoneID: one.zone.zoneID) {
      _ = try anonymiser.zone(one.zone, in: one.database)
    }
    for one in try source.subscriptions() {
      _ = try anonymiser.subscription(one.subscription, in: one.database)
    }
    let (buffer, reader) = (ByteBuffer(), RecordJSONReader())
    try source.forEachRecord(archiver.filter) { record, database in
      buffer.reset()
      guard try anonymiser.write(record, in: database, to: buffer) != nil else { return }
      try body(record, reader.read(buffer.bytes), database)
    }
    try source.forEachTombstone(archiver.filter) { tombstone, database in
      _ = try anonymiser.tombstone(tombstone, in: database)
    }
    for one in try source.zoneTombstones()
    where filter.contains(database: one.database, zoneID: one.tombstone.zoneID) {
      _ = try anonymiser.zoneTombstone(one.tombstone, in: one.database)
    }
    try run.finish([anonymiser], assets: 0, missingAssets: 0)
    return run.report
  }

  private func run(of source: ArchiveSource) throws -> AnonymisationRun {
    let schema = try source.info().schema.map {
      try SchemaDocument(parsing: $0, name: source.name).validSchema()
    }
    if let schema { try policy.check(against: schema) }
    var settings = settings
    settings.currentUser = try source.info().currentUserRecordName
    settings.frequent = try FrequentValues(of: source, settings)
    settings.dropped = try DroppedRecords(of: source, policy)
    // A part may have none of the records that rules are for.
    guard archiver.filter == .all else { return AnonymisationRun(settings) }
    let fields = (schema?.recordTypes ?? []).map { type in
      (ExactString(type.name), Set(type.fields.map { ExactString($0.name) }))
    }
    return AnonymisationRun(
      settings, schemaFields: Dictionary(fields, uniquingKeysWith: { $0.union($1) }))
  }
}

/// Why records cannot be anonymised.
public enum AnonymisationError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The key cannot be used.
  case key(String)
  /// Fields that no rule of the policy names, and there is no default.
  case unnamed([UnnamedField])
  /// A rule does not fit the values of a field. The location is that of the rule in its file.
  case rule(recordType: String, field: String, reason: String, PlanLocation?)
  /// The source cannot be anonymised.
  case source(String)

  /// A field that no rule names.
  public struct UnnamedField: Sendable, Hashable {
    /// The record type.
    public var recordType: String
    /// The name of the field.
    public var name: String
    /// The name of the type of its values in Web Services.
    public var typeName: String
  }

  /// The error, and advice.
  public var description: String {
    switch self {
    case .key(let reason): reason
    case .source(let reason): reason
    case .rule(let type, let field, let reason, let location):
      (location.map { "\($0): error: " } ?? "") + "the rule for \(type).\(field): \(reason)"
    case .unnamed(let fields):
      "the policy has no rule for \(Self.list(fields)); name them under 'types', or set 'default'"
    }
  }

  private static func list(_ fields: [UnnamedField]) -> String {
    let shown = fields.prefix(8).map { "\($0.recordType).\($0.name) (\($0.typeName))" }
    let rest = fields.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
