import RecordArchive
import RecordModel
import RecordStore
import StoreTestSupport
import TestSupport

extension MirroredSample {
  /// A container in memory with the sample's records, without files and encrypted values.
  static func source() throws -> ArchiveSource {
    let zoneID = ZoneID(zoneName: zone)
    let container = try ContainerStore.inMemory(info: ContainerInfo(schema: schema))
    try container.database(.private).save([RecordZone(zoneID: zoneID)])
    try container.database(.private).save(
      rows.map { row in
        var draft = DraftRecord(
          recordType: row.type, recordID: RecordID(recordName: row.name, zoneID: zoneID))
        for (name, text) in row.texts { draft[name] = text }
        for (name, number) in row.numbers { draft[name] = number }
        return draft
      })
    return .container(container)
  }
}
