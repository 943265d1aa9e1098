import RecordBundle
import RecordMigration
import RecordModel
import RecordStore

extension Archiver {
  /// Runs stages of which one replaces everything; nil if none does.
  ///
  /// What is replaced is written straight to a bundle; for all other destinations, and for further
  /// stages, it is first written to a temporary one.
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
      throw MigrationError.invalid("migrate the sources first, and replace the results")
    }
    guard !rest.contains(where: \.isTransform) else {
      throw MigrationError.invalid("a run can replace its records once")
    }
    for source in sources {
      if case .responses = source {
        // They would be sorted in a temporary file as they are.
        throw MigrationError.invalid("import '\(source.name)' first, and replace the result")
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
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var fast = self
    fast.bundleOptions.splitSize = nil
    let bundles = try sources.enumerated().map { number, source -> ArchiveSource in
      let path = folder.file("\(number).recordpack")
      _ = try folder.whileWriting {
        try source.read {
          try TransformedExport(fast, $0, transform.content).run(to: path, overwrite: false)
        }
      }
      return .bundle(try BundleReader(path: path))
    }
    var all = self
    all.filter = .all
    return try all.run(from: bundles, through: rest, into: destination)
  }
}

extension ArchiveStage {
  fileprivate var isTransform: Bool { if case .transform = self { true } else { false } }
}
