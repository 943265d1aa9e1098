import Foundation
import RecordArchive
import RecordBundle
import RecordModel
import RecordPlatform
import RecordSchema

/// Replaces everything personal in a bundle or container.
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
/// anonymised apart fit together. The result has the same records, references, hierarchies, types,
/// lengths, and for each user the same order of dates. It has no history of changes, and no members
/// that this version does not know.
public struct Anonymisation: Sendable {
  /// What happens to each field.
  public let policy: AnonymisationPolicy
  /// Reads the source and writes the bundle.
  public var archiver = Archiver()
  private let anonymiser: Anonymiser

  /// Creates an anonymisation.
  public init(_ policy: AnonymisationPolicy, key: AnonymisationKey) {
    self.policy = policy
    anonymiser = Anonymiser(policy, key)
  }

  /// Writes a bundle of what replaces the content of a source.
  ///
  /// - Parameters:
  ///   - source: A bundle or container. Responses must be imported first.
  ///   - path: The path of the bundle; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file.
  /// - Returns: What was changed, and what still looks personal.
  /// - Throws: ``AnonymisationError`` for fields without a rule, and for rules that do not fit;
  ///   `PlanError` for rules of types and fields that the source's schema does not have; the errors
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
  public var stage: ArchiveStage { .transform(ArchiveTransform(AnonymisationRun(anonymiser))) }

  /// Returns what replaces a record. The bytes of its assets are not known, so their new digests are
  /// not those of ``write(_:to:overwrite:)``.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - info: The metadata of its container, which names the signed-in user.
  /// - Throws: ``AnonymisationError``.
  public func anonymise(
    _ record: ResultRecord, of info: ContainerInfo = ContainerInfo()
  ) throws -> ResultRecord {
    var anonymiser = anonymiser
    anonymiser.currentUser = info.currentUserRecordName
    let tally = AnonymisationTally(anonymiser)
    let result = try tally.anonymise(record)
    guard tally.unnamed.isEmpty else { throw AnonymisationError.unnamed(tally.unnamed) }
    return result
  }

  private func run(of source: ArchiveSource) throws -> AnonymisationRun {
    let schema = try source.info().schema.map {
      try SchemaDocument(parsing: $0, name: source.name).validSchema()
    }
    let unknown = try schema.map { try policy.check(against: $0) } ?? []
    // A part may have none of the records that rules are for.
    guard archiver.filter == .all else { return AnonymisationRun(anonymiser) }
    return AnonymisationRun(
      anonymiser, unknown: unknown, named: schema == nil ? policy.namedFields : [])
  }
}
