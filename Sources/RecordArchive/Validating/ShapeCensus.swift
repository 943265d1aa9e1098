import RecordCoding
import RecordModel
import RecordSchema

/// Counts records by the fields they have: those with the same fields share one object for them,
/// so a record costs a comparison or a lookup, and nothing of it is decoded.
struct ShapeCensus {
  private struct Key: Hashable {
    var database: DatabaseScope
    var recordType: String
    var shape: ObjectIdentifier
  }

  private struct Group {
    let key: Key
    /// Kept, so that no other object can take its place.
    let shape: RecordShape
    var count = 0
    var examples: [(ordinal: Int, recordID: RecordID)] = []
  }

  private let mostExamples: Int
  private let source: String
  private var groups: [Group] = []
  private var places: [Key: Int] = [:]
  private var latest = 0
  private var count = 0
  /// What came as records or subscriptions, beside the groups.
  private var others: [(ResultRecord, DatabaseScope)] = []
  private var subscriptions: [(Subscription, DatabaseScope)] = []

  init(source: String, mostExamples: Int) {
    self.source = source
    self.mostExamples = mostExamples
  }

  /// Counts a record by its scanned line.
  ///
  /// - Parameter recordID: asked for the first records of each group only.
  mutating func add(
    _ shape: RecordShape, recordType: String, in database: DatabaseScope,
    recordID: @autoclosure () -> RecordID
  ) {
    let place = place(of: shape, recordType, database)
    if groups[place].examples.count < mostExamples {
      groups[place].examples.append((count, recordID()))
    }
    groups[place].count += 1
    count += 1
  }

  private mutating func place(
    of shape: RecordShape, _ recordType: String, _ database: DatabaseScope
  ) -> Int {
    if latest < groups.count {
      let group = groups[latest]
      if group.shape === shape, group.key.database == database,
        group.key.recordType == recordType
      {
        return latest
      }
    }
    let key = Key(database: database, recordType: recordType, shape: ObjectIdentifier(shape))
    if let known = places[key] {
      latest = known
    } else {
      latest = groups.count
      places[key] = latest
      groups.append(Group(key: key, shape: shape))
    }
    return latest
  }

  mutating func add(_ subscription: Subscription, in database: DatabaseScope) {
    subscriptions.append((subscription, database))
  }

  /// Counts a record whose line was not in canonical form. Its number comes after those of all
  /// others of the frame.
  mutating func add(_ record: ResultRecord, in database: DatabaseScope) {
    others.append((record, database))
  }

  /// The census, by field.
  func census() throws -> RecordCensus {
    var census = RecordCensus(source: source, mostExamples: mostExamples)
    for group in groups {
      let fields = group.shape.entries.map { entry in
        (
          name: entry.name.string,
          kind: ValueKind(
            typeName: entry.type?.rawValue ?? entry.typeName, isEncrypted: entry.isEncrypted)
        )
      }
      try census.add(
        group: group.count, examples: group.examples, in: group.key.database,
        recordType: group.key.recordType, fields: fields)
    }
    for (record, database) in others { try census.add(record, in: database) }
    for (subscription, database) in subscriptions { census.add(subscription, in: database) }
    return census
  }
}
