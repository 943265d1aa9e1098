import RecordModel

/// Finds relationships of Core Data's objects whose targets are missing.
///
/// A to-one relationship is the name of a record as text, so only values show that a field is one: some
/// of them name objects of the zone, or the field is called like an entity. A value that names no record
/// is then reported if it is a UUID in upper case, as Core Data names records. A text that the user wrote
/// is not. A link of a many-to-many relationship names both its objects.
///
/// Sources: Apple, "Reading CloudKit Records for Core Data"
/// (<https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data>); that a
/// UUID in upper case is a record's name: records of apps.
package struct RelationshipCheck {
  private let source: String
  private let maxExamples: Int
  private var recordCount = 0
  private var fields: [Key: Values] = [:]
  private var links: [Key: RecordCensus.Count] = [:]
  private var kinds: [RecordCensus.MirroredKind: RecordCensus.Count] = [:]
  /// The entities that records name, in lower case.
  private var entities: Set<String> = []

  private struct Key: Hashable {
    var database: DatabaseScope
    var recordType: ExactString
    var name: ExactString
  }

  private struct Values {
    /// Whether a value names an object of the zone.
    var hasTarget = false
    var missing = RecordCensus.Count()
  }

  /// - Parameters:
  ///   - source: The name of the records in errors.
  ///   - maxExamples: The number of records to name for each relationship.
  package init(source: String, maxExamples: Int = RecordCensus.defaultExamples) {
    (self.source, self.maxExamples) = (source, maxExamples)
  }

  /// Checks a record.
  ///
  /// - Parameter names: The names of all records in the zone.
  /// - Throws: ``SchemaError/tooManyFields(source:)`` above ``RecordCensus/maxKinds``.
  package mutating func add(
    _ record: ResultRecord, in database: DatabaseScope, among names: Set<CompactName>
  ) throws {
    let mark = RecordCensus.Count.Mark(
      ordinal: recordCount, example: RecordLocation(database, record.recordID))
    recordCount += 1
    func key(_ name: String) -> Key {
      Key(
        database: database, recordType: ExactString(record.recordType), name: ExactString(name))
    }
    if record.recordType == CoreDataNames.linkType {
      let link = record.mirroredLink
      if let sides = link?.sides {
        kinds[
          .init(
            database: database, recordType: record.recordType, entities: sides.map(\.entity),
            relationships: sides.map(\.relationship)), default: .init()
        ].add(mark, keeping: maxExamples)
      }
      let isWhole = link?.sides.allSatisfy {
        names.contains(CompactName($0.recordID.recordName))
      }
      if isWhole != true {
        let sides = link?.sides.map { "\($0.entity).\($0.relationship)" } ?? []
        links[key(sides.joined(separator: " ")), default: .init()].add(mark, keeping: maxExamples)
      }
    } else if let entity = record.entityName {
      entities.insert(entity.lowercased())
      kinds[
        .init(database: database, recordType: record.recordType, entities: [entity]),
        default: .init()
      ].add(mark, keeping: maxExamples)
      for (field, name) in record.possibleTargets {
        let (key, target) = (key(field.string), CompactName(name.string))
        if names.contains(target) {
          fields[key, default: Values()].hasTarget = true
        } else if case .upperUUID = target {
          fields[key, default: Values()].missing.add(mark, keeping: maxExamples)
        }
      }
    }
    if fields.count + links.count + kinds.count > RecordCensus.maxKinds {
      throw SchemaError.tooManyFields(source: source)
    }
  }

  /// The relationships with missing targets, and the records that have them.
  package var problems: [(database: DatabaseScope, problem: RecordProblem, sample: RecordSample)] {
    sorted.map { ($0.database, $0.problem, $0.count.sample) }
  }

  private var sorted: [(database: DatabaseScope, problem: RecordProblem, count: RecordCensus.Count)]
  {
    var found: [(key: Key, problem: RecordProblem, count: RecordCensus.Count)] = []
    for (key, values) in fields where values.missing.records > 0 {
      let (type, field) = (key.recordType.string, key.name.string)
      let name = CoreDataNames.attributeName(field) ?? field
      guard values.hasTarget || entities.contains(name.lowercased()) else { continue }
      let message =
        "the relationship '\(name)' of '\(CoreDataNames.modelName(type))' leads to objects that are "
        + "not in the zone"
      let problem = RecordProblem(.relationshipDangling, type, field: field, message)
      found.append((key, problem, values.missing))
    }
    for (key, count) in links {
      let sides = key.name.string.split(separator: " ").map { "'\($0)'" }
      let message =
        sides.count == 2
        ? "links of the many-to-many relationship \(sides[0]) and \(sides[1]) lead to objects that "
          + "are not in the zone"
        : "links of many-to-many relationships do not name two objects"
      found.append(
        (key, RecordProblem(.relationshipDangling, key.recordType.string, message), count))
    }
    return found.sorted { a, b in
      if a.key.database != b.key.database { return a.key.database < b.key.database }
      return a.key.recordType != b.key.recordType
        ? a.key.recordType < b.key.recordType : a.key.name < b.key.name
    }.map { ($0.key.database, $0.problem, $0.count) }
  }

  /// Adds the problems to a census of the same records.
  package func add(to census: inout RecordCensus) {
    for (database, problem, count) in sorted { census.add(problem, count, in: database) }
    for (kind, count) in kinds { census.add(kind, count) }
  }
}
