import MockCloud
import RecordBundle
import RecordMigration
import RecordModel

/// Which sections of a bundle can be streamed to where their records come to lie, and which must be
/// put in order and held against others first.
struct MigrationWays {
  /// Sections whose records stay together, by the order of their new places.
  private(set) var straight: [(source: RecordSection, target: RecordSection)] = []
  /// All others.
  private(set) var detours: Set<RecordSection> = []

  init(_ job: MigrationJob) throws {
    var others: [(section: RecordSection, outline: Migrator.Outline)] = []
    for section in job.sections {
      let outline = job.migrator.outline(
        section.recordType, in: section.zoneID, of: section.database)
      if let place = outline.onlyPlace {
        let target = RecordSection(section.database, place.zoneID, place.recordType)
        straight.append((section, target))
      } else {
        others.append((section, outline))
      }
    }
    detours = Set(others.map(\.section))
    // Two sections that become one are put in order too.
    let targets = Dictionary(grouping: straight, by: \.target)
    for (_, pairs) in targets where pairs.count > 1 { detours.formUnion(pairs.map(\.source)) }
    // A record's name is unique in its zone, whatever the type: what moves to a zone where others
    // are is held against them, and against the traces of those that were there.
    let moving = straight.filter { $0.source.zoneID != $0.target.zoneID }
    let occupied = moving.isEmpty ? [] : try job.reader.occupiedZones()
    for (source, target) in moving {
      let zone = (target.database, target.zoneID)
      let isOccupied =
        occupied.contains(RecordSection(target.database, target.zoneID, ""))
        || straight.contains {
          ($0.target.database, $0.target.zoneID) == zone && $0.source.zoneID != source.zoneID
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
  /// The zones with records or traces of them, as sections without a type.
  fileprivate func occupiedZones() throws -> Set<RecordSection> {
    var zones = Set(try sections().map { RecordSection($0.database, $0.zoneID, "") })
    try forEachTombstone { zones.insert(RecordSection($1, $0.recordID.zoneID, "")) }
    return zones
  }
}
