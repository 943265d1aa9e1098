import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordFixtures
import RecordModel
import RecordText

struct FixtureAnonymiseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymise",
    abstract: "Replace everything personal in a bundle or container.",
    usage: """
      recordpack fixture anonymise <source> -o <output> --policy <file> [<options>]
      recordpack fixture anonymise <source> --policy <file> --preview <n>
      """,
    discussion: """
      Writes a bundle with the same records under other names, with other values.
      A policy decides what happens to each field: 'recordpack fixture policy' writes
      a first one. Names of records, users and zones get pseudonyms, participants
      other names and addresses, records other change tags, whatever the policy says;
      references and hierarchies hold. Members that this version does not know, and
      the history of changes, are left out.

      Replacements depend on a key: at least 16 secret bytes, in the file of
      --key-file or in the environment variable \(KeyInput.variable). With the same
      key, a name gets the same pseudonym in every bundle; without it, nobody can
      tell what a value stands for. To make one:
      head -c 32 /dev/urandom | base64 > key

      A field that the policy does not name is an error, and nothing is written,
      unless --default or the policy's default says what to do. Encrypted values
      are always replaced. Nothing of the source is written to temporary files.

      Reports how many values of each field were replaced, and where a kept value
      looks personal: addresses, phone numbers, coordinates, dates, words of names
      that the source has elsewhere. The exit code is then 1, and also if the bytes
      of assets are missing.

      For each kept field, each pair of kept fields and all kept fields of a type
      together, the report counts the values that fewer than --k records have: they
      single out a record. With --max-rare, more of them are an error with exit code
      1. The report also counts the records that their direct references alone single
      out.

      --preview shows the first records before and after, and the counts of all
      records, and writes nothing. It does not read the bytes of assets, so their
      digests are others.

      EXAMPLES
        recordpack fixture anonymise Tact.sqlite --policy p.yml -o test.recordpack
        recordpack fixture anonymise Tact.sqlite --policy p.yml --preview 3
        recordpack fixture anonymise Tact.sqlite --default redact -o bare.recordpack
      """)

  @Argument(help: "A bundle or container.", completion: .file())
  var source: String

  @OptionGroup var output: BundleOutputOptions

  @Option(
    help: ArgumentHelp(
      "The policy, with a rule for each field; - is standard input.", valueName: "file"),
    completion: .file())
  var policy: String?

  @Option(
    help: ArgumentHelp(
      "Keep or redact fields that the policy does not name.", valueName: "rule"))
  var `default`: AnonymisationPolicy.Default?

  @OptionGroup var key: KeyInput

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show this many records before and after.", valueName: "n"))
  var preview: Int?

  @Option(help: ArgumentHelp("Count kept values in fewer records as rare.", valueName: "n"))
  var k = 5

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if a kept field, pair or type has more rare values.", valueName: "n"))
  var maxRare: Int?

  @Flag(help: "Show encrypted values in the preview.")
  var showEncrypted = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "BUNDLE") var file: BundleFileOptions
  @OptionGroup(title: "BUNDLE") var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    guard policy != nil || `default` != nil else {
      throw ValidationError(
        "name the rules with --policy, or all fields with --default; 'recordpack fixture policy' "
          + "writes a policy")
    }
    if source == "-" {
      throw ValidationError(
        "standard input would be stored in a temporary file as it is: write it to a file first")
    }
    try refuseSecondStandardInput([policy, key.keyFile])
    if k < 1 { throw ValidationError("--k must be at least 1, not \(k)") }
    if let maxRare, maxRare < 0 {
      throw ValidationError("--max-rare must be at least 0, not \(maxRare)")
    }
    if let preview {
      if preview < 1 { throw ValidationError("--preview must be at least 1, not \(preview)") }
      try refuse(
        output.given + [("--quiet", progress.quiet)] + file.given + threads.given,
        "to a preview, which writes nothing")
      return
    }
    try refuse([("--show-encrypted", showEncrypted)], "without --preview")
    try output.require(file)
  }

  func run() throws {
    let opened = try Inputs.source(source)
    var policy = AnonymisationPolicy()
    if let path = self.policy {
      let text = try Inputs.text(of: path, "a policy", atMost: AnonymisationPolicy.maxSize)
      policy = try AnonymisationPolicy(yaml: text, file: Inputs.name(path))
    }
    if let rule = self.default { policy.defaultRule = rule }
    var anonymisation = Anonymisation(policy, key: try key.key())
    anonymisation.smallestGroup = k
    anonymisation.archiver.filter = try selection.filter(in: [opened], progress.bar("reading"))
    if let preview {
      let printer = AnonymisationPreview(report: report, showEncrypted: showEncrypted)
      return try checkResult(printer.print(preview, of: opened, anonymisation))
    }
    try output.check(inputs: [source, self.policy, key.keyFile], file)
    let bar = progress.bar("anonymising")
    anonymisation.archiver.bundleOptions = file.options(threads)
    anonymisation.archiver.progress = { try bar.update($0) }
    let result = try Interruption.whileWriting {
      try anonymisation.write(opened, to: output.path, overwrite: output.force)
    }
    ProgressBar.clearLine()
    let summary = AnonymisationSummary(result: result, name: output.name, smallestGroup: k)
    if !progress.quiet { try report.tell(summary, onStandardError: output.isPiped) }
    try checkResult(summary)
  }

  /// Warns of values that look personal. Ends with exit code 1 if there are any, or if there are more
  /// rare values than the caller allows.
  private func checkResult(_ summary: AnonymisationSummary) throws {
    summary.warn()
    try checkRareValues(summary.result)
    if summary.result.hasFindings { throw ExitCode.findings }
  }

  private func checkRareValues(_ result: AnonymisationReport) throws {
    guard let maxRare else { return }
    if result.isCountCut {
      ErrorReport.warn("there was too much to count all values; --max-rare is not met for certain")
      throw ExitCode.findings
    }
    guard result.mostRareValues > maxRare else { return }
    let values = Numbers.count(result.mostRareValues, "value")
    ErrorReport.warn(
      "a kept field, or several together, have \(values) in fewer than "
        + "\(Numbers.count(k, "record")); --max-rare allows \(maxRare)")
    throw ExitCode.findings
  }
}

/// The key of an anonymisation.
struct KeyInput: ParsableArguments {
  /// The environment variable that has the key.
  static let variable = "RECORDPACK_KEY"

  @Option(
    help: ArgumentHelp(
      "The file with the key. (default: the variable \(Self.variable))", valueName: "file"),
    completion: .file())
  var keyFile: String?

  func key() throws -> AnonymisationKey {
    let advice = "To make one: head -c 32 /dev/urandom | base64 > key"
    do {
      if let keyFile { return try AnonymisationKey(contentsOf: URL(fileURLWithPath: keyFile)) }
      guard let text = ProcessInfo.processInfo.environment[Self.variable] else {
        throw CommandError(
          "there is no key: name a file with --key-file, or set \(Self.variable). \(advice)")
      }
      return try AnonymisationKey(text)
    } catch AnonymisationError.key(let reason) {
      throw CommandError("\(keyFile ?? Self.variable): \(reason). \(advice)")
    }
  }
}

extension AnonymisationPolicy.Default: ExpressibleByArgument {}
