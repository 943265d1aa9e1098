import RecordModel

extension RecordCensus {
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
    Set(types.keys.map { NameKey($0.recordType) }).sorted().map(\.string)
  }

  /// All types sorted by name, merged across databases, because a schema has one type for all
  /// databases.
  var byType: [TypeCount] {
    var merged: [NameKey: TypeTally] = [:]
    for (key, tally) in types {
      var sum = merged[NameKey(key.recordType)] ?? TypeTally()
      sum.records.add(tally.records, keeping: maxExamples)
      for (field, count) in tally.fields {
        sum.fields[field, default: Tally()].add(count, keeping: maxExamples)
      }
      merged[NameKey(key.recordType)] = sum
    }
    return merged.sorted { $0.key < $1.key }.map { name, tally in
      let fields = Dictionary(grouping: tally.fields) { NameKey($0.key.name) }
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
