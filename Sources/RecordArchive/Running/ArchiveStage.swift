import RecordMigration

/// What a run does with records between its sources and its destination.
public enum ArchiveStage: Sendable {
  /// Migrates the records of each source by the migrator that the function returns for it; nil if
  /// the source already has the schema version of the run.
  case migrate(@Sendable (ArchiveSource) throws -> Migrator?)
  /// Validates the records against a schema. If they fail, the run throws ``RecordValidationError``
  /// and writes nothing. After a migration, its results are validated.
  case validate(Archiver.Validation)
  /// Replaces everything in the sources, such as an anonymisation. Before it, a run can validate;
  /// temporary files contain only what was replaced.
  case transform(ArchiveTransform)

  /// Migrates the records of all sources.
  public static func migrate(with migrator: Migrator) -> Self { .migrate { _ in migrator } }
}
