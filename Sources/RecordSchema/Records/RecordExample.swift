import RecordModel

/// A record shown as an example for a finding: its identity, without its values.
public struct RecordExample: Sendable, Hashable, CustomStringConvertible {
  /// The database of the record.
  public var database: DatabaseScope
  /// The ID of the record.
  public var recordID: RecordID

  /// The record's name, with its zone if that is not the default zone.
  public var description: String { recordID.description }
}

/// The number of records that a finding is about, and the first of them.
public struct RecordSample: Sendable, Hashable {
  /// The number of records.
  public var count: Int
  /// The first records, in bundle order.
  public var examples: [RecordExample]

  /// `12 records, such as Notes:a, Notes:b`
  var phrase: String {
    let names = examples.map { $0.description.printable }.joined(separator: ", ")
    let records = Phrase.count(count, "record")
    if examples.isEmpty { return records }
    return records + (count > examples.count ? ", such as " : ": ") + names
  }
}
