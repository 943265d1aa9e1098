import RecordArchive
import RecordModel

extension SchemaReferences {
  /// Counts the references of records, and the records.
  ///
  /// Reads the records twice: for their types, and for what they refer to. A record takes 16 bytes.
  /// References to records that are not there are left out, because nothing says what type they
  /// have.
  ///
  /// - Parameters:
  ///   - filter: The records to count.
  ///   - progress: Called for each record and each reading of it; an error it throws ends the scan.
  package init(
    scanning source: ArchiveSource, _ filter: RecordFilter = .all,
    progress: () throws -> Void = {}
  ) throws {
    var scan = ReferenceScan()
    try source.forEachRecordID(filter) { recordID, recordType, database in
      try progress()
      scan.add(recordID, recordType, database)
    }
    try source.forEachRecord(filter) { record, database in
      try progress()
      scan.count(record, database)
    }
    self = scan.references
  }
}

/// The types of records, and what they refer to.
private struct ReferenceScan {
  private struct Key: Hashable {
    var recordType: Int
    var place: SchemaReference.Place
    var target: Int
  }

  /// The number of each record's type, by the hash of its identity. Two records with the same hash
  /// are as good as impossible, and would only draw a line too many.
  private var types: [Int: Int32] = [:]
  private var numbers: [ExactString: Int] = [:]
  private var names: [ExactString] = []
  private var counts: [Int] = []
  private var found: [Key: Int] = [:]

  private func hash(_ recordID: RecordID, _ database: DatabaseScope) -> Int {
    var hasher = Hasher()
    hasher.combine(recordID)
    hasher.combine(database)
    return hasher.finalize()
  }

  private mutating func number(_ recordType: String) -> Int {
    let key = ExactString(recordType)
    if let known = numbers[key] { return known }
    numbers[key] = names.count
    names.append(key)
    counts.append(0)
    return names.count - 1
  }

  mutating func add(_ recordID: RecordID, _ recordType: String, _ database: DatabaseScope) {
    let number = number(recordType)
    counts[number] += 1
    types[hash(recordID, database)] = Int32(clamping: number)
  }

  mutating func count(_ record: ResultRecord, _ database: DatabaseScope) {
    let type = number(record.recordType)
    var seen: Set<Key> = []
    func count(_ reference: Reference, _ place: SchemaReference.Place) {
      guard let target = types[hash(reference.recordID, database)] else { return }
      seen.insert(Key(recordType: type, place: place, target: Int(target)))
    }
    if let parent = record.systemFields.parent { count(parent, .parent) }
    if let share = record.systemFields.share { count(share, .share) }
    for (field, reference) in record.references {
      count(reference, .field(ExactString(field.string)))
    }
    for key in seen { found[key, default: 0] += 1 }
  }

  var references: SchemaReferences {
    SchemaReferences(
      found.map { key, count in
        SchemaReference(
          from: names[key.recordType].string, key.place, to: names[key.target].string,
          .records(count))
      }, counts: Dictionary(uniqueKeysWithValues: zip(names, counts)))
  }
}
