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
  package let maxExamples: Int
  /// The subscriptions, in the order in which they were added.
  package private(set) var subscriptions:
    [(database: DatabaseScope, subscription: CloudSubscription)] = []
  /// The records of each type in each database, in the order of their first records.
  private(set) var types: [TypeCount] = []
  /// The problems of records whatever the schema is.
  private(set) var problems: [ProblemKey: Count] = [:]
  private let measuresLengths: Bool
  private var places: [TypeKey: Int] = [:]
  private var kindCount = 0

  /// The default number of examples for each kind of value.
  public static let defaultExamples = 3

  /// The maximum number of types, fields and kinds of values. A container has a few hundred.
  package static let maxKinds = 100_000

  /// Creates an empty census.
  ///
  /// - Parameters:
  ///   - source: The display name of the records.
  ///   - maxExamples: The number of examples to keep for each kind of value, at least 1.
  public init(source: String, maxExamples: Int = defaultExamples) {
    self.init(source: source, maxExamples: maxExamples, measuresLengths: false)
  }

  /// Creates an empty census that also measures the lengths of values, for which it reads them all.
  package init(source: String, maxExamples: Int = defaultExamples, measuresLengths: Bool) {
    self.source = source
    self.maxExamples = max(1, maxExamples)
    self.measuresLengths = measuresLengths
  }

  /// Adds a record.
  ///
  /// - Throws: ``SchemaError/tooManyFields(source:)`` if there are more than 100,000 kinds.
  public mutating func add(_ record: ResultRecord, in database: DatabaseScope) throws {
    try add(record, in: database, entity: nil)
  }

  /// Adds a record, with Core Data's entity if ``byEntity`` is to count the record there.
  package mutating func add(
    _ record: ResultRecord, in database: DatabaseScope, entity: String?
  ) throws {
    let storage = record.storage
    let example = Count.Mark(
      ordinal: recordCount, example: RecordLocation(database, record.recordID))
    for problem in RecordProblem.limits(of: record) {
      problems[ProblemKey(database: database, problem: problem), default: Count()]
        .add(example, keeping: maxExamples)
    }
    let place = try place(
      of: TypeKey(
        database: database,
        type: TypeName(
          name: ExactString(storage.recordType), entity: entity.map { ExactString($0) })))
    types[place].records.add(example, keeping: maxExamples)
    for index in 0..<storage.fieldCount {
      let key = FieldKey(name: storage.name(at: index), kind: ValueKind(storage, at: index))
      let isNew = types[place].add(
        key, at: index, example,
        length: measuresLengths ? storage.field(at: index).value.length : nil,
        keeping: maxExamples)
      if isNew { try countKind() }
    }
    recordCount += 1
  }

  /// The objects of Core Data by their entity, and its links by what they link.
  struct MirroredKind: Sendable, Hashable {
    var database: DatabaseScope
    var recordType: String
    /// The entity of an object, or those of a link.
    var entities: [String]
    /// The relationships of a link.
    var relationships: [String] = []
  }

  private(set) var mirrored: [MirroredKind: Count] = [:]

  mutating func add(_ kind: MirroredKind, _ count: Count) {
    mirrored[kind, default: Count()].add(count, keeping: maxExamples)
  }

  /// Adds a problem of records that are counted already, which only other records show.
  mutating func add(_ problem: RecordProblem, _ count: Count, in database: DatabaseScope) {
    problems[ProblemKey(database: database, problem: problem), default: Count()]
      .add(count, keeping: maxExamples)
  }

  /// Adds a subscription.
  public mutating func add(_ subscription: CloudSubscription, in database: DatabaseScope) {
    subscriptions.append((database, subscription))
  }

  /// Adds the census of a part that follows the records counted so far.
  ///
  /// - Throws: ``SchemaError/tooManyFields(source:)`` if there are more than 100,000 kinds.
  public mutating func add(_ next: RecordCensus) throws {
    for type in next.types {
      let place = try place(of: type.key)
      types[place].records.add(type.records, after: recordCount, keeping: maxExamples)
      for field in type.fields {
        if types[place].add(field, after: recordCount, keeping: maxExamples) { try countKind() }
      }
    }
    for (key, count) in next.problems {
      problems[key, default: Count()].add(count, after: recordCount, keeping: maxExamples)
    }
    subscriptions += next.subscriptions
    recordCount += next.recordCount
  }

  private mutating func place(of key: TypeKey) throws -> Int {
    if let last = types.indices.last, types[last].key == key { return last }
    if let place = places[key] { return place }
    try countKind()
    places[key] = types.count
    types.append(TypeCount(key: key))
    return types.count - 1
  }

  private mutating func countKind() throws {
    kindCount += 1
    if kindCount > Self.maxKinds { throw SchemaError.tooManyFields(source: source) }
  }

  /// Whether Core Data made any of the types.
  package var hasMirroredTypes: Bool {
    types.contains { CoreDataNames.isMirrored($0.recordType) }
  }

  /// All types sorted by name, merged across databases, because a schema has one type for all
  /// databases. Their fields and kinds are sorted too.
  package var byType: [TypeCount] { merged { TypeName(name: $0.name) } }

  /// The same, except that each entity of Core Data's records is counted on its own.
  package var byEntity: [TypeCount] { merged { $0 } }

  private func merged(by name: (TypeName) -> TypeName) -> [TypeCount] {
    var merged: [TypeName: TypeCount] = [:]
    for type in types {
      let name = name(type.key.type)
      var sum = merged[name] ?? TypeCount(key: TypeKey(database: type.key.database, type: name))
      sum.records.add(type.records, keeping: maxExamples)
      for field in type.fields { _ = sum.add(field, keeping: maxExamples) }
      merged[name] = sum
    }
    return merged.values.sorted { $0.key.type < $1.key.type }.map { $0.sorted() }
  }
}

/// The counts.
extension RecordCensus {
  package struct TypeKey: Sendable, Hashable {
    var database: DatabaseScope
    var type: TypeName
  }

  /// A record type or, if records are counted by entity, an entity in it.
  package struct TypeName: Sendable, Hashable, Comparable {
    var name: ExactString
    var entity: ExactString?

    package static func < (a: TypeName, b: TypeName) -> Bool {
      a.name != b.name ? a.name < b.name : a.entity ?? "" < b.entity ?? ""
    }
  }

  struct ProblemKey: Sendable, Hashable {
    var database: DatabaseScope
    var problem: RecordProblem
  }

  /// The name of a field with the kind of values that were counted.
  package struct FieldKey: Sendable, Hashable {
    var name: FieldName
    package var kind: ValueKind
  }

  /// The records of one type.
  package struct TypeCount: Sendable {
    let key: TypeKey
    /// The number of records.
    package fileprivate(set) var records = Count()
    package fileprivate(set) var fields: [FieldCount] = []
    private var places: [FieldKey: Int] = [:]
    /// The places of the fields of the last record: the next record usually has the same fields.
    private var latest: [Int] = []

    fileprivate init(key: TypeKey) { self.key = key }

    /// The name of the record type.
    package var recordType: String { key.type.name.string }

    /// The entity of Core Data's records, which are counted by entity; nil for other records.
    package var entity: String? { key.type.entity?.string }

    /// The fields by name. A field has an element for each kind of value in it.
    package var fieldsByName: [(name: String, kinds: [FieldCount])] {
      var result: [(name: String, kinds: [FieldCount])] = []
      for field in fields {
        if let last = result.indices.last, result[last].name.sameScalars(as: field.name) {
          result[last].kinds.append(field)
        } else {
          result.append((field.name, [field]))
        }
      }
      return result
    }

    /// Counts a field.
    ///
    /// - Parameter index: The position of the field in its record.
    /// - Returns: Whether it is the first one with this key.
    fileprivate mutating func add(
      _ key: FieldKey, at index: Int, _ example: Count.Mark, length: Int?, keeping limit: Int
    ) -> Bool {
      var place = index < latest.count ? latest[index] : fields.count
      let isKnown = place < fields.count && fields[place].key == key
      if !isKnown {
        place = self.place(of: key)
        if index < latest.count { latest[index] = place } else { latest.append(place) }
      }
      fields[place].count.add(example, keeping: limit)
      if let length { fields[place].lengths.add(length) }
      return fields[place].count.records == 1
    }

    /// Adds the count of a field in records that follow.
    fileprivate mutating func add(
      _ field: FieldCount, after shift: Int = 0, keeping limit: Int
    ) -> Bool {
      let isNew = places[field.key] == nil
      let place = place(of: field.key)
      fields[place].count.add(field.count, after: shift, keeping: limit)
      fields[place].lengths.add(field.lengths)
      return isNew
    }

    private mutating func place(of key: FieldKey) -> Int {
      if let place = places[key] { return place }
      places[key] = fields.count
      fields.append(FieldCount(key: key))
      return fields.count - 1
    }

    fileprivate func sorted() -> TypeCount {
      var result = self
      result.fields.sort { a, b in
        let order = compareUTF8(a.name, b.name)
        return order == 0 ? a.kind < b.kind : order < 0
      }
      return result
    }
  }

  /// The records with one kind of value in a field.
  package struct FieldCount: Sendable {
    let key: FieldKey
    /// The number of records.
    package fileprivate(set) var count = Count()
    /// The lengths of the values, if the census measures them.
    package fileprivate(set) var lengths = Lengths()

    /// The name of the field.
    package var name: String { key.name.string }
    /// The kind of its values.
    package var kind: ValueKind { key.kind }
  }

  /// The lengths of values: of texts, bytes and assets in bytes, of lists in elements.
  package struct Lengths: Sendable, Hashable {
    /// The number of values that have a length.
    package private(set) var count = 0
    /// The greatest length.
    package private(set) var max = 0
    // As a double, because the sizes that records name may be any number.
    private var sum = 0.0

    /// The average length, or `nil` if no value has one.
    package var mean: Double? { count > 0 ? sum / Double(count) : nil }

    fileprivate mutating func add(_ length: Int) {
      count += 1
      max = Swift.max(max, length)
      sum += Double(length)
    }

    fileprivate mutating func add(_ other: Lengths) {
      count += other.count
      max = Swift.max(max, other.max)
      sum += other.sum
    }
  }

  /// The number of records, and the first of them.
  package struct Count: Sendable, Hashable {
    struct Mark: Sendable, Hashable {
      /// The number of the record in the census.
      var ordinal: Int
      var example: RecordLocation
    }

    /// The number of records.
    package private(set) var records = 0
    /// The first records, sorted by their number.
    private(set) var marks: [Mark] = []

    mutating func add(_ mark: @autoclosure () -> Mark, keeping limit: Int) {
      records += 1
      if marks.count < limit { marks.append(mark()) }
    }

    mutating func add(_ other: Count, after shift: Int = 0, keeping limit: Int) {
      records += other.records
      guard marks.count < limit || shift == 0 else { return }
      marks += other.marks.map { Mark(ordinal: $0.ordinal + shift, example: $0.example) }
      marks.sort { $0.ordinal < $1.ordinal }
      if marks.count > limit { marks.removeLast(marks.count - limit) }
    }

    var sample: RecordSample { RecordSample(count: records, examples: marks.map(\.example)) }
    var first: Int { marks.first?.ordinal ?? 0 }
  }
}

/// The number of records that a finding is about, and the first of them.
package struct RecordSample: Sendable, Hashable {
  /// The number of records.
  package var count: Int
  /// The first records, in bundle order.
  package var examples: [RecordLocation]

  /// `12 records, such as Notes:a, Notes:b`
  package var phrase: String {
    let names = examples.map { $0.recordID.description.printable }.joined(separator: ", ")
    let records = Phrase.count(count, "record")
    if examples.isEmpty { return records }
    return records + (count > examples.count ? ", such as " : ": ") + names
  }
}

extension RecordValue {
  /// The length of a text, of bytes or of an asset in bytes, and of a list in elements.
  fileprivate var length: Int? {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let data): data.count
    case .asset(let asset): asset.size.map { Int(clamping: $0) }.flatMap { $0 < 0 ? nil : $0 }
    case .emptyList: 0
    default: elements?.count
    }
  }
}
