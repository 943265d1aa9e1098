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
      each field: a guess from its type, its name and its values. Fields that look
      personal have a comment, and each kept field the number of its different
      values. Rules that give something away have their price in a comment. The
      policy contains names of types and fields, and no values. Read it before you
      use it.

      EXAMPLES
        recordpack fixture policy Tact.sqlite -o policy.yml
        recordpack fixture policy Tact.recordpack
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @OptionGroup var output: OutputOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuse(report.givenColor, "to a policy, which has no colours")
  }

  func run() throws {
    try output.check(inputs: [source])
    let draft = try PolicyDraft(of: Inputs.source(source))
    if output.file != nil || !report.isJSON { try output.write(draft.yaml) }
    guard report.isJSON else { return }
    func object(_ members: some Collection<(key: String, value: JSONValue)>) -> JSONValue {
      .object(
        members.sorted { compareUTF8($0.key, $1.key) < 0 }.map { .init($0.key, $0.value) })
    }
    let types = object(
      draft.policy.rules.map { type, fields in
        (type, object(fields.map { ($0.key, .string($0.value.rawValue)) }))
      })
    try ReportOptions.tellDone(
      [ReportOptions.document("fixture-policy", ["types": types]).visibleText])
  }
}
