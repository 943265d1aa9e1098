import Foundation
import RecordPack
import RecordPackTesting
import Testing

/// The titles of the tasks that are overdue.
func overdueTitles(in database: any CloudDatabase, at date: Date) async throws -> [String] {
  let query = try RecordQuery(
    recordType: "CD_Task", predicate: "CD_entityName = %@ AND CD_dueDate < %@", "Task", date)
  let (results, _) = try await database.records(matching: query)
  return try results.compactMap { try $0.1.get()["CD_title"] }
}

/// The code of the article about Core Data and SwiftData.
struct MirroredSnippetTests {
  @Test(.emptyContainer())
  func anOverdueTaskIsListed() async throws {
    let database = try MockContainer.current.privateCloudDatabase
    let zone = ZoneID(zoneName: "com.apple.coredata.cloudkit.zone")
    try await database.save(RecordZone(zoneID: zone))
    var task = DraftRecord(recordType: "CD_Task", zoneID: zone)
    task["CD_entityName"] = "Task"
    task["CD_title"] = "Call the plumber"
    task["CD_dueDate"] = Date(timeIntervalSince1970: 1_767_225_600)
    try await database.save(task)
    let noon = Date(timeIntervalSince1970: 1_767_268_800)
    #expect(try await overdueTitles(in: database, at: noon) == ["Call the plumber"])
  }
}
