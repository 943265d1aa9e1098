import RecordArchive
import RecordModel
import RecordStore
import RecordText

extension DeleteCommand {
  /// Chooses what to delete, and finds the references to it; nil if they are not reported.
  func choose(_ names: [String]) throws -> (Deletion, DanglingReferences?, RecordFilter) {
    let opened = try Inputs.container(container)
    defer { _ = try? opened.close() }
    let source = ArchiveSource.container(opened)
    let filter = try selection.filter(in: [source])
    let chosen =
      self.names.isEmpty ? try chosenZone(source, filter) : try records(names, source, filter)
    guard !quiet.quiet else { return (chosen, nil, filter) }
    let left = try DanglingReferences(in: source, isDeleted: chosen.contains) {
      try Interruption.check()
    }
    return (chosen, left, filter)
  }

  private func records(
    _ names: [String], _ source: ArchiveSource, _ filter: RecordFilter
  ) throws -> Deletion {
    var deletion = Deletion()
    try source.forEachName(names, filter) { name, found in
      try Interruption.check()
      guard all || found.count <= 1 else {
        let places = found.map { "\($0.database.rawValue) \($0.record.recordID.zoneID)" }
        throw CommandError(
          "\(found.count) records have the name '\(name)' (\(places.joined(separator: ", "))); "
            + "choose with --database and --zone, or delete them all with --all")
      }
      if found.isEmpty {
        guard ignoreMissing else {
          throw try MissingRecord.failure(name, in: source, container, filter)
        }
        deletion.missing.append(name)
      }
      for (database, record) in found { deletion.add(record, in: database) }
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
      throw CommandError("zone '\(selection.zone[0].argument)' is already deleted")
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
    guard records == 0 || force else {
      throw CommandError(
        "zone '\(zoneID)' has \(Numbers.count(records, "record")); use --force to delete them "
          + "with it")
    }
    return Deletion(zone: (database, zoneID, records))
  }
}
