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
    abstract: "Replace everything personal in a bundle or container by pseudonyms.",
    usage: """
      recordpack fixture anonymise <source> -o <output> --policy <file> [<options>]
      recordpack fixture anonymise <source> --policy <file> --preview <n>
      """,
    discussion: """
      Writes a bundle with the same records under other names, with other values.
      A policy decides what happens to each field: 'recordpack fixture policy' writes
      a first one. Names of records, users and zones get pseudonyms, participants
      other names and addresses, records other change tags, whatever the policy says;
      references and hierarchies hold. If the policy drops a type, references to its
      records are left out, too, and counted. Members that this version does not know,
      and the history of changes, are left out.

      Replacements depend on a key, in the file of --key-file or in the environment
      variable \(KeyInput.variable): 'recordpack fixture key' makes one. With the same
      key, a name gets the same pseudonym in every bundle; without it, nobody can
      tell what a value stands for. The result is pseudonymised, not anonymous: what
      the policy keeps stays, and so do the relations of records.

      A field that the policy does not name is an error, and nothing is written,
      unless --default or the policy's default says what to do. So is a rule that
      does not fit its field, or whose field does not exist. Encrypted values are
      always replaced. Nothing of the source is written to temporary files.

      Reports how many values of each field were replaced, and where a kept value
      looks personal: addresses, numbers of phones, cards and accounts, coordinates,
      dates, words and names that the source has elsewhere. The exit code is then 1,
      and also if the bytes of assets are missing. The policy settles a finding: it
      drops the field, or accepts the finding with a reason.

      At the end, the report says how many persons the source has, how many of them
      stand alone by what remains, and by what: kept values, the fields that records
      have, numbers of records, references. With --max-alone, more of them are an
      error with exit code 1. To compare the result with its source:
      'recordpack fixture check'.

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

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if more persons stand alone by what remains.", valueName: "n"))
  var maxAlone: Int?

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
    if let maxAlone, maxAlone < 0 {
      throw ValidationError("--max-alone must be at least 0, not \(maxAlone)")
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
    var policy = try self.policy.map(AnonymisationPolicy.init(argument:)) ?? AnonymisationPolicy()
    if let rule = self.default { policy.defaultRule = rule }
    var anonymisation = Anonymisation(policy, key: try key.key())
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
    let summary = AnonymisationSummary(result: result, name: output.name)
    if !progress.quiet { try report.tell(summary, onStandardError: output.isPiped) }
    try checkResult(summary)
  }

  /// Warns of values that look personal. Ends with exit code 1 if there are any, or if more persons stand
  /// alone than the caller allows.
  private func checkResult(_ summary: AnonymisationSummary) throws {
    summary.warn()
    let verdict = summary.result.verdict
    if let maxAlone, verdict.isCut || verdict.alone > maxAlone {
      ErrorReport.warn(
        verdict.isCut
          ? "there was too much to count all of it; --max-alone is not met for certain"
          : "\(Numbers.count(verdict.alone, "person stands", plural: "persons stand")) alone; "
            + "--max-alone allows \(maxAlone)")
      throw ExitCode.findings
    }
    if summary.result.hasFindings { throw ExitCode.findings }
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
    let advice = "To make one: recordpack fixture key -o key"
    do {
      if let keyFile {
        let key = try AnonymisationKey(contentsOf: URL(fileURLWithPath: keyFile))
        warn(ofReadersOf: keyFile)
        return key
      }
      guard let text = ProcessInfo.processInfo.environment[Self.variable] else {
        throw CommandError(
          "there is no key: name a file with --key-file, or set \(Self.variable). \(advice)")
      }
      return try AnonymisationKey(text)
    } catch AnonymisationError.key(let reason) {
      throw CommandError("\(keyFile ?? Self.variable): \(reason). \(advice)")
    }
  }

  /// Warns if others can read the key: they can confirm guesses.
  private func warn(ofReadersOf keyFile: String) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: keyFile)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let permissions = attributes?[.posixPermissions] as? Int, permissions & 0o044 != 0
    else { return }
    ErrorReport.warn("other users can read the key in '\(keyFile)': chmod 600 \(keyFile)")
  }
}

extension AnonymisationPolicy.Default: ExpressibleByArgument {}

extension AnonymisationPolicy {
  /// Reads a file; `-` is standard input.
  init(argument path: String) throws {
    let text = try Inputs.text(of: path, "a policy", atMost: Self.maxSize)
    try self.init(yaml: text, file: Inputs.name(path))
  }
}
