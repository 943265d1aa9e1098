import MockCloud
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel

extension Archiver {
  /// Imports a bundle, or the part that passes ``filter``, into a container, in one transaction.
  ///
  /// A record that occurs twice, or exists already, with equal bytes is counted once.
  ///
  /// - Returns: The counts of the import.
  /// - Throws: ``ImportError`` for a conflict under the policy `.fail`; ``RecordValidationError``
  ///   for records that fail ``validation``; `BundleError` and `FrameError` for an invalid bundle;
  ///   `MockContainerError`; what ``progress`` throws. The container is then unchanged.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, into container: MockContainer
  ) throws -> ImportReport {
    try importBundles([bundle], into: container)
  }

  /// Imports a bundle into a new container file. Faster than an import into an existing container.
  ///
  /// - Parameters:
  ///   - bundle: The bundle.
  ///   - path: The path of the container, where no file may exist.
  /// - Throws: The errors of `importBundle(_:into:)`. No file is created then.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, creating path: String
  ) throws -> ImportReport {
    try importBundles([bundle], creating: path)
  }

  /// Imports several bundles into a container, in one transaction; see `importBundle(_:into:)`.
  ///
  /// Info that the container lacks is set from the first bundle that has it.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], into container: MockContainer
  ) throws -> ImportReport {
    try ImportRun.run(bundles.map { (.bundle($0), nil) }, into: .container(container), self)
      .imported
  }

  /// Imports several bundles into a new container file.
  @discardableResult
  public func importBundles(
    _ bundles: [BundleReader], creating path: String
  ) throws -> ImportReport {
    try ImportRun.run(bundles.map { (.bundle($0), nil) }, into: .creating(path), self).imported
  }
}

// MARK: - Several schema versions

extension Archiver {
  /// A bundle, and the migrations to the schema version of the import.
  public struct MigratedBundle: Sendable {
    /// The bundle.
    public var bundle: BundleReader
    /// The migrations; nil if the bundle already has that version.
    public var migrator: Migrator?

    /// Creates a bundle with its migrations.
    public init(_ bundle: BundleReader, with migrator: Migrator?) {
      self.bundle = bundle
      self.migrator = migrator
    }
  }

  /// Imports bundles of several schema versions into a container, in one transaction.
  ///
  /// If a migration renames or moves records, references to them are updated in all bundles with
  /// the same migration. ``filter`` applies to the records before the migration, ``conflictPolicy``
  /// and ``validation`` after it.
  ///
  /// - Returns: The counts of the import, and the report of each bundle's migration.
  /// - Throws: `MigrationError`, also if the bundles would not end in the same version or two
  ///   records of a bundle would get the same name; the errors of `importBundle(_:into:)`.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], into container: MockContainer
  ) throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try ImportRun.run(inOneVersion(sources), into: .container(container), self)
  }

  /// Imports bundles of several schema versions into a new container file.
  ///
  /// - Parameters:
  ///   - sources: The bundles with their migrations.
  ///   - path: The path of the container, where no file may exist.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], creating path: String
  ) throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try ImportRun.run(inOneVersion(sources), into: .creating(path), self)
  }

  /// Throws if the bundles would be imported in different schema versions.
  private func inOneVersion(
    _ sources: [MigratedBundle]
  ) throws -> [(source: ArchiveSource, migrator: Migrator?)] {
    if sources.isEmpty { throw BundleError(.notFound, in: "the sources", "no bundle was given") }
    var known: (version: String, name: String)?
    for source in sources {
      guard
        let version = source.migrator?.migrations.last?.to ?? source.bundle.container.schemaVersion
      else { continue }
      let name = source.bundle.fileNames.first ?? "a bundle"
      if let known, !Migration.isSameVersion(known.version, version) {
        throw MigrationError.invalid(
          "'\(known.name)' would be imported in the schema version '\(known.version)', and '\(name)' "
            + "in '\(version)'. Nothing was written")
      }
      known = known ?? (version, name)
    }
    return sources.map { (.bundle($0.bundle), $0.migrator) }
  }
}

// MARK: - Transactions

extension Archiver {
  func transaction(
    into container: MockContainer, _ body: (ContainerImport) throws -> Void
  ) throws -> ImportReport {
    try filling(body) { resolve, fill in
      try container.importTransaction(onConflict: resolve, fill)
    }
  }

  func build(
    _ path: String, _ info: ContainerInfo, _ body: (ContainerImport) throws -> Void
  ) throws -> ImportReport {
    try filling(body) { resolve, fill in
      try MockContainer.build(path: path, info: info, onConflict: resolve, fill)
    }
  }

  private typealias Resolve = (ImportConflict) throws -> ImportConflict.Resolution
  private typealias Filled = (ContainerImport, ContainerWriter)

  private func filling(
    _ body: (ContainerImport) throws -> Void,
    _ write: (@escaping Resolve, (ContainerWriter) throws -> Filled) throws -> Filled
  ) throws -> ImportReport {
    var current: ContainerImport?
    // Breaks the reference cycle: the writer retains the closure, the import the writer.
    defer { current = nil }
    let (target, writer) = try withoutActuallyEscaping(body) { body in
      try write({ try resolve($0, in: current) }) { writer in
        let target = ContainerImport(archiver: self, writer: writer)
        current = target
        try body(target)
        return (target, writer)
      }
    }
    return target.finish(writer.counts)
  }

  private func resolve(
    _ conflict: ImportConflict, in target: ContainerImport?
  ) throws -> ImportConflict.Resolution {
    try target?.refuseCollision(conflict)
    switch conflictPolicy {
    case .keep: return .keepExisting
    case .replace: return .replace
    case .fail: throw ImportError.conflict(conflict.named)
    }
  }
}

extension ImportConflict {
  /// Both sides as text.
  fileprivate var named: ImportError.RecordConflict {
    let reader = RecordJSONReader()
    let ours = try? reader.read(existing)
    let theirs = try? reader.read(incoming)
    var fields: [String] = []
    if let ours, let theirs {
      fields = RecordDifference(from: ours, to: theirs).fields.map(\.name)
    }
    return ImportError.RecordConflict(
      database: scope, recordID: recordID, existing: Self.describe(ours, existingType),
      incoming: Self.describe(theirs, incomingType), differingFields: fields)
  }

  private static func describe(_ record: ResultRecord?, _ type: String) -> String {
    let tag = record?.recordChangeTag.map { ", change tag \($0)" } ?? ""
    let date = record?.modificationDate.map { ", modified \($0.inWords)" } ?? ""
    return "a '\(type)'\(tag)\(date)"
  }
}
