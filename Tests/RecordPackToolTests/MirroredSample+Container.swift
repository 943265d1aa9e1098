import Foundation
import RecordPack
import StoreTestSupport

extension MirroredSample {
  static let zoneID = ZoneID(zoneName: zone)

  /// Makes a container of the sample's records.
  static func makeContainer(
    in folder: String, name: String = "Notes.sqlite", _ rows: [Row] = rows
  ) throws {
    let container = try ContainerStore.open(
      path: folder + "/" + name, mode: .create,
      info: ContainerInfo(
        identifier: "iCloud.com.example.notes", environment: .development, schema: schema),
      now: { Date(timeIntervalSince1970: 1_760_000_000.5) })
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: zoneID)])
    _ = try database.save(
      rows.map { row in
        var draft = DraftRecord(
          recordType: row.type, recordID: RecordID(recordName: row.name, zoneID: zoneID))
        for (name, text) in row.texts { draft[name] = text }
        for (name, number) in row.numbers { draft[name] = number }
        for (name, text) in row.secrets { draft.encryptedValues[name] = text }
        for (name, text) in row.files { draft[name] = Asset(data: Data(text.utf8)) }
        return draft
      })
    try container.close()
  }
}
