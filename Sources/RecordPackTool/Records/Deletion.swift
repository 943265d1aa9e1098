import RecordArchive
import RecordCoding
import RecordModel
import RecordStore
import RecordText

/// The records, or the zone, that `delete` deletes.
struct Deletion {
  struct Record {
    let location: RecordLocation
    let type: String
  }

  private(set) var records: [Record] = []
  private var locations: Set<RecordLocation> = []
  /// The records that cannot be read.
  private(set) var damaged: Set<RecordLocation> = []
  /// The names that no record has.
  var missing: [String] = []
  /// The zone, and the number of its records.
  var zone: (database: DatabaseScope, zoneID: ZoneID, records: Int)?

  init(zone: (database: DatabaseScope, zoneID: ZoneID, records: Int)? = nil) {
    self.zone = zone
  }

  mutating func add(_ record: ResultRecord, in database: DatabaseScope) {
    let location = RecordLocation(database, record.recordID)
    guard locations.insert(location).inserted else { return }
    records.append(Record(location: location, type: record.recordType))
  }

  /// Adds a record that cannot be read.
  mutating func addDamaged(_ location: RecordLocation) {
    guard locations.insert(location).inserted else { return }
    records.append(Record(location: location, type: "damaged record"))
    damaged.insert(location)
  }

  func contains(_ database: DatabaseScope, _ recordID: RecordID) -> Bool {
    if let zone { return zone.database == database && zone.zoneID == recordID.zoneID }
    return locations.contains(RecordLocation(database, recordID))
  }
}

/// The records or the zone to delete, and the options that chose them.
struct DeletionChoice {
  let deletion: Deletion
  /// The references to it; nil if they are not reported.
  var dangling: DanglingReferences?
  let filter: RecordFilter
  /// The condition of `--where`.
  var check: ConditionCheck?
}

extension DeleteCommand {
  func choose(_ names: [String]) throws -> DeletionChoice {
    let opened = try Inputs.container(container)
    defer { _ = try? opened.close() }
    let source = ArchiveSource.container(opened)
    let filter = try selection.filter(in: [source])
    let check = try condition.check(in: [source], filter)
    let chosen =
      if let check {
        try records(that: check[0], source, filter)
      } else if self.names.isEmpty {
        try chosenZone(source, filter)
      } else {
        try records(names, source, filter)
      }
    let dangling =
      quiet.quiet
      ? nil
      : try DanglingReferences(in: source, isDeleted: chosen.contains) {
        try Interruption.check()
      }
    return DeletionChoice(deletion: chosen, dangling: dangling, filter: filter, check: check)
  }

  private func records(
    that condition: ArchiveCondition, _ source: ArchiveSource, _ filter: RecordFilter
  ) throws -> Deletion {
    var deletion = Deletion()
    try source.forEachRecord(filter) { record, database in
      try Interruption.check()
      if try condition(record, database) { deletion.add(record, in: database) }
    }
    return deletion
  }

  private func records(
    _ names: [String], _ source: ArchiveSource, _ filter: RecordFilter
  ) throws -> Deletion {
    var deletion = Deletion()
    var damaged: [RecordLocation] = []
    try source.forEachName(names, filter, damaged: { damaged.append($0) }) { name, found in
      try Interruption.check()
      defer { damaged = [] }
      let places = found.map { RecordLocation($0.database, $0.record.recordID) } + damaged
      guard all || places.count <= 1 else {
        let zones = places.map { "\($0.database.rawValue) \($0.recordID.zoneID)" }
        throw CommandError(
          "\(places.count) records have the name '\(name)' (\(zones.joined(separator: ", "))); "
            + "choose with --database and --zone, or delete them all with --all")
      }
      if places.isEmpty {
        guard ignoreMissing else {
          throw try MissingRecord.failure(name, in: source, container, filter)
        }
        deletion.missing.append(name)
      }
      for (database, record) in found { deletion.add(record, in: database) }
      for place in damaged { deletion.addDamaged(place) }
    }
    return deletion
  }

  private func chosenZone(
    _ source: ArchiveSource, _ filter: RecordFilter
  ) throws -> Deletion {
    let zones = try source.zones().map { (database: $0.database, zoneID: $0.zone.zoneID) }.filter {
      filter.contains(database: $0.database, zoneID: $0.zoneID)
    }
    guard !zones.isEmpty else {
      throw CommandError(
        "zone '\(selection.zone[0].argument)' is already deleted"
          + (selection.database.isEmpty ? "" : ", or in another database"))
    }
    guard zones.count == 1, let zone = zones.first else {
      let places = zones.map { "\($0.database.rawValue) \($0.zoneID)" }
      throw CommandError(
        "\(zones.count) zones match (\(places.joined(separator: ", "))); choose with --database "
          + "and NAME/OWNER")
    }
    guard !zone.zoneID.isDefault else { throw CommandError("the default zone cannot be deleted") }
    let only = RecordFilter(databases: [zone.database], zoneIDs: [zone.zoneID])
    return try deletion(
      of: zone.zoneID, in: zone.database,
      records: source.sections(only).reduce(0) { $0 + $1.records })
  }

  func deletion(
    of zoneID: ZoneID, in database: DatabaseScope, records: Int
  ) throws -> Deletion {
    guard records == 0 || withRecords else {
      throw CommandError(
        "zone '\(zoneID)' has \(Numbers.count(records, "record")); use --with-records to delete them "
          + "with it")
    }
    return Deletion(zone: (database, zoneID, records))
  }
}

struct DeleteReport: CommandReport {
  static let format = "delete"
  let container: String
  let isDryRun: Bool
  let deletion: Deletion
  let dangling: DanglingReferences

  func lines(_ style: TerminalStyle) -> [String] {
    let verb = isDryRun ? "Would delete" : "Deleted"
    let missing = deletion.missing.isEmpty ? "" : "; \(deletion.missing.count) missing"
    let records = Numbers.count(deletion.zone?.records ?? deletion.records.count, "record")
    let zone = deletion.zone.map {
      "zone \(ZoneLocation($0.database, $0.zoneID).text()) with "
    }
    return deletion.records.map { style.paint("- \($0.location.text($0.type))", .red) }
      + dangling.lines(style)
      + ["\(verb) \(zone ?? "")\(records) from \(container.visible)\(missing)"]
  }

  var json: JSONValue {
    let isZone = deletion.zone != nil
    return .merging(
      [
        "container": container, "dryRun": isDryRun,
        "records": deletion.zone?.records ?? deletion.records.count,
        "zone": deletion.zone.map { ZoneLocation($0.database, $0.zoneID).json },
        "deleted": isZone ? nil : deletion.records.map { $0.location.json($0.type) },
        "missing": isZone ? nil : deletion.missing,
      ], dangling.json)
  }
}

/// The references of remaining records to deleted ones.
struct DanglingReferences {
  struct Example {
    let location: RecordLocation
    let recordType: String
    let field: String
    let reference: Reference
  }

  /// The number of references to name.
  static let maxExamples = 100

  private(set) var count = 0
  private(set) var examples: [Example] = []
  /// The damaged record at which the search ended; nil if it is complete.
  private(set) var damage: String?

  /// Finds the references. Reads all records, one at a time, up to the first damaged one, which
  /// must not keep others from being deleted.
  ///
  /// - Parameter isDeleted: Whether a record is to be deleted.
  init(
    in source: ArchiveSource, isDeleted: (DatabaseScope, RecordID) -> Bool,
    progress: () throws -> Void
  ) throws {
    do {
      try source.forEachRecord(.all) { record, database in
        try progress()
        guard !isDeleted(database, record.recordID) else { return }
        for (field, reference) in record.allReferences
        where isDeleted(database, reference.recordID) {
          count += 1
          guard examples.count < Self.maxExamples else { continue }
          examples.append(
            Example(
              location: RecordLocation(database, record), recordType: record.recordType,
              field: field, reference: reference))
        }
      }
    } catch let error as ContainerStoreError where error.recordID != nil {
      damage = error.descriptionWithoutDetail
    }
  }

  func lines(_ style: TerminalStyle) -> [String] {
    referenceLines(style)
      + (damage.map {
        [style.paint("Not all references were searched for: \($0.visible)", .yellow)]
      } ?? [])
  }

  private func referenceLines(_ style: TerminalStyle) -> [String] {
    guard count > 0 else { return [] }
    let words = FieldText(showEncrypted: false)
    let shown = examples.prefix(20).map { example in
      "  \(example.location.text(example.recordType)): \(example.field.visible) "
        + words.reference(example.reference).visible
    }
    let rest = count - shown.count
    return [
      style.paint(
        "\(Numbers.count(count, "reference")) to what is deleted: CloudKit also deletes records that "
          + "refer with DELETE_SELF, and does not delete a parent", .yellow)
    ] + shown + (rest > 0 ? ["  … and \(Numbers.grouped(rest)) more"] : [])
  }

  var json: JSONValue {
    let list = examples.map { example in
      example.location.json(example.recordType).adding([
        "field": example.field, "action": example.reference.action.rawValue,
        "refersTo": example.reference.recordID.recordName,
      ])
    }
    return .merging(
      ["referenceCount": count, "references": list], damage.map { ["unsearched": $0] } ?? [:])
  }
}

extension ResultRecord {
  /// The references in fields, to the parent and to the share, with the names of the fields.
  fileprivate var allReferences: [(field: String, reference: Reference)] {
    [("parent", parent), ("share", share)].compactMap { name, link in link.map { (name, $0) } }
      + references.map { ($0.field.string, $0.reference) }
  }
}
