import RecordModel
import Testing

@testable import MockSync

@Suite("Versions of records")
struct RecordVersionsTests {
  @Test(
    "are remembered only for the order of fetching that needs them",
    arguments: [(FetchOrder.olderVersionLast, true), (SyncRules().fetchOrder, false)])
  func remembered(order: FetchOrder, isRemembered: Bool) {
    var rules = SyncRules()
    rules.fetchOrder = order
    let versions = RecordVersions(rules)
    let all = ["1", "2"].map { tag in
      ResultRecord(
        systemFields: SystemFields(
          recordID: RecordID(recordName: "a"), recordType: "Note", recordChangeTag: tag),
        fields: [])
    }
    #expect(versions.remember(all[0]) == nil)
    #expect(versions.remember(all[1]) == (isRemembered ? all[0] : nil))
  }
}
