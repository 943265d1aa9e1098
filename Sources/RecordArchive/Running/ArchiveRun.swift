import Foundation
import RecordBundle
import RecordCoding
import RecordMigration
import RecordSchema
import RecordStore

/// The sources and stages of a run.
struct ArchiveRun {
  typealias Source = (source: ArchiveSource, migrator: Migrator?)
  typealias Validation = Archiver.Validation

  private let archiver: Archiver
  private let sources: [Source]
  /// The validations of the sources, if they are then migrated.
  private var before: [Validation] = []
  /// The validations of the results.
  private var after: [Validation] = []

  init(_ archiver: Archiver, _ sources: [ArchiveSource], _ stages: [ArchiveStage]) throws {
    guard !sources.isEmpty else {
      throw ArchiveError.unsupported("no source was given")
    }
    var choose: (@Sendable (ArchiveSource) throws -> Migrator?)?
    for stage in stages {
      switch stage {
      case .validate(let validation): after.append(validation)
      // Runs with one are made of runs without.
      case .transform: break
      case .migrate(let migrator):
        guard choose == nil else {
          throw ArchiveError.unsupported(
            "a run can migrate once; create one Migrator of all migrations")
        }
        choose = migrator
        (before, after) = (after, [])
      }
    }
    self.archiver = archiver
    self.sources = try sources.map { ($0, try choose?($0)) }
  }

  /// Throws if the sources would end in different schema versions.
  private func checkVersions() throws {
    guard sources.count > 1 else { return }
    var known: (version: String, name: String)?
    for (source, migrator) in sources {
      guard let version = try migrator?.migrations.last?.to ?? source.info().schemaVersion
      else { continue }
      let name = source.name
      if let known, !Migration.isSameVersion(known.version, version) {
        throw MigrationError(
          .invalid,
          "'\(known.name)' would be imported in the schema version '\(known.version)', and '\(name)' "
            + "in '\(version)'. Nothing was written")
      }
      known = known ?? (version, name)
    }
  }

  func run(into destination: ArchiveDestination) throws -> ArchiveResult {
    try sortResponses(for: destination)
    if sources.contains(where: { $0.migrator != nil }) { try checkVersions() }
    for (source, _) in sources {
      for validation in before { try source.read { _ = try validation.check($0, archiver) } }
    }
    switch destination {
    case .newContainer(let path):
      return try ImportRun.run(sources, into: .creating(path), archiver, after)
    case .container(let container):
      return try ImportRun.run(sources, into: .container(container.store), archiver, after)
    case .bundle(let path, let overwrite):
      // Results are validated while they are imported.
      guard sources.count == 1, after.isEmpty || sources[0].migrator == nil else {
        return try merged { try $0.run(into: destination) }
      }
      return try sources[0].source.read { reader in
        try writeBundle(of: reader, sources[0].migrator, to: path, overwrite)
      }
    case .response(let dialect, let path, let overwrite):
      return try FrameOutput.write(to: path, overwrite: overwrite) { sink in
        try writeResponse(dialect) { data in try data.withUnsafeBytes(sink.write) }
      }
    case .responseText(let dialect, let output): return try writeResponse(dialect, output)
    case .appStore(let template, let path, let overwrite):
      return try reading { archiver, reader, result in
        result.store = try archiver.fillStore(template, from: reader, as: path, overwrite)
      }
    }
  }

  /// Sorts responses, unless they are imported as they come.
  private func sortResponses(for destination: ArchiveDestination) throws {
    let isImport =
      switch destination {
      case .newContainer, .container: true
      case .bundle, .response, .responseText, .appStore: false
      }
    for case (.responses(let responses), let migrator) in sources
    where !isImport || migrator != nil || !before.isEmpty {
      try responses.sort(progress: archiver.progress)
    }
  }

  private func writeBundle(
    of reader: ArchiveReader, _ migrator: Migrator?, to path: String, _ overwrite: Bool
  ) throws -> ArchiveResult {
    var info = try reader.info()
    for validation in after {
      let report = try validation.check(reader, archiver)
      if let growth = report.extendedSchema { info.schema = SchemaPrinter().print(growth.schema) }
    }
    let job = try migrator.map { try SourceMigration.prepared(reader, $0, archiver) }
    let export = try BundleExport(
      archiver, reader, job, info: job?.info ?? info, to: path, overwrite: overwrite)
    var result = ArchiveResult()
    result.bundle = try export.run()
    result.migrations = [export.report]
    result.damage = try reader.damagedMetadata().map(\.description)
    return result
  }

  private func writeResponse(
    _ dialect: ResponseDialect, _ output: @escaping (Data) throws -> Void
  ) throws -> ArchiveResult {
    try reading { archiver, reader, result in
      result.response = try archiver.writeResponse(of: reader, dialect, output)
      result.damage = try reader.damagedMetadata().map(\.description)
    }
  }

  /// Calls `write` with a reader of the results, and the archiver that writes them.
  private func reading(
    _ write: (Archiver, ArchiveReader, inout ArchiveResult) throws -> Void
  ) throws -> ArchiveResult {
    guard sources.count == 1, sources[0].migrator == nil else {
      return try merged { try $0.reading(write) }
    }
    return try sources[0].source.read { reader in
      for validation in after { _ = try validation.check(reader, archiver) }
      var result = ArchiveResult()
      try write(archiver, reader, &result)
      return result
    }
  }

  /// Imports the sources into a temporary container, and calls `write` with a run that reads it.
  private func merged(_ write: (ArchiveRun) throws -> ArchiveResult) throws -> ArchiveResult {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.file("merged.sqlite")
    // Sorted responses are one source, whose later responses are newer.
    let sorted = try sources.map { source, migrator -> Source in
      guard case .responses(let responses) = source else { return (source, migrator) }
      return (.container(try responses.container()), migrator)
    }
    var result = try folder.whileWriting {
      try ImportRun.run(sorted, into: .creating(path), archiver, after)
    }
    result.imported = ImportReport()
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    var all = archiver
    all.filter = .all
    let written = try write(ArchiveRun(all, [.container(container)], []))
    (result.bundle, result.response, result.store) = (
      written.bundle, written.response, written.store
    )
    return result
  }
}

extension Archiver {
  /// Runs with the records that meet ``condition``; nil if that is what an export to a bundle does.
  ///
  /// The records of all other runs are first written to a temporary bundle.
  func runCondition(
    from sources: [ArchiveSource], through stages: [ArchiveStage],
    into destination: ArchiveDestination
  ) throws -> ArchiveResult? {
    guard condition != nil else { return nil }
    if stages.isEmpty, sources.count == 1, case .bundle = destination { return nil }
    var (errors, damage): ([String], [String]) = ([], [])
    var result = try run(from: sources, through: stages, into: destination) {
      archiver, source, path in
      let written = try archiver.run(from: [source], into: .bundle(path: path, overwrite: false))
      errors += written.responseErrors
      damage += written.damage
    }
    (result.responseErrors, result.damage) = (errors, damage)
    return result
  }

  /// Writes each source to a temporary bundle, and runs with all records of the bundles.
  private func run(
    from sources: [ArchiveSource], through stages: [ArchiveStage],
    into destination: ArchiveDestination,
    writing write: (Archiver, ArchiveSource, _ path: String) throws -> Void
  ) throws -> ArchiveResult {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var fast = self
    fast.bundleOptions.splitSize = nil
    let bundles = try sources.enumerated().map { number, source -> ArchiveSource in
      let path = folder.file("\(number).recordpack")
      try folder.whileWriting { try write(fast, source, path) }
      return .bundle(try BundleReader(path: path))
    }
    var rest = self
    (rest.filter, rest.condition) = (.all, nil)
    return try rest.run(from: bundles, through: stages, into: destination)
  }

  /// Runs stages of which one replaces everything; nil if none does.
  ///
  /// Replaced items are written straight to a bundle; for all other destinations, and for further
  /// stages, they are first written to a temporary one.
  func runTransform(
    from sources: [ArchiveSource], through stages: [ArchiveStage],
    into destination: ArchiveDestination
  ) throws -> ArchiveResult? {
    guard let index = stages.firstIndex(where: \.isTransform),
      case .transform(let transform) = stages[index]
    else { return nil }
    let rest = Array(stages[(index + 1)...])
    let validations = try stages[..<index].map { stage -> Validation in
      if case .validate(let validation) = stage { return validation }
      throw ArchiveError.unsupported("migrate the sources first, and replace the results")
    }
    guard !rest.contains(where: \.isTransform) else {
      throw ArchiveError.unsupported("a run can replace its records once")
    }
    for source in sources {
      if case .responses = source {
        // They would be sorted in a temporary file as they are.
        throw ArchiveError.unsupported("import '\(source.name)' first, and replace the result")
      }
      for validation in validations { try source.read { _ = try validation.check($0, self) } }
    }
    if rest.isEmpty, sources.count == 1, case .bundle(let path, let overwrite) = destination {
      var result = ArchiveResult()
      result.bundle = try sources[0].read {
        try TransformedExport(self, $0, transform.content).run(to: path, overwrite: overwrite)
      }
      return result
    }
    return try run(from: sources, through: rest, into: destination) { archiver, source, path in
      _ = try source.read {
        try TransformedExport(archiver, $0, transform.content).run(to: path, overwrite: false)
      }
    }
  }
}

extension ArchiveStage {
  fileprivate var isTransform: Bool { if case .transform = self { true } else { false } }
}
