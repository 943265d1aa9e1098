import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite("A container file in the hands of an SQLite tool")
struct ViewTests {
  @Test("shows records, zones, deletions and assets with names and dates")
  func views() async throws {
    let directory = try TestFolder()
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: notes)])
    var draft = note("one")
    draft["file"] = Asset(data: Data([1, 2, 3]))
    try database.save([draft, note("two")], savingAs: "_ada")
    try database.deleteRecords([note("two").recordID])
    try container.importTransaction { writer in
      try writer.add(serverRecord("b", in: .default, type: "Chat"), to: .public)
    }
    try database.save([RecordZone(zoneID: ZoneID(zoneName: "Notes2"))])
    try database.deleteZone(ZoneID(zoneName: "Notes2"))
    func query(_ sql: String) async throws -> String? { try await sqlite3(path, sql) }
    guard
      let records = try await query(
        """
        SELECT database, zone, owner, type, name, changeTag, created, createdBy, modified,
          json_extract(json, '$.fields.text.value') FROM records ORDER BY name
        """)
    else { return }
    let date = "2025-11-16T15:33:20.125Z"
    #expect(
      records == """
        public|_defaultZone|__defaultOwner__|Chat|b|a|||\(date)|text
        private|Notes|__defaultOwner__|Note|one|3|\(date)|_ada|\(date)|text
        """)
    let zones = try await query("SELECT database, zone, records FROM zones ORDER BY database, zone")
    #expect(zones == "private|Notes|1\nprivate|_defaultZone|0\npublic|_defaultZone|1")
    let deletions = try await query("SELECT database, zone, type, name, deleted FROM deletions")
    #expect(deletions == "private|Notes|Note|two|\(date)\nprivate|Notes2|||")
    let assets = try await query("SELECT sha256, size, records FROM assets")
    #expect(
      assets == "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81|3|1")
  }
}
