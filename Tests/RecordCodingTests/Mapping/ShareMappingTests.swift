import RecordModel
import Testing

@testable import RecordCoding

@Suite struct ShareMappingTests {
  private let text = """
    {"recordName":"Share-1","recordType":"cloudkit.share","recordChangeTag":"5",
     "fields":{"cloudkit.title":{"value":"Trip","type":"STRING"}},
     "shortGUID":"0AbC","publicPermission":"NONE","stableUrl":{"routingKey":"0"},
     "owner":{"participantId":"A","type":"OWNER","permission":"READ_WRITE",
      "acceptanceStatus":"ACCEPTED","publicKeyVersion":1,
      "userIdentity":{"userRecordName":"_1","nameComponents":{"givenName":"Ann","phonetic":{}},
       "lookupInfo":{"emailAddress":"ann@example.com","kind":2}}},
     "participants":[
      {"participantId":"A","type":"OWNER","permission":"READ_WRITE","acceptanceStatus":"ACCEPTED",
       "userIdentity":{"userRecordName":"_1"}},
      {"type":"USER","permission":"READ_ONLY","acceptanceStatus":"INVITED","customRole":"",
       "userIdentity":{"lookupInfo":{"phoneNumber":"555"}}},
      {"type":"ROBOT","permission":"READ_WRITE","acceptanceStatus":"PENDING","userIdentity":{}}]}
    """

  private func record() throws -> ResultRecord {
    try ResultRecord(json: JSONParser.parse(text))
  }

  @Test func `a share's special members are read out of the record`() throws {
    let record = try record()
    let share = try #require(try record.readShareInfo())
    #expect(share == record.shareInfo)
    #expect(share.publicPermission == .none && share.shortGUID == "0AbC")
    #expect(share.owner?.participantID == "A" && share.owner?.role == .owner)
    #expect(share.owner?.userIdentity.nameComponents?.givenName == "Ann")
    #expect(share.owner?.userIdentity.lookupInfo?.emailAddress == "ann@example.com")
    #expect(share.participants.map(\.acceptanceStatus) == [.accepted, .pending, .pending])
    #expect(share.participants.map(\.role) == [.owner, .privateUser, .unknown])
    #expect(record["cloudkit.title"] as? String == "Trip")
  }

  @Test func `what is not known of participants survives a change`() throws {
    var draft = DraftRecord(try record())
    var share = try #require(draft.shareInfo)
    share.participants[1].permission = .readWrite
    share.publicPermission = .readOnly
    draft.shareInfo = share
    let json = try JSONParser.parse(draft.resultRecord().jsonValue().compactText)
    #expect(json["publicPermission"]?.string == "READ_ONLY")
    #expect(json["stableUrl"]?.compactText == #"{"routingKey":"0"}"#)
    #expect(json["owner"]?["publicKeyVersion"]?.numberText == "1")
    #expect(json["owner"]?["userIdentity"]?["lookupInfo"]?["kind"]?.numberText == "2")
    let name = json["owner"]?["userIdentity"]?["nameComponents"]
    #expect(name?.compactText == #"{"givenName":"Ann","phonetic":{}}"#)
    let participants = try #require(json["participants"]?.elements)
    #expect(participants[1]["permission"]?.string == "READ_WRITE")
    #expect(participants[1]["customRole"]?.string == "")
    #expect(participants[2]["type"]?.string == "ROBOT")
    #expect(draft.shareInfo == share)
    draft.shareInfo = nil
    #expect(draft.otherMembers.map(\.name) == ["stableUrl"])
  }

  @Test func `what is not known of a share's words stays as it came`() throws {
    var draft = DraftRecord(
      try ResultRecord(json: JSONParser.parse(text.replacing("\"NONE\"", with: "\"TEAM\""))))
    let share = try #require(draft.shareInfo)
    #expect(share.publicPermission == .unknown)
    draft.shareInfo = share
    #expect(draft.otherMembers["publicPermission"]?.text == "\"TEAM\"")
    var known = DraftRecord(try ResultRecord(json: JSONParser.parse(text)))
    known.shareInfo = share
    #expect(known.otherMembers["publicPermission"]?.text == "\"UNKNOWN\"")
  }

  @Test func `errors do not show the data of participants`() throws {
    let record = try ResultRecord(
      json: JSONParser.parse(text.replacing("\"555\"", with: "555")))
    let error = #expect(throws: RecordCodingError.self) { try record.readShareInfo() }
    #expect(error?.path.hasSuffix("userIdentity.lookupInfo.phoneNumber") == true)
    #expect(error?.found == "a number")
  }

  @Test func `other records have no share info`() throws {
    let record = try ResultRecord(
      json: JSONParser.parse(#"{"recordName":"a","recordType":"T","participants":5}"#))
    #expect(try record.readShareInfo() == nil)
    #expect(record.systemFields.otherMembers.map(\.name) == ["participants"])
  }

  @Test func `members that are no share's are named`() throws {
    let record = try ResultRecord(
      json: JSONParser.parse(
        text.replacing("\"userIdentity\":{}", with: "\"userIdentity\":[]")))
    #expect(record.shareInfo == nil)
    let error = #expect(throws: RecordCodingError.self) { try record.readShareInfo() }
    #expect(error?.path == "participants[2].userIdentity")
  }

  @Test func `shares and participants stand alone`() throws {
    let share = try #require(try record().readShareInfo())
    #expect(try Share(json: JSONParser.parse(share.jsonValue().compactText)) == share)
    for participant in share.participants {
      let text = try participant.jsonValue().compactText
      #expect(try ShareParticipant(json: JSONParser.parse(text)) == participant)
    }
  }
}
