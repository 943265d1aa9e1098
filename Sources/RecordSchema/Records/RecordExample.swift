import RecordModel

/// A record that is shown as an example of a finding: which one it is, and nothing of its values.
public struct RecordExample: Sendable, Hashable, CustomStringConvertible {
  /// The database it lies in.
  public var database: DatabaseScope
  /// Its identity.
  public var recordID: RecordID

  /// Makes an example.
  public init(database: DatabaseScope, recordID: RecordID) {
    self.database = database
    self.recordID = recordID
  }

  /// The record's name, with its zone where that is not the default one.
  public var description: String { recordID.description }
}

/// How many records a finding is about, with the first of them.
public struct RecordSample: Sendable, Hashable {
  /// How many.
  public var count: Int
  /// The first ones, in the order of a bundle.
  public var examples: [RecordExample]

  /// Makes a sample.
  public init(count: Int, examples: [RecordExample]) {
    self.count = count
    self.examples = examples
  }

  /// `12 records, such as Notes:a, Notes:b`
  var phrase: String {
    let names = examples.map { $0.description.printable }.joined(separator: ", ")
    let records = RuleWords.count(count, "record")
    if examples.isEmpty { return records }
    return records + (count > examples.count ? ", such as " : ": ") + names
  }
}
