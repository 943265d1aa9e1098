import ArgumentParser
import RecordModel

/// The arguments that choose records as a CloudKit query does: a type and a predicate.
struct QueryArguments: ParsableArguments {
  @Argument(help: "The record type; with * ? [a-z], all that match.")
  var type: String?

  @Argument(help: "A predicate that the records match, as in a CloudKit query.")
  var predicate: String?

  init() {}

  func validate() throws { _ = try query }

  /// Refuses options that choose the same in another way.
  func check(with selection: FilterOptions, _ choice: MatchOptions) throws {
    if type != nil, !selection.type.isEmpty {
      throw ValidationError("name the record type as an argument or with --type, not both")
    }
    if predicate != nil, choice.condition != nil {
      throw ValidationError("choose records by a predicate or with --where, not both")
    }
  }

  /// The predicate as a query; nil without one.
  var query: RecordQuery? {
    get throws {
      guard let type, let predicate else { return nil }
      do {
        return try RecordQuery(recordType: type, predicate: predicate)
      } catch {
        throw ValidationError("\(error)")
      }
    }
  }

  /// Adds the record type to a selection.
  func added(to selection: FilterOptions) -> FilterOptions {
    var selection = selection
    if let type { selection.type = [type] }
    return selection
  }
}
