import ArgumentParser
import RecordArchive
import RecordCoding
import RecordFixtures
import RecordText

struct FixtureCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find what a pseudonymised bundle still has of its source.",
    discussion: """
      Compares the values of each field, and the names of records, users, zones,
      shares, devices and subscriptions. Shows for each field how many different
      values of the result the source has, too. A text counts if any text of the
      source is in it: in other letter cases, between other words, in JSON, Base64,
      bytes or assets. With two results, shows the pseudonyms that they share: both
      were made with one key.

      Small numbers, dates, and the words of made-up texts can be equal by chance,
      and are counted, but are not a finding. With --policy, fields and names that
      the policy keeps are not a finding either. The values themselves are not shown.

      The exit code is 1 if there are findings.

      EXAMPLES
        recordpack fixture check Tact.sqlite test.recordpack
        recordpack fixture check Tact.sqlite test.recordpack --policy p.yml
      """)

  @Argument(help: "A bundle or container.", completion: .file())
  var source: String

  @Argument(
    help: "The result of an anonymisation, of this source or another one.", completion: .file())
  var result: String

  @Option(
    help: ArgumentHelp("The policy that made the result.", valueName: "file"), completion: .file())
  var policy: String?

  @OptionGroup var report: ReportOptions

  func validate() throws { try refuseSecondStandardInput([source, result, policy]) }

  func run() throws {
    let policy = try self.policy.map(AnonymisationPolicy.init(argument:))
    let check = try FixtureCheck(
      of: Inputs.source(source), against: Inputs.source(result), policy: policy)
    try report.tell(FixtureCheckReport(check: check), onStandardError: false)
    if check.hasFindings { throw ExitCode.findings }
  }
}

private struct FixtureCheckReport: CommandReport {
  static let format = "fixture-check"
  let check: FixtureCheck

  func lines(_ style: TerminalStyle) -> [String] {
    var lines = [
      check.hasFindings
        ? "The result has values or names of the source:"
        : check.places.isEmpty
          ? "The result has no value and no name of the source."
          : "The result has no value and no name of the source, except values that are equal by "
            + "chance, or stay by the policy:"
    ]
    var table = Table([.left, .right, .left])
    for place in check.places {
      table.add([
        .init(place.name.visible, place.isFinding ? .red : nil),
        .init(Numbers.grouped(place.shared)),
        .init(
          "of \(Numbers.count(place.values, "different value"))"
            + (place.common > 0 ? ", \(Numbers.grouped(place.common)) by chance or policy" : "")),
      ])
    }
    lines += table.lines(style, indent: "  ")
    if check.isCut { lines.append("There were too many values to compare all.") }
    return lines
  }

  var json: JSONValue {
    [
      "isCut": check.isCut,
      "places": check.places.map { place -> JSONValue in
        [
          "name": place.name, "values": place.values, "shared": place.shared,
          "common": place.common, "isFinding": place.isFinding,
        ]
      },
    ]
  }
}
