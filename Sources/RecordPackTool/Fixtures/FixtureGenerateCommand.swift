import ArgumentParser
import RecordCoding
import RecordFixtures
import RecordSchema
import RecordText

struct FixtureGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Make records for a schema, the same for the same seed.",
    discussion: """
      Writes a bundle with records that the production server would accept. With a
      schema alone, makes a few records of each type, with a value in each field that
      suits its name and type. A recipe says how many records there are, which type
      is below which, and how values are made; 'recordpack fixture recipe' writes one
      to start from.

      The same schema, recipe and seed give the same content hash on every machine,
      with any number of threads, and with later versions of RecordPack. Without
      --seed, the seed is \(Generation.defaultSeed). There is no clock: records are created after the
      reference date of the recipe.

      The schema may also be a git revision (main:a.ckdb), a bundle or a container.

      EXAMPLES
        recordpack fixture generate --schema schema.ckdb -o few.recordpack
        recordpack fixture generate --schema schema.ckdb --records 9 -o nine
        recordpack fixture generate --schema s.ckdb --recipe r.yaml --seed 42 -o r
        recordpack fixture generate --schema s.ckdb -o - | recordpack verify -
      """)

  @Option(
    help: ArgumentHelp("The schema that the records fit.", valueName: "schema"),
    completion: .file(extensions: ["ckdb"]))
  var schema: String

  @Option(
    help: ArgumentHelp("The recipe: a YAML file; - is standard input.", valueName: "recipe"),
    completion: .file(extensions: ["yaml", "yml"]))
  var recipe: String?

  @Option(
    help: ArgumentHelp(
      "The number that everything random follows from. (default: \(Generation.defaultSeed))",
      valueName: "seed"))
  var seed: UInt64?

  @OptionGroup var number: RecordNumberOption

  @Option(
    name: [.short, .long], help: "The bundle to write; - is standard output.",
    completion: .file())
  var output: String

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @OptionGroup(title: "BUNDLE") var file: BundleFileOptions
  @OptionGroup(title: "BUNDLE") var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    if output == "-" {
      try refuse(
        [("--force", force), ("--split-size", file.splitSize != nil)], "to standard output")
    }
    try refuse([("--records", number.isGiven)], when: recipe != nil, "with --recipe")
    try refuseSecondStandardInput([schema, recipe])
  }

  func run() throws {
    try Inputs.refuseOverwriting(
      [schema] + [recipe].compactMap { $0 },
      by: [.init(path: output, isSplit: file.splitSize != nil)])
    try Inputs.refuseTerminal(output)
    let schema = try SchemaInput.valid(schema, .text).schema
    var generation = try Generation(
      schema: schema, recipe: try readRecipe(schema), seed: seed ?? Generation.defaultSeed)
    generation.bundleOptions = file.options(threads)
    let bar = progress.bar("generating")
    generation.progress = { try bar.update($0) }
    let result = try Interruption.whileWriting {
      try generation.write(to: output, overwrite: force)
    }
    ProgressBar.clearLine()
    try tell(result, seed: generation.seed)
  }

  private func readRecipe(_ schema: CloudSchema) throws -> FixtureRecipe {
    guard let recipe else {
      return FixtureRecipe(for: schema, records: number.count)
    }
    let (text, name) = try TextFile.read(recipe, atMost: FixtureRecipe.maxSize, "a recipe")
    return try FixtureRecipe(yaml: text, file: name)
  }

  // MARK: Output

  private func tell(_ result: GenerationReport, seed: UInt64) throws {
    if progress.quiet { return }
    let counts = result.counts.sorted { $0.key < $1.key }
    let line = report.isJSON ? json(result, counts, seed).visibleText : text(result, counts, seed)
    try report.tell([line], onStandardError: output == "-")
  }

  private func text(
    _ result: GenerationReport, _ counts: [(key: String, value: Int)], _ seed: UInt64
  ) -> String {
    var name = result.bundle.files.first?.path ?? output
    if result.bundle.files.count > 1, let last = result.bundle.files.last?.path {
      name = "\(result.bundle.files.count) files, \(name) to \(last)"
    }
    var text = "Generated \(Numbers.count(result.records, "record")) to \(name)"
    if !counts.isEmpty {
      text += ": " + counts.map { "\(Numbers.grouped($0.value)) \($0.key)" }.joined(separator: ", ")
    }
    if result.assets > 0 { text += "; \(Numbers.count(result.assets, "asset"))" }
    return (text + "; seed \(seed), content hash \(result.contentHash)").visible
  }

  private func json(
    _ result: GenerationReport, _ counts: [(key: String, value: Int)], _ seed: UInt64
  ) -> JSONValue {
    ReportOptions.document(
      "fixture-generate",
      [
        .init(
          "files",
          .array(
            result.bundle.files.map {
              .object([.init("path", .string($0.path)), .init("bytes", .integer($0.size))])
            })),
        .init("seed", .integer(seed)), .init("contentHash", .string(result.contentHash)),
        .init("records", .integer(result.records)),
        .init(
          "recordTypes",
          .array(
            counts.map {
              .object([.init("recordType", .string($0.key)), .init("records", .integer($0.value))])
            })),
        .init("assets", .integer(result.assets)), .init("bytes", .integer(result.bundle.size)),
      ])
  }
}
