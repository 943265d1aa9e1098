import Foundation
import MockCloud
import RecordCoding
import RecordModel
import RecordStore
import Testing

@testable import CloudWebServices

/// Every member of every request: once with a value of another type, once missing, once beside a member
/// that is not known.
@Suite("The members of requests")
struct RequestMemberTests {
  struct Request: Sendable, CustomTestStringConvertible {
    let path: String
    var scope = "private"
    /// A body with each member that the request can have.
    let body: String
    /// The members that must be there; all others may be missing.
    var required: Set<String> = []
    /// The members that others need, so that the request fails in another way without them.
    var supporting: Set<String> = []

    var testDescription: String { path }
  }

  private static let zone =
    #"{"zoneName":"Notes","ownerRecordName":"_anna","zoneType":"REGULAR_CUSTOM_ZONE"}"#

  static let requests = [
    Request(
      path: "records/query",
      body: #"""
        {"zoneID":@Z@,"zoneWide":false,"query":{"recordType":"Note","filterBy":[
        {"comparator":"EQUALS","fieldName":"title","fieldValue":{"value":"x","type":"STRING"}},
        {"comparator":"NEAR","fieldName":"place","distance":10.5,"fieldValue":
        {"value":{"latitude":1,"longitude":2},"type":"LOCATION"}}],
        "sortBy":[{"fieldName":"title","ascending":true},{"fieldName":"place","relativeLocation":
        {"latitude":1,"longitude":2}}]},"desiredKeys":["title"],"resultsLimit":5,
        "numbersAsStrings":false,"getCurrentSyncToken":true}
        """#,
      required: [
        "query", "query.recordType", "query.filterBy[].comparator", "query.filterBy[].fieldName",
        "query.filterBy[].fieldValue", "query.filterBy[].fieldValue.value",
        "query.filterBy[].fieldValue.value.latitude", "query.filterBy[].fieldValue.value.longitude",
        "query.sortBy[].fieldName", "query.sortBy[].relativeLocation.latitude",
        "query.sortBy[].relativeLocation.longitude", "zoneID.zoneName",
      ], supporting: ["query.filterBy[].distance"]),
    Request(
      path: "records/lookup",
      body: #"""
        {"zoneID":@Z@,"desiredKeys":["title"],"numbersAsStrings":false,"records":[
        {"recordName":"a","zoneID":@Z@,"desiredKeys":["title"]}]}
        """#,
      required: [
        "records", "records[].recordName", "zoneID.zoneName", "records[].zoneID.zoneName",
      ]),
    Request(
      path: "records/modify",
      body: #"""
        {"zoneID":@Z@,"atomic":true,"desiredKeys":["title"],"numbersAsStrings":false,"operations":[
        {"operationType":"create","desiredKeys":["title"],"record":{"recordName":"b",
        "recordType":"Note","zoneID":@Z@,"parent":{"recordName":"a","action":"NONE","zoneID":@Z@},
        "createShortGUID":false,"deleted":false,"created":{"timestamp":1},
        "modified":{"timestamp":1},"pluginFields":{},"fields":{
        "title":{"value":"t","type":"STRING"},"size":{"value":1,"type":"INT64"},
        "rank":{"value":1.5,"type":"DOUBLE"},"at":{"value":1700000000000,"type":"TIMESTAMP"},
        "data":{"value":"AAA=","type":"BYTES"},
        "place":{"value":{"latitude":1,"longitude":2,"altitude":3,"horizontalAccuracy":4,
        "verticalAccuracy":5,"speed":6,"course":7,"timestamp":1700000000000},"type":"LOCATION"},
        "of":{"value":{"recordName":"a","action":"NONE","zoneID":@Z@},"type":"REFERENCE"},
        "secret":{"value":"s","type":"STRING","isEncrypted":true},
        "tags":{"value":["a"],"type":"STRING_LIST"}}}},
        {"operationType":"create","record":{"recordName":"s","recordType":"cloudkit.share",
        "forRecord":{"recordName":"a","recordChangeTag":"TAG"},"publicPermission":"NONE",
        "participants":[{"type":"USER","permission":"READ_ONLY","acceptanceStatus":"PENDING",
        "userIdentity":{"userRecordName":"_kenji","nameComponents":{"givenName":"Kenji"},
        "lookupInfo":{"emailAddress":"k@example.com","phoneNumber":"1"}}}]}}]}
        """#,
      required: [
        "operations", "operations[].operationType", "operations[].record",
        "operations[].record.recordType", "zoneID.zoneName", "operations[].record.zoneID.zoneName",
        "operations[].record.parent.recordName", "operations[].record.parent.zoneID.zoneName",
        "operations[].record.fields.of.value.recordName",
        "operations[].record.fields.of.value.zoneID.zoneName",
        "operations[].record.fields.place.value.latitude",
        "operations[].record.fields.place.value.longitude",
        "operations[].record.forRecord.recordName",
        // Without its type, the server reads an encrypted value as bytes.
        "operations[].record.fields.secret.type",
      ],
      supporting: [
        "zoneID", "operations[].record.zoneID", "operations[].record.fields.data.type",
        "operations[].record.fields.at.type", "operations[].record.forRecord",
        "operations[].record.parent.zoneID", "operations[].record.fields.of.value.zoneID",
        "operations[].record.participants[].userIdentity",
        "operations[].record.participants[].userIdentity.userRecordName",
      ]),
    Request(
      path: "records/changes",
      body: #"""
        {"zoneID":@Z@,"syncToken":"","desiredKeys":["title"],"desiredRecordTypes":["Note"],
        "resultsLimit":5,"reverse":false,"numbersAsStrings":false}
        """#, required: ["zoneID", "zoneID.zoneName"]),
    Request(
      path: "changes/zone",
      body: #"""
        {"desiredKeys":["title"],"resultsLimit":5,"zones":[{"zoneID":@Z@,"syncToken":"",
        "desiredKeys":["title"],"desiredRecordTypes":["Note"],"resultsLimit":5,"reverse":true,
        "numbersAsStrings":false}]}
        """#, required: ["zones", "zones[].zoneID", "zones[].zoneID.zoneName"]),
    Request(path: "changes/database", body: #"{"syncToken":"","resultsLimit":5}"#),
    Request(path: "zones/changes", body: #"{"metaSyncToken":"","resultsLimit":5}"#),
    Request(path: "zones/list", body: "{}"),
    Request(
      path: "zones/lookup", body: #"{"zones":[{"zoneID":@Z@},@Z@]}"#,
      required: ["zones", "zones[].zoneID", "zones[].zoneID.zoneName", "zones[].zoneName"]),
    Request(
      path: "zones/modify",
      body: #"""
        {"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"New",
        "ownerRecordName":"_anna","zoneType":"REGULAR_CUSTOM_ZONE"},"atomic":true,"syncToken":"x",
        "deleted":false}}]}
        """#,
      required: [
        "operations", "operations[].operationType", "operations[].zone", "operations[].zone.zoneID",
        "operations[].zone.zoneID.zoneName",
      ]),
    Request(path: "subscriptions/list", body: "{}"),
    Request(
      path: "subscriptions/lookup", body: #"{"subscriptions":[{"subscriptionID":"s"}]}"#,
      required: ["subscriptions", "subscriptions[].subscriptionID"]),
    Request(
      path: "subscriptions/modify",
      body: #"""
        {"operations":[{"operationType":"create","subscription":{"subscriptionID":"q",
        "subscriptionType":"query","zoneID":@Z@,"zoneWide":false,"firesOn":["create"],
        "firesOnce":true,"query":{"recordType":"Note","filterBy":[{"comparator":"EQUALS",
        "fieldName":"title","fieldValue":{"value":"x","type":"STRING"}}],
        "sortBy":[{"fieldName":"title","ascending":true}]},
        "notificationInfo":{"alertBody":"a","alertLocalizationKey":"b","alertLocalizationArgs":["c"],
        "alertActionLocalizationKey":"d","alertLaunchImage":"e","title":"f",
        "titleLocalizationKey":"g","titleLocalizationArgs":["h"],"subtitle":"i",
        "subtitleLocalizationKey":"j","subtitleLocalizationArgs":["k"],"soundName":"l",
        "category":"m","collapseIdKey":"n","additionalFields":["title"],"shouldBadge":true,
        "shouldSendContentAvailable":true,"shouldSendMutableContent":true}}},
        {"operationType":"create","subscription":{"subscriptionID":"z","subscriptionType":"zone",
        "zoneID":@Z@,"recordType":"Note"}},
        {"operationType":"delete","subscription":{"subscriptionID":"d"}}]}
        """#,
      required: [
        "operations", "operations[].operationType", "operations[].subscription",
        "operations[].subscription.subscriptionType", "operations[].subscription.query",
        "operations[].subscription.query.recordType", "operations[].subscription.zoneID.zoneName",
        "operations[].subscription.query.filterBy[].comparator",
        "operations[].subscription.query.filterBy[].fieldName",
        "operations[].subscription.query.filterBy[].fieldValue",
        "operations[].subscription.query.filterBy[].fieldValue.value",
        "operations[].subscription.query.sortBy[].fieldName",
      ],
      supporting: [
        "operations[].subscription.zoneID", "operations[].subscription.subscriptionID",
        "operations[].subscription.firesOn",
      ]),
    Request(
      path: "users/discover", scope: "public",
      body: #"{"lookupInfos":[{"emailAddress":"a","phoneNumber":"b","userRecordName":"c"}]}"#,
      required: ["lookupInfos"]),
    Request(
      path: "users/lookup/email", scope: "public", body: #"{"users":[{"emailAddress":"a"}]}"#,
      required: ["users", "users[].emailAddress"]),
    Request(
      path: "users/lookup/id", scope: "public", body: #"{"users":[{"userRecordName":"a"}]}"#,
      required: ["users", "users[].userRecordName"]),
    Request(
      path: "records/resolve", scope: "public",
      body: #"""
        {"shortGUIDs":[{"value":"x","shouldFetchRootRecord":true,"rootRecordDesiredKeys":["a"]}]}
        """#, required: ["shortGUIDs", "shortGUIDs[].value"]),
    Request(
      path: "records/accept", scope: "public",
      body: #"""
        {"shortGUIDs":[{"value":"x","shouldFetchRootRecord":true,"rootRecordDesiredKeys":["a"]}]}
        """#, required: ["shortGUIDs", "shortGUIDs[].value"]),
    Request(
      path: "assets/upload",
      body: #"""
        {"zoneID":@Z@,"tokens":[{"recordType":"Note","recordName":"a","fieldName":"photo"}]}
        """#, required: ["tokens", "tokens[].fieldName", "zoneID.zoneName"]),
    Request(
      path: "assets/rereference",
      body: #"""
        {"zoneID":@Z@,"assets":[{"zoneID":@Z@,"recordType":"Note","recordName":"a",
        "fieldName":"photo"}]}
        """#,
      required: [
        "assets", "assets[].recordName", "assets[].fieldName", "zoneID.zoneName",
        "assets[].zoneID.zoneName",
      ]),
    Request(
      path: "tokens/create", scope: "device",
      body: #"{"apnsEnvironment":"development","clientId":"a"}"#, required: ["apnsEnvironment"]),
    Request(
      path: "tokens/register", scope: "device",
      body: #"{"apnsEnvironment":"development","apnsToken":"t","clientId":"a"}"#,
      required: ["apnsEnvironment", "apnsToken"]),
  ]

  /// A served container with a zone, a record and a second user.
  private struct Served {
    let client: WebClient
    let tag: String

    init() async throws {
      client = try WebClient()
      _ = try client.container.account("_kenji", emailAddress: "k@example.com")
      try await client.makeZone()
      let fields =
        #"{"title":{"value":"x"},"place":{"value":{"latitude":1,"longitude":2},"type":"LOCATION"}}"#
      tag = try await client.create("a", fields)["recordChangeTag"].string ?? ""
    }

    func body(of request: Request) throws -> JSONValue {
      try JSONParser.parse(
        request.body.replacing("@Z@", with: RequestMemberTests.zone).replacing("TAG", with: tag))
    }

    func send(_ body: JSONValue, to request: Request) async throws -> Answer {
      guard request.scope == "device" else {
        return try await client.with(scope: request.scope).post(request.path, body.compactText)
      }
      let target = "/device/1/\(WebClient.identifier)/development/\(request.path)\(client.query)"
      return try await client.send(WebRequest("POST", target, body: body.compactData))
    }

    /// The numbers of the last changes and the metadata: what a request that stores nothing leaves.
    var state: [String] {
      get throws {
        try client.container.store.snapshot { snapshot in
          try DatabaseScope.allCases.map { "\(try snapshot.lastChange(in: $0))" }
            + ["\(try snapshot.info())"]
        }
      }
    }
  }

  @Test("is complete: it succeeds", arguments: requests)
  func complete(_ request: Request) async throws {
    let served = try await Served()
    let answer = try await served.send(served.body(of: request), to: request)
    #expect(answer.status == 200, "\(answer.text)")
    let isMissing = ["records/resolve", "records/accept", "assets/rereference"].contains(
      request.path)
    let codes = answer.text.components(separatedBy: "serverErrorCode").count - 1
    #expect(
      codes == (isMissing || request.path == "subscriptions/lookup" ? 1 : 0), "\(answer.text)")
  }

  @Test("of another type are BAD_REQUEST, and nothing is stored", arguments: requests)
  func otherType(_ request: Request) async throws {
    let served = try await Served()
    var before = try served.state
    for (path, body) in try served.body(of: request).variants({ $0.ofOtherTypes }) {
      let answer = try await served.send(body, to: request)
      let reason = answer.json["reason"].string ?? ""
      #expect(
        answer.status == 400 && answer.errorCode == "BAD_REQUEST", "\(path) in \(answer.text)")
      #expect(
        reason == "BadRequestException: Unexpected input"
          || reason.hasPrefix("BadRequestException: Invalid value, expected type "),
        "\(path): \(reason)")
      let after = try served.state
      #expect(after == before, "\(path)")
      before = after
    }
  }

  @Test("that are required are BAD_REQUEST if they are missing", arguments: requests)
  func missing(_ request: Request) async throws {
    let served = try await Served()
    for (path, body) in try served.body(of: request).variants({ _ in [nil] })
    where path.last != "]" {
      let fresh = try await Served()
      let before = try fresh.state
      let answer = try await fresh.send(body, to: request)
      if request.required.contains(path) {
        #expect(answer.status == 400, "\(path): \(answer.text)")
        let isEncryption = path.hasSuffix("secret.type")
        #expect(
          isEncryption
            || answer.json["reason"].string?.hasPrefix("BadRequestException: ") == true,
          "\(path): \(answer.text)")
        #expect(try fresh.state == before, "\(path)")
      } else if request.supporting.contains(path) {
        #expect(answer.status < 500, "\(path): \(answer.text)")
      } else {
        #expect(answer.status == 200, "\(path): \(answer.text)")
      }
    }
  }

  @Test("that are not known are ignored, and noted", arguments: requests)
  func unknown(_ request: Request) async throws {
    let served = try await Served()
    let unknown = try JSONValue.Member("kind", JSONParser.parse(#"{"value":[1,null]}"#))
    let variants = try served.body(of: request).objects { .object(($0.members ?? []) + [unknown]) }
    // A reference has no other members: its value would be another type's.
    let names = ["fields", "pluginFields", "of.value.zoneID"]
    for (path, body) in variants where !names.contains(where: { path.hasSuffix($0) }) {
      let fresh = try await Served()
      let answer = try await fresh.send(body, to: request)
      #expect(answer.status == 200, "\(path): \(answer.text)")
      #expect(!answer.text.contains("kind"), "\(path): \(answer.text)")
    }
  }
}

extension JSONValue {
  /// Values of other types, of which none could be read as this one.
  fileprivate var ofOtherTypes: [JSONValue?] {
    switch content {
    case .string: [.integer(7), .object([]), .array([.string("x")])]
    case .number, .bool: [.string("x"), .object([]), .array([])]
    case .array: [.string("x"), .object([.init("a", .integer(1))]), .integer(7)]
    case .object: [.string("x"), .array([]), .integer(7)]
    case .null: []
    }
  }

  /// The value with each member and element replaced in turn, by its path; nil removes it.
  fileprivate func variants(
    _ replacements: (JSONValue) -> [JSONValue?]
  ) throws -> [(path: String, body: JSONValue)] {
    switch content {
    case .object(let members):
      return try members.indices.flatMap { index -> [(String, JSONValue)] in
        let member = members[index]
        func with(_ value: JSONValue?) -> JSONValue {
          var changed = members
          if let value {
            changed[index] = Member(member.name, value)
          } else {
            changed.remove(at: index)
          }
          return .object(changed)
        }
        return replacements(member.value).map { (member.name, with($0)) }
          + (try member.value.variants(replacements).map { path, value in
            (member.name + (path.hasPrefix("[") ? "" : ".") + path, with(value))
          })
      }
    case .array(let elements):
      return try elements.indices.flatMap { index -> [(String, JSONValue)] in
        func with(_ value: JSONValue) -> JSONValue {
          var changed = elements
          changed[index] = value
          return .array(changed)
        }
        return replacements(elements[index]).compactMap(\.self).map { ("[]", with($0)) }
          + (try elements[index].variants(replacements).map { path, value in
            ("[]" + (path.hasPrefix("[") ? "" : ".") + path, with(value))
          })
      }
    default: return []
    }
  }

  /// The value with each object in it replaced in turn.
  fileprivate func objects(
    _ replaced: (JSONValue) -> JSONValue
  ) throws -> [(path: String, body: JSONValue)] {
    let inner = try variants { $0.members == nil ? [] : [replaced($0)] }
    return (members == nil ? [] : [("", replaced(self))]) + inner
  }
}
