import RecordMigration
import RecordModel

/// Divides the sections of a source: some can be streamed to their targets, others must first be
/// sorted and checked for collisions.
struct SectionRoutes {
  /// The sections whose records stay together, in the order of their targets.
  private(set) var straight: [(source: RecordSection, target: RecordSection)] = []
  /// All other sections.
  private(set) var detours: Set<RecordSection> = []

  init(_ job: SourceMigration) throws {
    var others: [(section: RecordSection, outline: Migrator.Outline)] = []
    for section in job.sections {
      let outline = job.migrator.outline(
        section.recordType, in: section.zoneID, of: section.database)
      // A new zone is created only if a record arrives in it.
      let mayBeEmpty = outline.mayLeaveBehind || job.filter.isByDate
      if let place = outline.onlyPlace, place.zoneID == section.zoneID || !mayBeEmpty {
        let target = RecordSection(section.database, place.zoneID, place.recordType)
        straight.append((section, target))
      } else {
        others.append((section, outline))
      }
    }
    detours = Set(others.map(\.section))
    // Two sections that become one must be sorted.
    let targets = Dictionary(grouping: straight, by: \.target)
    for (_, pairs) in targets where pairs.count > 1 { detours.formUnion(pairs.map(\.source)) }
    // Record names are unique in a zone across types, so records that move to a zone with other
    // records or tombstones must be checked against these.
    let moving = straight.filter { $0.source.zoneID != $0.target.zoneID }
    let occupied = moving.isEmpty ? [] : try job.reader.occupiedZones()
    for (source, target) in moving {
      let zone = ZoneLocation(target.database, target.zoneID)
      let isOccupied =
        occupied.contains(zone)
        || straight.contains {
          ZoneLocation($0.target.database, $0.target.zoneID) == zone
            && $0.source.zoneID != source.zoneID
        }
        || others.contains { section, outline in
          section.database == target.database && section.zoneID != source.zoneID
            && (outline.isUnknown || outline.places.contains { $0.zoneID == target.zoneID })
        }
      if isOccupied { detours.insert(source) }
    }
    straight = straight.filter { [detours] in !detours.contains($0.source) }
      .sorted { $0.target.precedes($1.target) }
  }
}

extension ArchiveReader {
  /// The zones with records or tombstones.
  fileprivate func occupiedZones() throws -> Set<ZoneLocation> {
    var zones = Set(try sections().map { ZoneLocation($0.database, $0.zoneID) })
    try forEachTombstone { zones.insert(ZoneLocation($1, $0.recordID.zoneID)) }
    return zones
  }
}
