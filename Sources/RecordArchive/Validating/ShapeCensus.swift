import RecordCoding
import RecordModel
import RecordSchema

/// Counts records by shape. Records with the same fields share one shape object, so a record costs
/// one comparison or lookup and is not decoded.
struct ShapeCensus {
  private struct Key: Hashable {
    var database: DatabaseScope
    var recordType: ExactString
    var shape: ObjectIdentifier
  }

  private struct ViolationKey: Hashable {
    var database: DatabaseScope
    var recordType: ExactString
    var violation: RecordViolation
  }

  private struct Group {
    let key: Key
    /// Retained, so that its identifier stays unique.
    let shape: RecordShape
    /// Whether a field's type has limits on its values.
    let hasLimits: Bool
    var count = 0
    var examples: [(ordinal: Int, recordID: RecordID)] = []
  }

  private let maxExamples: Int
  private let source: String
  private var groups: [Group] = []
  private var places: [Key: Int] = [:]
  private var violations:
    [ViolationKey: (count: Int, examples: [(ordinal: Int, recordID: RecordID)])] = [:]
  private var latestZone = ZoneID.default
  private var violationsOfZone: [RecordViolation] = []
  private var latest = 0
  private var count = 0
  /// Records and subscriptions that were counted one by one.
  private var others: [(ResultRecord, DatabaseScope)] = []
  private var subscriptions: [(CloudSubscription, DatabaseScope)] = []

  init(source: String, maxExamples: Int = RecordCensus.defaultExamples) {
    self.source = source
    self.maxExamples = maxExamples
  }

  /// Counts a record from its scanned line.
  ///
  /// - Parameters:
  ///   - name: The record's name as escaped in JSON.
  ///   - size: The size of the record's text in bytes.
  ///   - recordID: Evaluated only for the examples of each group, and for violations.
  ///   - record: Called only for records whose values must be checked.
  mutating func add(
    _ shape: RecordShape, recordType: String, in database: DatabaseScope, zoneID: ZoneID,
    name: UnsafeRawBufferPointer, size: Int, recordID: @autoclosure () -> RecordID,
    record: () throws -> ResultRecord?
  ) rethrows {
    let place = place(of: shape, recordType, database)
    var found: [RecordViolation] = []
    if name.contains(UInt8(ascii: "\\"))
      || !RecordViolation.inName(name, recordType: recordType).isEmpty
    {
      // An escaped name may be longer than the name, or stand for other characters.
      found = RecordViolation.inNames(of: recordID(), recordType: recordType)
    } else {
      found = self.violations(of: zoneID)
    }
    let isSmall = size <= RecordViolation.smallRecord
    if groups[place].hasLimits || !isSmall, let record = try record() {
      found += RecordViolation.inValues(of: record, isSmall: isSmall)
    }
    for violation in found { add(violation, recordType, database, recordID()) }
    if groups[place].examples.count < maxExamples {
      groups[place].examples.append((count, recordID()))
    }
    groups[place].count += 1
    count += 1
  }

  private mutating func violations(of zoneID: ZoneID) -> [RecordViolation] {
    if zoneID != latestZone {
      latestZone = zoneID
      violationsOfZone = RecordViolation.inZone(zoneID)
    }
    return violationsOfZone
  }

  private mutating func add(
    _ violation: RecordViolation, _ recordType: String, _ database: DatabaseScope,
    _ recordID: RecordID
  ) {
    let key = ViolationKey(
      database: database, recordType: ExactString(recordType), violation: violation)
    violations[key, default: (0, [])].count += 1
    if violations[key, default: (0, [])].examples.count < maxExamples {
      violations[key, default: (0, [])].examples.append((count, recordID))
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
      database: database, recordType: ExactString(recordType), shape: ObjectIdentifier(shape))
    if let known = places[key] {
      latest = known
    } else {
      latest = groups.count
      places[key] = latest
      let hasLimits = shape.entries.contains { RecordViolation.hasLimits($0.type) }
      groups.append(Group(key: key, shape: shape, hasLimits: hasLimits))
    }
    return latest
  }

  mutating func add(_ subscription: CloudSubscription, in database: DatabaseScope) {
    subscriptions.append((subscription, database))
  }

  /// Counts a record whose line is not canonical. It is numbered after all others of the batch.
  mutating func add(_ record: ResultRecord, in database: DatabaseScope) {
    others.append((record, database))
  }

  func census() throws -> RecordCensus {
    var census = RecordCensus(source: source, maxExamples: maxExamples)
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
    for (key, found) in violations {
      census.add(
        key.violation, in: found.count, examples: found.examples, recordType: key.recordType.string,
        database: key.database)
    }
    for (record, database) in others { try census.add(record, in: database) }
    for (subscription, database) in subscriptions { census.add(subscription, in: database) }
    return census
  }
}
