import CloudWebServices
import Foundation
import MockCloud
import RecordModel

/// The records that are served, and the requests for them.
enum ServedNotes {
  struct Lane: Sendable {
    var name: String
    var path: String
    var body: String

    var target: String {
      "/database/1/iCloud.bench/development/private/\(path)"
        + "?ckAPIToken=t&ckWebAuthToken=__defaultOwner__"
    }

    var request: WebRequest { WebRequest("POST", target, body: Data(body.utf8)) }
  }

  private static let zone = #""zoneID":{"zoneName":"Notes"}"#

  static let lanes = [
    Lane(
      name: "lookup", path: "records/lookup",
      body: #"{\#(zone),"records":[{"recordName":"n500"}]}"#),
    Lane(
      name: "query", path: "records/query",
      body:
        #"{\#(zone),"resultsLimit":20,"query":{"recordType":"Note","filterBy":[{"comparator":"GREATER_THAN","fieldName":"order","fieldValue":{"value":300,"type":"INT64"}}],"sortBy":[{"fieldName":"order"}]}}"#
    ),
    Lane(
      name: "modify", path: "records/modify",
      body: "{\(zone),\"operations\":["
        + (0..<200).map { index in
          #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"n\#(index)","fields":{"order":{"value":\#(index),"type":"INT64"}}}}"#
        }.joined(separator: ",") + "]}"),
    Lane(
      name: "changes", path: "records/changes", body: #"{\#(zone),"resultsLimit":200}"#),
  ]

  /// Makes a container in memory with records of some 200 bytes in one zone.
  static func container(records: Int) async throws -> MockContainer {
    var rules = ServerRules.webServices
    rules.queries.enforcesIndexes = false
    let container = try MockContainer.inMemory(rules: rules)
    let database = container.privateCloudDatabase
    let zoneID = ZoneID(zoneName: "Notes")
    try await database.save(RecordZone(zoneID: zoneID))
    for start in stride(from: 0, to: records, by: 200) {
      let drafts = (start..<min(start + 200, records)).map { index in
        var note = DraftRecord(
          recordType: "Note", recordID: RecordID(recordName: "n\(index)", zoneID: zoneID))
        note["title"] = "Note \(index)"
        note["text"] = String(repeating: "a text of some words ", count: 6)
        note["order"] = index
        return note
      }
      _ = try await database.modifyRecords(saving: drafts, deleting: [])
    }
    return container
  }
}
