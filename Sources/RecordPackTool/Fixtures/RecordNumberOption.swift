import ArgumentParser
import RecordFixtures

/// The number of records where no recipe says it.
struct RecordNumberOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many records of each type without a parent. "
        + "(default: \(FixtureRecipe.defaultRecords))", valueName: "n"))
  var records: Int?

  func validate() throws {
    guard let records, !(0...FixtureRecipe.maxRecords).contains(records) else { return }
    throw ValidationError(
      "--records must be from 0 to \(FixtureRecipe.maxRecords), not \(records)")
  }

  var isGiven: Bool { records != nil }

  var count: Int { records ?? FixtureRecipe.defaultRecords }
}
