import Foundation
import RecordArchive
import RecordBundle
import RecordMigration
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

  /// What is wrong, and what to do.
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

/// The secret on which all pseudonyms depend.
///
/// With the same key, a name gets the same pseudonym in every bundle. The name cannot be computed
/// from the pseudonym without the key.
public struct AnonymisationKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The smallest number of bytes of a key.
  public static let minimumSize = 16
  /// The largest number of bytes of a key.
  public static let maximumSize = 4096

  private let bytes: [UInt8]

  /// Creates a key of secret bytes, such as 32 random ones.
  ///
  /// - Throws: ``AnonymisationError/key(_:)`` for less than ``minimumSize`` bytes.
  public init(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count >= Self.minimumSize else {
      throw AnonymisationError.key(
        "the key has \(bytes.count) bytes, and needs at least \(Self.minimumSize)")
    }
    guard bytes.count <= Self.maximumSize else {
      throw AnonymisationError.key(
        "the key has more than \(Self.maximumSize) bytes; it is probably another file")
    }
    self.bytes = Array(bytes)
  }

  /// Creates a key of the UTF-8 bytes of a text. White space at its end does not count.
  public init(_ text: String) throws {
    try self.init(Self.trimmed(Array(text.utf8)))
  }

  /// Reads a key from a file. White space at its end does not count.
  ///
  /// - Throws: ``AnonymisationError/key(_:)`` if the file cannot be read, or is no key.
  public init(contentsOf url: URL) throws {
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      data = try handle.read(upToCount: Self.maximumSize + 2) ?? Data()
    } catch {
      let reason = String(cString: strerror(errno))
      throw AnonymisationError.key("the key cannot be read: \(reason)")
    }
    try self.init(Self.trimmed(Array(data)))
  }

  /// The same secret in a file and in the environment, where no line feed follows it, is one key.
  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<((bytes.lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? -1) + 1)])
  }

  /// Returns the keyed hash for a purpose; those of different purposes are independent.
  func hash(for purpose: String) -> SipHash {
    let label = Array("recordpack-anonymise-1:\(purpose)".utf8)
    let digest = label.withUnsafeBytes { label in
      bytes.withUnsafeBytes { SHA256.authenticate(label, key: $0) }
    }
    return digest.withBytes {
      SipHash(
        low: UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)),
        high: UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  /// Does not show the key.
  public var description: String { "AnonymisationKey" }
  /// Does not show the key.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
