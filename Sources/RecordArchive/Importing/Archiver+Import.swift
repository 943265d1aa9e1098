import MockCloud
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel

extension Archiver {
  /// Imports a bundle, or the part that ``filter`` lets pass, into a container, in one transaction.
  ///
  /// A record that comes twice, or is there already, and is the same to the last byte, counts once.
  ///
  /// - Returns: what was done.
  /// - Throws: ``ImportError`` for a conflict under the policy `.fail`; ``RecordValidationError``
  ///   for records that ``validation`` refuses; `BundleError` and `FrameError` for what is wrong with
  ///   the bundle; `MockContainerError`; what ``progress`` throws. The container is as it was then.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, into container: MockContainer
  ) throws -> ImportReport {
    try importBundles([bundle], into: container)
  }

  /// Imports a bundle into a new container file: the fastest way.
  ///
  /// - Parameter path: where the container will lie; nothing may lie there.
  /// - Throws: as ``importBundle(_:into:)``. Nothing lies at the path then.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, creating path: String
  ) throws -> ImportReport {
    try importBundles([bundle], creating: path)
  }

  /// Imports several bundles into a container, in one transaction; see
  /// ``importBundle(_:into:)``.
  ///
  /// What the first bundle says of the container counts, where the container does not say it.
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
  /// A bundle, and what carries its records to the schema version they are imported in.
  public struct MigratedBundle: Sendable {
    /// The bundle.
    public var bundle: BundleReader
    /// The migrations; nil where the bundle has that version already.
    public var migrator: Migrator?

    /// Makes a source.
    public init(_ bundle: BundleReader, with migrator: Migrator?) {
      self.bundle = bundle
      self.migrator = migrator
    }
  }

  /// Imports bundles of several schema versions into a container, in one transaction: all of them
  /// or nothing.
  ///
  /// Where a migration gives records other names or zones, references to them follow in all bundles
  /// that take the same migration. The ``filter`` is about records as they are in the bundles; the
  /// ``conflictPolicy`` and the ``validation`` are about what they become.
  ///
  /// - Returns: what was imported, and what the migrations of each bundle have done.
  /// - Throws: `MigrationError`, also where the bundles do not come out in one version and where two
  ///   records of a bundle would get one name; else as ``importBundle(_:into:)``.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], into container: MockContainer
  ) throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try ImportRun.run(inOneVersion(sources), into: .container(container), self)
  }

  /// Imports bundles of several schema versions into a new container file.
  ///
  /// - Parameter path: where the container will lie; nothing may lie there.
  @discardableResult
  public func importBundles(
    _ sources: [MigratedBundle], creating path: String
  ) throws -> (imported: ImportReport, migrations: [MigrationReport?]) {
    try ImportRun.run(inOneVersion(sources), into: .creating(path), self)
  }

  /// Refuses sources of several schema versions: their records do not belong into one container.
  private func inOneVersion(
    _ sources: [MigratedBundle]
  ) throws -> [(source: ArchiveSource, migrator: Migrator?)] {
    if sources.isEmpty { throw BundleError(.notFound, in: "the sources", "no bundle was named") }
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
    // The writer knows the closure, and the import the writer.
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
  /// Both sides in words.
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
