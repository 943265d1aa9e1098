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
      Reads the schema and all values of a bundle or container, and writes a rule for
      each field, from its type, its name and its values. The rules keep nothing.
      Beside fields that seem harmless stand other rules, as comments: what they keep,
      and how many persons have it. Read them, and use one in place of the rule above
      it if you want it. Values stand only in these comments: values that at least
      five persons have, or if there are fewer persons, the names of cases.

      A person is the creator of a record, or the owner of its zone, or who a field
      names: --person Visit=patient. For records that are persons, the field is
      ___recordID.

      EXAMPLES
        recordpack fixture policy Tact.sqlite -o policy.yml
        recordpack fixture policy Tact.recordpack --person Chat=___recordID
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @Option(
    help: ArgumentHelp(
      "The field that names the person of a type's records; may be given several times.",
      valueName: "type=field"))
  var person: [PairArgument] = []

  @OptionGroup var output: OutputOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuse(report.givenColor, "to a policy, which has no colours")
  }

  func run() throws {
    try output.check(inputs: [source])
    let draft = try PolicyDraft(
      of: Inputs.source(source),
      persons: Dictionary(person.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
    func object(_ members: some Collection<(key: String, value: JSONValue)>) -> JSONValue {
      .object(
        members.sorted { compareUTF8($0.key, $1.key) < 0 }.map { .init($0.key, $0.value) })
    }
    let types = object(
      draft.policy.rules.map { type, fields in
        (type, object(fields.map { ($0.key, .string($0.value.rule.rawValue)) }))
      })
    try output.write(draft.yaml, report) {
      ReportOptions.document("fixture-policy", ["persons": draft.persons, "types": types])
    }
  }
}
