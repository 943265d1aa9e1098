import ArgumentParser
import RecordArchive
import RecordCoding
import RecordFixtures
import RecordModel
import RecordText

struct FixturePolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy",
    abstract: "Write a first policy for 'recordpack fixture anonymise'.",
    discussion: """
      Reads the schema and the values of a bundle or container, and writes a rule for
      each field: a guess from its type, its name and its values. What looks personal
      has a comment. The policy contains names of types and fields, and no values.
      Read it before you use it.

      EXAMPLES
        recordpack fixture policy Tact.sqlite -o policy.yml
        recordpack fixture policy Tact.recordpack
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @Option(
    name: [.short, .long], help: "The file to write. (default: standard output)",
    completion: .file())
  var output: String?

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @OptionGroup var report: ReportOptions

  func validate() throws {
    if output == nil || output == "-" { try refuse([("--force", force)], "to standard output") }
    try refuse([("--color", report.color == .always)], "to a policy, which has no colours")
  }

  func run() throws {
    let draft = try PolicyDraft(of: Inputs.source(source))
    if let output, output != "-" {
      try Inputs.refuseOverwriting([source], by: [.init(path: output, isSplit: false)])
      try TextFile.write(draft.yaml, to: output, overwrite: force)
      if report.isJSON { try report.tell([document(draft).visibleText]) }
      return
    }
    try ReportOptions.write([
      report.isJSON ? document(draft).visibleText : String(draft.yaml.dropLast())
    ])
  }

  private func document(_ draft: PolicyDraft) -> JSONValue {
    let types = draft.policy.rules.sorted { compareUTF8($0.key, $1.key) < 0 }
    return ReportOptions.document(
      "fixture-policy",
      [
        .init(
          "types",
          .object(
            types.map { type, fields in
              .init(
                type,
                .object(
                  fields.sorted { compareUTF8($0.key, $1.key) < 0 }.map {
                    .init($0.key, .string($0.value.rawValue))
                  }))
            }))
      ])
  }
}
