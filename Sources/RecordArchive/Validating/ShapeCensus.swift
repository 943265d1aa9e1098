import RecordCoding
import RecordModel
import RecordSchema

/// Counts records by the fields they have: those with the same fields share one object for them,
/// so a record costs a comparison or a lookup, and nothing of it is decoded.
struct ShapeCensus {
  private struct Key: Hashable {
    var database: DatabaseScope
    var recordType: NameKey
    var shape: ObjectIdentifier
  }

  private struct FaultKey: Hashable {
    var database: DatabaseScope
    var recordType: NameKey
    var fault: RecordFault
  }

  private struct Group {
    let key: Key
    /// Kept, so that no other object can take its place.
    let shape: RecordShape
    /// Whether a field has values with limits of their own.
    let hasLimits: Bool
    var count = 0
    var examples: [(ordinal: Int, recordID: RecordID)] = []
  }

  private let mostExamples: Int
  private let source: String
  private var groups: [Group] = []
  private var places: [Key: Int] = [:]
  private var faults: [FaultKey: (count: Int, examples: [(ordinal: Int, recordID: RecordID)])] = [:]
  private var latestZone = ZoneID.default
  private var faultsOfZone: [RecordFault] = []
  private var latest = 0
  private var count = 0
  /// What came as records or subscriptions, beside the groups.
  private var others: [(ResultRecord, DatabaseScope)] = []
  private var subscriptions: [(Subscription, DatabaseScope)] = []

  init(source: String, mostExamples: Int = RecordCensus.defaultExamples) {
    self.source = source
    self.mostExamples = mostExamples
  }

  /// Counts a record by its scanned line.
  ///
  /// - Parameters:
  ///   - name: The record's name, as JSON writes it.
  ///   - size: How many bytes the record's text has.
  ///   - recordID: Asked for the first records of each group, and where something is wrong, only.
  ///   - record: Asked for records of which values must be looked at.
  mutating func add(
    _ shape: RecordShape, recordType: String, in database: DatabaseScope, zoneID: ZoneID,
    name: UnsafeRawBufferPointer, size: Int, recordID: @autoclosure () -> RecordID,
    record: () throws -> ResultRecord?
  ) rethrows {
    let place = place(of: shape, recordType, database)
    var found: [RecordFault] = []
    if name.contains(UInt8(ascii: "\\"))
      || !RecordFault.inName(name, recordType: recordType).isEmpty
    {
      // What JSON writes may be longer than the name, or stand for other characters.
      found = RecordFault.inNames(of: recordID(), recordType: recordType)
    } else {
      found = self.faults(of: zoneID)
    }
    let isSmall = size <= RecordFault.smallRecord
    if groups[place].hasLimits || !isSmall, let record = try record() {
      found += RecordFault.inValues(of: record, isSmall: isSmall)
    }
    for fault in found { add(fault, recordType, database, recordID()) }
    if groups[place].examples.count < mostExamples {
      groups[place].examples.append((count, recordID()))
    }
    groups[place].count += 1
    count += 1
  }

  private mutating func faults(of zoneID: ZoneID) -> [RecordFault] {
    if zoneID != latestZone {
      latestZone = zoneID
      faultsOfZone = RecordFault.inZone(zoneID)
    }
    return faultsOfZone
  }

  private mutating func add(
    _ fault: RecordFault, _ recordType: String, _ database: DatabaseScope, _ recordID: RecordID
  ) {
    let key = FaultKey(database: database, recordType: NameKey(recordType), fault: fault)
    faults[key, default: (0, [])].count += 1
    if faults[key, default: (0, [])].examples.count < mostExamples {
      faults[key, default: (0, [])].examples.append((count, recordID))
    }
  }

  private mutating func place(
    of shape: RecordShape, _ recordType: String, _ database: DatabaseScope
  ) -> Int {
    if latest < groups.count {
      let group = groups[latest]
      if group.shape === shape, group.key.database == database,
        group.key.recordType.string.sameScalars(as: recordType)
      {
        return latest
      }
    }
    let key = Key(
      database: database, recordType: NameKey(recordType), shape: ObjectIdentifier(shape))
    if let known = places[key] {
      latest = known
    } else {
      latest = groups.count
      places[key] = latest
      let hasLimits = shape.entries.contains { RecordFault.hasLimits($0.type) }
      groups.append(Group(key: key, shape: shape, hasLimits: hasLimits))
    }
    return latest
  }

  mutating func add(_ subscription: Subscription, in database: DatabaseScope) {
    subscriptions.append((subscription, database))
  }

  /// Counts a record whose line was not in canonical form. Its number comes after those of all
  /// others of the batch.
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
        recordType: group.key.recordType.string, fields: fields)
    }
    for (key, found) in faults {
      census.add(
        key.fault, in: found.count, examples: found.examples, recordType: key.recordType.string,
        database: key.database)
    }
    for (record, database) in others { try census.add(record, in: database) }
    for (subscription, database) in subscriptions { census.add(subscription, in: database) }
    return census
  }
}
