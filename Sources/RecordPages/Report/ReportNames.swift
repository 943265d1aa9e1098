import RecordArchive
import RecordModel
import RecordText

/// The names in a report: those of zones, users and records may be personal, and are numbers unless
/// they are asked for.
struct ReportNames {
  let areShown: Bool
  private var numbers: [ZoneLocation: Int] = [:]

  init(_ profile: ArchiveProfile, areShown: Bool) {
    self.areShown = areShown
    let listed = profile.zones.map { ZoneLocation($0.database, $0.zoneID) }
    for zone in listed + profile.sections.map({ ZoneLocation($0.database, $0.zoneID) })
    where numbers[zone] == nil {
      numbers[zone] = numbers.count + 1
    }
  }

  /// The number of zones.
  var zoneCount: Int { numbers.count }

  /// The number of a zone in the report, from 1 on.
  func number(of database: DatabaseScope, _ zoneID: ZoneID) -> Int {
    numbers[ZoneLocation(database, zoneID)] ?? 0
  }

  /// The zone's name; `zone 3` for one whose name is not shown.
  func zone(_ database: DatabaseScope, _ zoneID: ZoneID) -> String {
    areShown || Self.isPublic(zoneID) ? "\(zoneID)" : "zone \(number(of: database, zoneID))"
  }

  /// Whether CloudKit has named a zone, and it is the signed-in user's.
  static func isPublic(_ zoneID: ZoneID) -> Bool {
    let names = [ZoneID.defaultZoneName, "com.apple.coredata.cloudkit.zone"]
    return names.contains { $0.sameScalars(as: zoneID.zoneName) }
      && zoneID.ownerName.sameScalars(as: ZoneID.currentUserOwnerName)
  }

  func user(_ name: String, number: Int) -> String { areShown ? name : "user \(number)" }

  func record(_ recordID: RecordID, number: Int) -> String {
    areShown ? recordID.recordName : "record \(number)"
  }
}
