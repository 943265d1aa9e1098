import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import TestSupport

/// Requests to all endpoints, and what was answered.
final class Conversation {
  private(set) var responses: [DescriptionValidator.Response] = []
  private let client: WebClient

  private init() throws {
    client = try WebClient(admin: WebAdmin(clock: WebClock { WebClient.now }))
    _ = try client.container.account(
      "_kenji", nameComponents: .init(givenName: "Kenji", familyName: "Sato"),
      emailAddress: "kenji@example.com")
  }

  static func recorded() async throws -> Conversation {
    let conversation = try Conversation()
    try await conversation.talkAboutRecords()
    try await conversation.talkAboutAssets()
    try await conversation.talkAboutShares()
    try await conversation.talkAboutTheRest()
    try await conversation.administer()
    return conversation
  }

  /// Whether there is a response of an operation.
  func covers(_ operation: String) -> Bool {
    responses.contains { response in
      guard response.status < 300 else { return false }
      let pattern = operation.replacing(/\{[^}]*\}/, with: "[^/]+")
      let name = "\(response.method) \(response.path)"
      return name.range(of: "^\(pattern)$", options: .regularExpression) != nil
    }
  }

  // MARK: Sending

  @discardableResult
  private func send(_ request: WebRequest) async throws -> Answer {
    let answer = try await client.send(request)
    responses.append(
      .init(
        method: request.method, path: request.path, status: answer.status, body: answer.text))
    return answer
  }

  @discardableResult
  private func ask(
    _ path: String, _ body: String = "{}", method: String = "POST", scope: String = "private",
    user: String? = "_anna"
  ) async throws -> Answer {
    var client = client.with(scope: scope)
    client.user = user
    return try await send(
      WebRequest(
        method, client.target(path), headers: ["Host": "localhost"],
        body: method == "GET" ? Data() : Data(body.utf8)))
  }

  @discardableResult
  private func admin(_ method: String, _ path: String, _ body: Data = Data()) async throws
    -> Answer
  {
    try await send(WebRequest(method, "/admin/" + path, body: body))
  }

  private func path(of address: String?) -> String {
    (address ?? "").replacing("http://localhost", with: "")
  }

  // MARK: Talking

  private static let zone = #""zoneID":{"zoneName":"Notes"}"#

  private func talkAboutRecords() async throws {
    let zones =
      #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}},{"operationType":"create","zone":{"zoneID":{"zoneName":"Old"}}},{"operationType":"delete","zone":{"zoneID":{"zoneName":"None"}}}]}"#
    try await ask("zones/modify", zones)
    try await ask(
      "zones/modify",
      #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Old"}}}]}"#)
    for method in ["GET", "POST"] { try await ask("zones/list", method: method) }
    try await ask("zones/lookup", #"{"zones":[{"zoneName":"Notes"},{"zoneName":"None"}]}"#)
    let fields =
      #"{"title":{"value":"Milk"},"order":{"value":1,"type":"INT64"},"size":{"value":1.5},"data":{"value":"AAEC","type":"BYTES"},"date":{"value":1700000000000,"type":"TIMESTAMP"},"place":{"value":{"latitude":1.5,"longitude":2,"timestamp":1700000000000}},"other":{"value":{"recordName":"b","action":"NONE"}},"tags":{"value":["a"]},"none":{"value":[]},"counts":{"value":[1]},"others":{"value":[{"recordName":"b"}],"type":"REFERENCE_LIST"},"secret":{"value":"s","type":"STRING","isEncrypted":true},"bytes":{"value":"AA==","type":"BYTES","isEncrypted":true}}"#
    let saves =
      #"{"operationType":"create","record":{"recordType":"Note","recordName":"a","fields":\#(fields),"parent":{"recordName":"b"}}},{"operationType":"create","record":{"recordType":"Note","recordName":"b"}},{"operationType":"forceDelete","record":{"recordName":"c"}}"#
    try await ask("records/modify", "{\(Self.zone),\"operations\":[\(saves)]}")
    // Once more: these are conflicts.
    for atomic in [true, false] {
      try await ask(
        "records/modify", "{\(Self.zone),\"atomic\":\(atomic),\"operations\":[\(saves)]}")
    }
    for more in ["", #","numbersAsStrings":true"#, #","desiredKeys":["title"]"#] {
      try await ask(
        "records/lookup",
        "{\(Self.zone)\(more),\"records\":[{\"recordName\":\"a\"},{\"recordName\":\"x\"}]}")
    }
    try await ask(
      "records/query?getCurrentSyncToken=true",
      #"{\#(Self.zone),"query":{"recordType":"Note"},"resultsLimit":1}"#)
    try await ask("records/query", #"{"zoneWide":true,"query":{"recordType":"Note"}}"#)
    try await ask("records/query", #"{"query":1}"#)
    try await ask("records/changes", "{\(Self.zone)}")
    try await ask("records/changes", #"{"zoneID":{"zoneName":"None"}}"#)
    try await ask(
      "changes/zone", "{\"zones\":[{\(Self.zone)},{\"zoneID\":{\"zoneName\":\"None\"}}]}")
    try await ask("changes/database")
    try await ask("zones/changes")
  }

  private func talkAboutAssets() async throws {
    let upload = try await ask("assets/upload", #"{"tokens":[{"fieldName":"photo"}]}"#)
    let path = path(of: upload.json["tokens"][0]["url"].string)
    for method in ["POST", "PUT"] {
      try await send(WebRequest(method, path, body: Data("a photo".utf8)))
    }
    try await send(WebRequest("POST", path + "x", body: Data()))
    let value = try await send(WebRequest("POST", path, body: Data("b".utf8))).json["singleFile"]
    try await ask(
      "records/modify",
      #"{\#(Self.zone),"operations":[{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"b","fields":{"photo":{"value":\#(value),"type":"ASSETID"}}}}]}"#
    )
    try await ask(
      "assets/rereference",
      #"{\#(Self.zone),"assets":[{"recordName":"b","fieldName":"photo"},{"recordName":"a","fieldName":"x"}]}"#
    )
  }

  private func talkAboutShares() async throws {
    let share =
      #"{"operationType":"create","record":{"recordType":"cloudkit.share","forRecord":{"recordName":"b"},"publicPermission":"READ_WRITE"}}"#
    let saved = try await ask("records/modify", "{\(Self.zone),\"operations\":[\(share)]}")
    let guid = saved.json["records"][0]["shortGUID"].string ?? ""
    let body =
      #"{"shortGUIDs":[{"value":"\#(guid)","shouldFetchRootRecord":true},{"value":"none"}]}"#
    for path in ["records/resolve", "records/accept"] {
      try await ask(path, body, scope: "public", user: "_kenji")
    }
    for path in ["changes/database", "zones/list"] {
      try await ask(path, scope: "shared", user: "_kenji")
    }
    let own = #"{"zoneID":{"zoneName":"Notes","ownerRecordName":"_anna"}}"#
    try await ask("records/changes", own, scope: "shared", user: "_kenji")
  }

  private func talkAboutTheRest() async throws {
    let device = "/device/1/\(WebClient.identifier)/development/tokens/"
    let created = try await send(
      WebRequest(
        "POST", device + "create" + client.query, headers: ["Host": "localhost"],
        body: Data(#"{"apnsEnvironment":"development"}"#.utf8)))
    try await send(
      WebRequest(
        "POST", device + "register" + client.query,
        body: Data(#"{"apnsEnvironment":"development","apnsToken":"t"}"#.utf8)))
    // Apple's reference has the same paths under another word.
    for path in ["create", "register"] {
      try await send(
        WebRequest(
          "POST", device.replacing("/device/", with: "/database/") + path + client.query,
          headers: ["Host": "localhost"],
          body: Data(#"{"apnsEnvironment":"development","apnsToken":"t"}"#.utf8)))
    }
    let query =
      #"{"recordType":"Note","filterBy":[{"comparator":"EQUALS","fieldName":"order","fieldValue":{"value":1,"type":"INT64"}}],"sortBy":[{"fieldName":"order"}]}"#
    let subscriptions = [
      #"{"subscriptionID":"q","subscriptionType":"query","query":\#(query),"firesOn":["create"],"notificationInfo":{"alertBody":"Hi","shouldBadge":true}}"#,
      #"{"subscriptionID":"z","subscriptionType":"zone",\#(Self.zone)}"#,
      #"{"subscriptionID":"d","subscriptionType":"database"}"#,
    ].map { #"{"operationType":"create","subscription":\#($0)}"# }
    try await ask(
      "subscriptions/modify", #"{"operations":[\#(subscriptions.joined(separator: ","))]}"#)
    try await ask(
      "subscriptions/modify",
      #"{"operations":[{"operationType":"delete","subscription":{"subscriptionID":"d"}},{"operationType":"delete","subscription":{"subscriptionID":"x"}}]}"#
    )
    for method in ["GET", "POST"] { try await ask("subscriptions/list", method: method) }
    try await ask(
      "subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"q"},{"subscriptionID":"x"}]}"#)
    try await ask(
      "records/modify",
      "{\(Self.zone),\"operations\":[{\"operationType\":\"create\",\"record\":{\"recordType\":\"Note\"}}]}"
    )
    let courier = path(of: created.json["webcourierURL"].string)
    for method in ["GET", "POST"] { try await send(WebRequest(method, courier)) }
    for path in ["users/current", "users/caller", "users/discover"] {
      for method in ["GET", "POST"] {
        try await ask(
          path, #"{"lookupInfos":[{"emailAddress":"kenji@example.com"}]}"#, method: method,
          scope: "public")
      }
    }
    try await ask(
      "users/lookup/email", #"{"users":[{"emailAddress":"kenji@example.com"}]}"#, scope: "public")
    try await ask("users/lookup/contacts", scope: "public")
    try await ask("users/lookup/id", #"{"users":[{"userRecordName":"_kenji"}]}"#, scope: "public")
    // Errors of whole requests.
    try await ask("users/discover", #"{"lookupInfos":[]}"#)
    try await ask("zones/list", user: nil)
    try await ask("zones/list", user: "_mallory")
    try await ask("zones/none")
    try await ask("records/query", method: "GET")
  }

  private func administer() async throws {
    for body in [
      #"{"error":"THROTTLED","retryAfter":3,"times":1}"#, #"{"latency":0.001,"zone":"Z"}"#, "{}",
      #"{"response":{"body":{"zones":[]}},"recordType":"Note"}"#,
    ] {
      try await admin("POST", "faults", Data(body.utf8))
    }
    try await ask("zones/list")
    try await admin("GET", "faults")
    try await admin("DELETE", "faults")
    try await admin("POST", "release", Data(#"{"id":1}"#.utf8))
    try await admin("GET", "clock")
    try await admin("POST", "clock", Data(#"{"advance":1}"#.utf8))
    try await admin(
      "POST", "users", Data(#"{"userRecordName":"_eve","emailAddress":"eve@example.com"}"#.utf8))
    try await admin("GET", "users")
    try await admin("GET", "log")
    try await admin("DELETE", "log")
    let bundle = try await client.send(WebRequest("POST", "/admin/snapshot"))
    responses.append(
      .init(method: "POST", path: "/admin/snapshot", status: bundle.status, body: ""))
    try await admin("POST", "load", bundle.response.body)
    try await admin("POST", "load", Data("{}".utf8))
    try await admin("POST", "reset")
    try await admin("POST", "none")
  }
}
