import CloudInterface
import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import MockCloud

@Suite struct PayloadTests {
  @Test func aPushHasTheFormThatAppsHavePublished() throws {
    let id = RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Notes", ownerName: "_mira"))
    var notification = CloudNotification(
      .query(id, reason: .update, recordFields: ["count": .int64(3), "title": .string("Milk")]),
      subscriptionID: "notes", databaseScope: .shared, containerIdentifier: "iCloud.app")
    notification.alert = .init(localizationKey: "ADDED", localizationArgs: ["Milk"])
    notification.badge = 2
    notification.launchesApp = true
    #expect(
      try notification.payload(of: nil, id: "n").compactText == """
        {"aps":{"alert":{"loc-key":"ADDED","loc-args":["Milk"]},"badge":2,"content-available":1},\
        "ck":{"cid":"iCloud.app","nid":"n","ce":2,"qry":{"dbs":3,"sid":"notes","fo":2,"rid":"a",\
        "zid":"Notes","zoid":"_mira","af":{"count":3,"title":"Milk"}}}}
        """)
    let userInfo = try notification.remoteNotificationDictionary
    let data = try JSONSerialization.data(withJSONObject: userInfo)
    let read = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    let query = try #require(read["ck"]?["qry"] as? [String: Any])
    #expect(query["fo"] as? Int == 2 && query["rid"] as? String == "a")
    #expect((query["af"] as? [String: Any])?["count"] as? Int == 3)
  }
}
