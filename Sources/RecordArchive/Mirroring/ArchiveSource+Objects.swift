import RecordModel
import RecordSchema

/// The objects of Core Data whose records a source has.
extension ArchiveSource {
  /// Returns the relationships of the objects that some records are of, as of one moment.
  ///
  /// - Parameters:
  ///   - records: Any records; there are no relationships of those that are not of objects.
  ///   - maxLinks: The number of links in a zone above which they are not searched, as all are read.
  /// - Returns: The relationships, and whether links were not searched.
  package func relationships(
    of records: [(database: DatabaseScope, record: ResultRecord)], maxLinks: Int = .max
  ) throws -> (found: [RecordLocation: MirroredObject.Relationships], isWhole: Bool) {
    let objects = records.filter { $0.record.entityName != nil }
    guard !objects.isEmpty else { return ([:], true) }
    return try read { reader in
      var found: [RecordLocation: MirroredObject.Relationships] = [:]
      var isWhole = true
      let zones = Dictionary(grouping: objects) {
        ZoneLocation($0.database, $0.record.recordID.zoneID)
      }
      for (zone, objects) in zones {
        let filter = RecordFilter(databases: [zone.database], zoneIDs: [zone.zoneID])
        let entities = try reader.entities(of: objects.map(\.record), filter)
        for (database, record) in objects {
          let location = RecordLocation(database, record.recordID)
          for (_, name) in record.possibleTargets where entities[name] != nil {
            found[location, default: .init()].targets[name] = entities[name]
          }
        }
        var links = filter
        links.recordTypes = [CoreDataNames.linkType]
        let count = try reader.sections(links).reduce(0) { $0 + $1.records }
        guard count <= maxLinks else {
          isWhole = false
          continue
        }
        let wanted = Set(objects.map(\.record.recordID))
        try reader.forEachLink(links) { link, database in
          for side in link.sides where wanted.contains(side.recordID) {
            found[RecordLocation(database, side.recordID), default: .init()].add(link, side)
          }
        }
      }
      for location in found.keys { found[location]?.sort() }
      return (found, isWhole)
    }
  }

  /// Returns the name that a section is shown with: the entity of Core Data's records, as far as the
  /// first of them is of an object; the record type otherwise. Records of sub-entities are in the section
  /// of their root entity.
  package func shownType(of section: Section) -> String {
    guard section.recordType.hasPrefix(CoreDataNames.prefix) else { return section.recordType }
    let filter = RecordFilter(
      databases: [section.database], zoneIDs: [section.zoneID],
      recordTypes: [section.recordType])
    var isOfObjects = false
    // A damaged record is shown where it is read.
    _ = try? readRecords(filter) { record, _ in
      isOfObjects = record.entityName != nil
      return false
    }
    return isOfObjects ? CoreDataNames.modelName(section.recordType) : section.recordType
  }

  /// Whether the source has records of Core Data's types.
  package func hasMirroredTypes(_ filter: RecordFilter) throws -> Bool {
    try sections(filter).contains { CoreDataNames.isMirrored($0.recordType) }
  }

  /// Finds relationships that lead to missing objects. Reads the zones that have objects twice; memory
  /// grows with the number of records in the largest of them, about 50 bytes each.
  ///
  /// - Parameters:
  ///   - filter: The records to check; their targets may be any of the zone.
  ///   - name: The name of the source in errors.
  package func checkRelationships(
    _ filter: RecordFilter = .all, named name: String,
    maxExamples: Int = RecordCensus.defaultExamples
  ) throws -> RelationshipCheck {
    var check = RelationshipCheck(source: name, maxExamples: maxExamples)
    guard try hasMirroredTypes(filter) else { return check }
    try read { try $0.checkRelationships(filter, &check) }
    return check
  }
}

extension ArchiveReader {
  /// The entities of those objects in a zone that may be targets of others.
  fileprivate func entities(
    of records: [ResultRecord], _ filter: RecordFilter
  ) throws -> [ExactString: String] {
    let names = Set(records.flatMap { $0.possibleTargets.map(\.name) })
    var entities: [ExactString: String] = [:]
    try forEachName(names.sorted().map(\.string), filter, damaged: { _ in }) { name, found in
      if let entity = found.first?.record.entityName { entities[ExactString(name)] = entity }
    }
    return entities
  }

  func forEachLink(
    _ filter: RecordFilter, _ body: (MirroredLink, DatabaseScope) throws -> Void
  ) throws {
    try forEachRecord(filter) { record, database in
      if let link = record.mirroredLink { try body(link, database) }
    }
  }

  func checkRelationships(_ filter: RecordFilter, _ check: inout RelationshipCheck) throws {
    let sections = try sections(filter).filter { CoreDataNames.isMirrored($0.recordType) }
    let zones = Dictionary(grouping: sections) { ZoneLocation($0.database, $0.zoneID) }
    for zone in zones.keys.sorted() {
      let whole = RecordFilter(databases: [zone.database], zoneIDs: [zone.zoneID])
      var names: Set<CompactName> = []
      try forEachRecordID(whole) { recordID, _, _ in
        names.insert(CompactName(recordID.recordName))
      }
      var part = filter
      (part.databases, part.zoneIDs) = (whole.databases, whole.zoneIDs)
      part.recordTypes = NameSet(zones[zone, default: []].map(\.recordType))
      try forEachRecord(part) { try check.add($0, in: $1, among: names) }
    }
  }
}

extension MirroredObject.Relationships {
  /// Adds the target of a link to an object on one side of it.
  mutating func add(_ link: MirroredLink, _ side: MirroredLink.Side) {
    guard let other = link.sides.first(where: { $0 != side }) ?? link.sides.first else { return }
    linked[side.relationship, default: []].append(other.recordID)
    targets[ExactString(other.recordID.recordName)] = other.entity
  }

  /// Orders the targets by their names.
  mutating func sort() {
    for name in linked.keys {
      linked[name]?.sort { compareUTF8($0.recordName, $1.recordName) < 0 }
    }
  }
}
