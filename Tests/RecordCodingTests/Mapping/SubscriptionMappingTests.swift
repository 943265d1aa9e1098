import RecordModel
import Testing

@testable import RecordCoding

@Suite struct SubscriptionMappingTests {
  private static let texts = [
    #"{"subscriptionID":"s","subscriptionType":"database","#
      + #""notificationInfo":{"shouldSendContentAvailable":true}}"#,
    #"{"subscriptionID":"s","subscriptionType":"zone","#
      + #""zoneID":{"zoneName":"Z","ownerRecordName":"__defaultOwner__"},"recordType":"Note"}"#,
    #"{"subscriptionID":"s","subscriptionType":"query","query":{"recordType":"Note","#
      + #""filterBy":[{"comparator":"NEAR","fieldName":"place","fieldValue":{"type":"LOCATION","#
      + #""value":{"latitude":1,"longitude":2}},"distance":100,"more":1},{"comparator":"IN","#
      + #""fieldName":"___recordID","fieldValue":{"type":"STRING_LIST","value":["a","b"]}}],"#
      + #""sortBy":[{"fieldName":"place","ascending":false,"relativeLocation":{"latitude":1,"#
      + #""longitude":2}}],"extra":[]},"firesOn":["create","delete"],"firesOnce":true,"#
      + #""notificationInfo":{"alertBody":"A","alertLocalizationKey":"K","#
      + #""alertLocalizationArgs":["a"],"alertActionLocalizationKey":"L","alertLaunchImage":"I","#
      + #""title":"T","titleLocalizationKey":"TK","titleLocalizationArgs":["t"],"subtitle":"S","#
      + #""subtitleLocalizationKey":"SK","subtitleLocalizationArgs":["s"],"soundName":"N","#
      + #""category":"C","collapseIdKey":"I","additionalFields":["f"],"shouldBadge":true,"#
      + #""shouldSendContentAvailable":true,"shouldSendMutableContent":true,"new":{}},"#
      + #""zoneWide":false}"#,
  ]

  @Test("a filter keeps what it does not know of the value it compares with")
  func filterMembers() throws {
    let json =
      #"{"comparator":"EQUALS","fieldName":"x","fieldValue":{"type":"STRING","isEncrypted":true,"#
      + #""value":"q","later":{"a":1}}}"#
    var filter = try QueryFilter(json: JSONParser.parse(json))
    #expect(try filter.jsonValue().compactText == json)
    filter.fieldValue = .string("r")
    filter.fieldName = "y"
    #expect(try filter.jsonValue().compactText.contains(#""later":{"a":1}"#))
    #expect(filter.field.isEncrypted && filter.fieldName == "y")
  }

  @Test(arguments: texts)
  func `subscriptions come back as they were written`(_ text: String) throws {
    let subscription = try CloudSubscription(json: JSONParser.parse(text))
    #expect(try subscription.jsonValue().compactText == text)
  }

  @Test func `every member lands where it belongs`() throws {
    let subscription = try CloudSubscription(json: JSONParser.parse(Self.texts[2]))
    guard case .query(let query, zoneID: nil, let firesOn, firesOnce: true) = subscription.kind
    else {
      Issue.record("\(subscription.kind)")
      return
    }
    #expect(firesOn == [.create, .delete])
    #expect(query.recordType == "Note")
    #expect(query.filters[0].distance == 100 && query.filters[0].comparator == .near)
    #expect(query.filters[0].otherMembers["more"]?.text == "1")
    #expect(query.filters[1].fieldValue == .stringList(["a", "b"]))
    #expect(query.sort[0].ascending == false)
    #expect(query.otherMembers["extra"]?.text == "[]")
    #expect(subscription.notificationInfo?.desiredKeys == ["f"])
    #expect(subscription.notificationInfo?.collapseIDKey == "I")
    #expect(subscription.notificationInfo?.otherMembers["new"]?.text == "{}")
    #expect(subscription.otherMembers["zoneWide"]?.text == "false")
  }

  @Test func `system fields have the names that schemas give them`() throws {
    let filter = try QueryFilter(
      json: JSONParser.parse(
        """
        {"comparator":"LESS_THAN","systemFieldName":"createdTimestamp",
         "fieldValue":{"value":5,"type":"TIMESTAMP"}}
        """))
    #expect(filter.fieldName == "___createTime")
  }

  @Test(arguments: [
    (
      #"{"subscriptionID":"s","subscriptionType":"push"}"#,
      "byte 41, at subscriptionType: found the string \"push\", "
        + "expected \"query\", \"zone\" or \"database\""
    ),
    (
      #"{"subscriptionID":"s","subscriptionType":"zone"}"#,
      "byte 0: found a subscription without 'zoneID', expected the member 'zoneID'"
    ),
    (
      #"{"subscriptionType":"zone"}"#,
      "byte 0: found a subscription without 'subscriptionID', expected the member "
        + "'subscriptionID'"
    ),
    (
      #"{"subscriptionID":"s","subscriptionType":"query","query":{"recordType":"T"},"#
        + #""firesOn":["save"]}"#,
      "byte 87, at firesOn[0]: found the string \"save\", "
        + "expected \"create\", \"update\" or \"delete\""
    ),
  ])
  func `mistakes are named`(_ text: String, message: String) {
    let error = #expect(throws: RecordCodingError.self) {
      try CloudSubscription(json: JSONParser.parse(text))
    }
    #expect(error?.description == message)
  }
}
