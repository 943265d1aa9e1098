import AppStores
import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding
import RecordFixtures
import RecordPlatform
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

      With --into, fills a copy of the store of an app with Core Data or SwiftData, as
      'recordpack export --to core-data' does. Of an inheritance tree, the objects are
      of the first entity that is not abstract. Values of the app's own types, which
      only the app can encode, are those of the store's objects.

      EXAMPLES
        recordpack fixture generate --schema schema.ckdb -o few.recordpack
        recordpack fixture generate --schema schema.ckdb --per-type 9 -o nine
        recordpack fixture generate --schema s.ckdb --recipe r.yaml --seed 42 -o r
        recordpack fixture generate --schema App/Models -o books.recordpack
        recordpack fixture generate --schema E.store --into E.store -o Seed.store
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

  @OptionGroup var target: StoreFillOptions
  @OptionGroup var output: BundleOutputOptions
  @OptionGroup(title: "BUNDLE") var file: BundleFileOptions
  @OptionGroup(title: "BUNDLE") var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try output.require(file)
    try refuse([("--per-type", number.isGiven)], when: recipe != nil, "with --recipe")
    try refuseSecondStandardInput([schema, recipe])
    try target.check(output.path)
    if target.into != nil { try refuse(file.given + threads.given, "to a store") }
  }

  func run() throws {
    try output.check(inputs: [schema, recipe, target.into], file)
    let document = try SchemaInput.whole(schema, models)
    var generation = try Generation(
      schema: document.schema, recipe: try readRecipe(document),
      seed: seed ?? Generation.defaultSeed)
    generation.bundleOptions = file.options(threads)
    let bar = progress.bar("generating")
    generation.progress = { try bar.update($0) }
    if let store = target.into { return try fill(store, with: generation) }
    let result = try Interruption.whileWriting {
      try generation.write(to: output.path, overwrite: output.force)
    }
    ProgressBar.clearLine()
    if progress.quiet { return }
    try report.tell(
      GenerationSummary(result: result, seed: generation.seed), onStandardError: output.isPiped)
  }

  /// Fills a copy of a store with the records, which a temporary bundle has.
  private func fill(_ store: String, with generation: Generation) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let bundle = folder.file("made.recordpack")
    var archiver = Archiver()
    archiver.takesValuesOfStore = true
    let bar = progress.bar("filling")
    archiver.progress = { try bar.update($0) }
    let result = try Interruption.whileWriting {
      _ = try folder.whileWriting { try generation.write(to: bundle) }
      return try archiver.run(
        from: [.bundle(BundleReader(path: bundle))],
        into: .appStore(template: store, path: output.path, overwrite: output.force))
    }
    ProgressBar.clearLine()
    if progress.quiet { return }
    try report.tell(
      FilledStoreReport(store: result.store, name: output.path), onStandardError: false)
  }

  private func readRecipe(_ schema: SchemaDocument) throws -> FixtureRecipe {
    guard let recipe else {
      return FixtureRecipe(for: schema.schema, schema.model, records: number.count)
    }
    let text = try Inputs.text(of: recipe, "a recipe", atMost: FixtureRecipe.maxSize)
    return try FixtureRecipe(yaml: text, file: Inputs.name(recipe))
  }
}

private struct FilledStoreReport: CommandReport {
  static let format = "fixture-generate"
  let store: FilledStore
  let name: String

  func lines(_ style: TerminalStyle) -> [String] { [store.text(name).visible] }

  var json: JSONValue { store.json(name) }
}

private struct GenerationSummary: CommandReport {
  static let format = "fixture-generate"
  let result: GenerationReport
  let seed: UInt64

  private var counts: [(key: String, value: Int)] { result.counts.sorted { $0.key < $1.key } }

  func lines(_ style: TerminalStyle) -> [String] {
    var text = "Generated \(Numbers.count(result.records, "record")) to \(result.bundle.fileText)"
    if !counts.isEmpty {
      text += ": " + counts.map { "\(Numbers.grouped($0.value)) \($0.key)" }.joined(separator: ", ")
    }
    if result.assets > 0 { text += "; \(Numbers.count(result.assets, "asset"))" }
    if result.valuesLeftOut > 0 {
      text += "; left out \(Numbers.count(result.valuesLeftOut, "value"))"
      text += " of records that would be too large"
    }
    return [(text + "; seed \(seed), content hash \(result.contentHash)").visible]
  }

  var json: JSONValue {
    let files = result.bundle.files.map { file -> JSONValue in
      ["path": file.path, "bytes": file.size]
    }
    let types = counts.map { type, count -> JSONValue in ["recordType": type, "records": count] }
    return [
      "files": files, "seed": seed, "contentHash": result.contentHash, "records": result.records,
      "recordTypes": types, "assets": result.assets, "valuesLeftOut": result.valuesLeftOut,
      "bytes": result.bundle.size,
    ]
  }
}
