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
      What happens to each field, the policy says: 'recordpack fixture policy'
      writes a first one. Names of records, users and zones get pseudonyms,
      participants other names and addresses, whatever the policy says; references
      and hierarchies hold. Members of lines that this version does not know, and
      the history of changes, are left out.

      Replacements depend on a key: at least 16 secret bytes, in the file of
      --key-file or in the environment variable \(KeyInput.variable). With the same
      key, a person gets the same pseudonym in every bundle; without it, nobody can
      tell whom it stands for. To make one: head -c 32 /dev/urandom | base64 > key

      A field that the policy does not name is an error, and nothing is written,
      unless --default or the policy's default says what to do. Encrypted values
      are always replaced. Nothing of the source is written to temporary files.

      Reports how many values of each field were replaced, and where a value that
      was kept looks personal: email addresses, phone numbers, words of names that
      the source has elsewhere. The exit code is then 1; so it is if the bytes of
      assets are missing.

      --preview shows the first records before and after, and writes nothing.

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
      "What happens to each field; - is standard input.", valueName: "file"),
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
    anonymisation.archiver.filter = try selection.filter(in: [opened], progress.bar("reading"))
    if let preview {
      let printer = AnonymisationPreview(report: report, showEncrypted: showEncrypted)
      return try printer.print(preview, of: opened, anonymisation)
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
    summary.warn()
    if result.hasFindings { throw ExitCode.findings }
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
