import RecordModel

/// Counts of the kinds of values in records: the number of records of each type, and for each field
/// the number of records with each kind of value.
///
/// A schema can be checked against this alone, so validation, inference and extended use a census
/// instead of records. Its size depends on the number of types and fields, not of records. Merging
/// the censuses of parts in order gives the census of the whole.
public struct RecordCensus: Sendable {
  /// The display name of the records, such as the bundle's path.
  public var source: String
  /// The number of records counted.
  public private(set) var recordCount = 0
  /// The maximum number of examples kept for each kind of value.
  public let maxExamples: Int
  /// The subscriptions, in the order in which they were added.
  public private(set) var subscriptions:
    [(database: DatabaseScope, subscription: CloudSubscription)] =
      []
  private(set) var types: [TypeKey: TypeTally] = [:]
  /// The records that no server accepts, by record type and violation.
  private(set) var violations: [ViolationKey: Tally] = [:]
  private var kindCount = 0

  /// The default number of examples for each kind of value.
  public static let defaultExamples = 3

  /// The maximum number of types, fields and kinds of values. A container has a few hundred.
  public static let maxKinds = 100_000

  struct TypeKey: Hashable {
    var database: DatabaseScope
    @ExactText var recordType: String
  }

  struct ViolationKey: Hashable {
    var database: DatabaseScope
    @ExactText var recordType: String
    var violation: RecordViolation
  }

  struct FieldKey: Hashable {
    @ExactText var name: String
    var kind: ValueKind
  }

  struct TypeTally {
    var records = Tally()
    var fields: [FieldKey: Tally] = [:]
  }

  /// The number of occurrences, and the first of them.
  struct Tally: Sendable, Hashable {
    struct Mark: Sendable, Hashable {
      /// The number of the record in the census.
      var ordinal: Int
      var example: RecordExample
    }

    var count = 0
    /// The first occurrences, sorted by their number.
    var marks: [Mark] = []

    mutating func add(_ other: Tally, after shift: Int = 0, keeping limit: Int) {
      count += other.count
      guard marks.count < limit || shift == 0 else { return }
      marks += other.marks.map { Mark(ordinal: $0.ordinal + shift, example: $0.example) }
      marks.sort { $0.ordinal < $1.ordinal }
      if marks.count > limit { marks.removeLast(marks.count - limit) }
    }

    var sample: RecordSample { RecordSample(count: count, examples: marks.map(\.example)) }
    var first: Int { marks.first?.ordinal ?? 0 }
  }

  /// Creates an empty census.
  ///
  /// - Parameters:
  ///   - source: The display name of the records.
  ///   - maxExamples: The number of examples to keep for each kind of value, at least 1.
  public init(source: String, maxExamples: Int = defaultExamples) {
    self.source = source
    self.maxExamples = max(1, maxExamples)
  }

  /// Adds a record.
  ///
  /// Values are read too, because some have limits of their own.
  ///
  /// - Throws: ``RecordCensusError`` if there are more than ``maxKinds`` kinds.
  public mutating func add(_ record: ResultRecord, in database: DatabaseScope) throws {
    let storage = record.storage
    let examples = [(recordCount, record.recordID)]
    let found =
      RecordViolation.inNames(of: record.recordID, recordType: record.recordType)
      + RecordViolation.inValues(of: record, isSmall: false)
    for violation in found {
      add(violation, in: 1, examples: examples, recordType: record.recordType, database: database)
    }
    try add(
      group: 1, examples: examples, in: database, recordType: record.recordType,
      fields: (0..<storage.fieldCount).map { index in
        (storage.name(at: index).string, ValueKind(storage, at: index))
      })
  }

  /// Adds a violation of records that are counted separately.
  ///
  /// - Parameters:
  ///   - count: The number of records with the violation.
  ///   - examples: The first of them, each with its number among all records of this census.
  package mutating func add(
    _ violation: RecordViolation, in count: Int, examples: [(ordinal: Int, recordID: RecordID)],
    recordType: String, database: DatabaseScope
  ) {
    let key = ViolationKey(database: database, recordType: recordType, violation: violation)
    violations[key, default: Tally()].add(tally(count, examples, database), keeping: maxExamples)
  }

  private func tally(
    _ count: Int, _ examples: [(ordinal: Int, recordID: RecordID)], _ database: DatabaseScope
  ) -> Tally {
    let marks = examples.prefix(maxExamples).map {
      Tally.Mark(
        ordinal: $0.ordinal, example: RecordExample(database: database, recordID: $0.recordID))
    }
    return Tally(count: count, marks: marks)
  }

  /// Adds a subscription.
  public mutating func add(_ subscription: CloudSubscription, in database: DatabaseScope) {
    subscriptions.append((database, subscription))
  }

  /// Adds the census of a part that follows the records counted so far.
  ///
  /// - Throws: ``RecordCensusError`` if there are more than ``maxKinds`` kinds.
  public mutating func add(_ next: RecordCensus) throws {
    for (key, tally) in next.types {
      try countKind(isNew: types[key] == nil)
      types[key, default: TypeTally()].records
        .add(tally.records, after: recordCount, keeping: maxExamples)
      for (field, count) in tally.fields {
        try add(count, field, to: key, after: recordCount)
      }
    }
    for (key, tally) in next.violations {
      violations[key, default: Tally()].add(tally, after: recordCount, keeping: maxExamples)
    }
    subscriptions += next.subscriptions
    recordCount += next.recordCount
  }

  /// Adds records with the same type and fields.
  ///
  /// - Parameters:
  ///   - count: The number of records.
  ///   - examples: The first of them, each with its number among all records of this census.
  ///   - fields: The name and kind of each field.
  package mutating func add(
    group count: Int, examples: [(ordinal: Int, recordID: RecordID)], in database: DatabaseScope,
    recordType: String, fields: [(name: String, kind: ValueKind)]
  ) throws {
    let key = TypeKey(database: database, recordType: recordType)
    let tally = tally(count, examples, database)
    try countKind(isNew: types[key] == nil)
    types[key, default: TypeTally()].records.add(tally, keeping: maxExamples)
    for (name, kind) in fields { try add(tally, FieldKey(name: name, kind: kind), to: key) }
    recordCount += count
  }

  private mutating func add(
    _ tally: Tally, _ field: FieldKey, to key: TypeKey, after shift: Int = 0
  ) throws {
    try countKind(isNew: types[key]?.fields[field] == nil)
    types[key, default: TypeTally()].fields[field, default: Tally()]
      .add(tally, after: shift, keeping: maxExamples)
  }

  private mutating func countKind(isNew: Bool) throws {
    guard isNew else { return }
    kindCount += 1
    if kindCount > Self.maxKinds { throw RecordCensusError(source: source) }
  }

  /// The records of one type, in all databases.
  struct TypeCount {
    var recordType: String
    var records: Tally
    /// The fields with their kinds of values, both sorted.
    var fields: [(name: String, kinds: [(kind: ValueKind, tally: Tally)])]
  }

  /// Returns the number of records of a type, in all databases.
  public func recordCount(ofType recordType: String) -> Int {
    DatabaseScope.allCases.reduce(0) {
      $0 + (types[TypeKey(database: $1, recordType: recordType)]?.records.count ?? 0)
    }
  }

  /// The record types, sorted.
  public var recordTypes: [String] {
    Set(types.keys.map { ExactString($0.recordType) }).sorted().map(\.string)
  }

  /// All types sorted by name, merged across databases, because a schema has one type for all
  /// databases.
  var byType: [TypeCount] {
    var merged: [ExactString: TypeTally] = [:]
    for (key, tally) in types {
      var sum = merged[ExactString(key.recordType)] ?? TypeTally()
      sum.records.add(tally.records, keeping: maxExamples)
      for (field, count) in tally.fields {
        sum.fields[field, default: Tally()].add(count, keeping: maxExamples)
      }
      merged[ExactString(key.recordType)] = sum
    }
    return merged.sorted { $0.key < $1.key }.map { name, tally in
      let fields = Dictionary(grouping: tally.fields) { ExactString($0.key.name) }
      return TypeCount(
        recordType: name.string, records: tally.records,
        fields: fields.sorted { $0.key < $1.key }.map { field, kinds in
          (
            field.string,
            kinds.map { (kind: $0.key.kind, tally: $0.value) }.sorted { $0.kind < $1.kind }
          )
        })
    }
  }
}

/// An error thrown if records have more distinct fields than a container can have.
public struct RecordCensusError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The display name of the records.
  public let source: String

  /// A description of the error.
  public var description: String {
    "\(source): the records have more than \(RecordCensus.maxKinds) different fields and types, "
      + "more than any schema can have"
  }
}

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
