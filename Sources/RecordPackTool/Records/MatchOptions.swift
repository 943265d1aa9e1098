import ArgumentParser
import RecordMigration

/// The options of `list` and `query` that choose records, beside a selection.
struct MatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only records with this name; with * ? [a-z], all that match. May be given several times.",
      valueName: "name"))
  var name: [String] = []

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      "Only records for which this expression of migration plans is true: \"number > 3 and "
        + "has(text)\".", valueName: "expression"))
  var condition: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("At most this many, and stop reading then.", valueName: "n"))
  var limit: Int?

  init() {}

  func validate() throws {
    try checkLimit(limit)
    _ = try expression
  }

  /// The condition, parsed.
  var expression: RecordExpression? {
    get throws {
      do {
        return try condition.map { try RecordExpression($0) }
      } catch let error as ExpressionError {
        throw ValidationError("--where, \(error)")
      }
    }
  }
}
