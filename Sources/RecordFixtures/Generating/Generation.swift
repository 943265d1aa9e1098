import RecordArchive
import RecordBundle
import RecordMigration
import RecordModel
import RecordPlatform
import RecordSchema

/// Makes records for a schema: as many as are wanted, the same for the same seed.
///
/// ```swift
/// let generation = try Generation(schema: schema, seed: 42)
/// let report = try generation.write(to: "chats.recordpack")
/// print(report.records, report.contentHash)
/// ```
///
/// The result is a bundle whose records the production server would accept. References refer to
/// records of the bundle, children are created after their parents, and everything follows from the
/// schema, the recipe and the seed: there is no clock, and the number of threads changes nothing. The
/// same seed gives the same content hash on every machine, and with every later version of
/// RecordPack.
///
/// Records are made in the order of the bundle, each from a seed of its own, so that memory does not
/// depend on their number.
public struct Generation: Sendable {
  /// The seed of tests and examples that name none.
  public static let defaultSeed: UInt64 = 1

  /// The schema that the records fit.
  public let schema: CloudSchema
  /// What is made.
  public let recipe: FixtureRecipe
  /// The number that everything random follows from.
  public let seed: UInt64
  /// The compression and the number of threads.
  public var bundleOptions = BundleWriter.Options()
  /// Called periodically. If it throws, the call ends with that error and writes nothing.
  public var progress: (@Sendable (ArchiveProgress) throws -> Void)?

  let layout: GenerationLayout

  /// Creates a generation.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - recipe: What is made; nil for a few records of each type.
  ///   - seed: The number that everything random follows from.
  /// - Throws: `PlanError`, with line and column, if the recipe does not fit the schema.
  public init(
    schema: CloudSchema, recipe: FixtureRecipe? = nil, seed: UInt64 = defaultSeed
  ) throws {
    self.schema = schema
    self.recipe = recipe ?? FixtureRecipe(for: schema)
    self.seed = seed
    layout = try GenerationLayout(self.recipe, schema, seed: seed)
  }

  /// The number of records of each type, without shares.
  public var counts: [String: Int] {
    layout.sections.reduce(into: [:]) { $0[$1.type.name, default: 0] += $1.count }
  }

  /// Writes the records as a bundle.
  ///
  /// - Parameters:
  ///   - path: The path of the bundle; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file.
  /// - Throws: The errors of writing a bundle; `PlanError` if an expression of the recipe has no
  ///   value for a record. An existing file is then unchanged.
  @discardableResult
  public func write(to path: String, overwrite: Bool = true) throws -> GenerationReport {
    try GenerationRun(self).write(to: path, overwrite: overwrite)
  }
}
