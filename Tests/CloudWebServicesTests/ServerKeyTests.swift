import CloudWebServices
import Foundation
import RecordModel
import Testing

@Suite struct ServerKeyTests {
  private static let path =
    "/database/1/\(WebClient.identifier)/development/public/records/modify"

  private static func body(_ name: String) -> String {
    #"{"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"\#(name)"}}]}"#
  }

  private func signed(
    _ clock: TestClock = TestClock()
  ) throws -> (client: WebClient, signer: TestSigner) {
    let signer = TestSigner()
    var access = WebAccess()
    let key = try #require(WebServerKey(pem: signer.pem))
    access.serverKeys[TestSigner.keyID] = key
    return (try WebClient(access: access, now: { clock.now }), signer)
  }

  @Test func `a server with a key writes to the public database`() async throws {
    let (client, signer) = try signed()
    let answer = try await client.send(try signer.request(Self.path, Self.body("a")))
    #expect(answer.status == 200)
    _ = try await client.container.publicCloudDatabase.record(for: RecordID(recordName: "a"))
    let empty = try await client.send(
      try signer.request(Self.path.replacing("records/modify", with: "zones/list"), ""))
    #expect(empty.status == 200)
  }

  @Test func `a server does not extend a development schema, as a client does`() async throws {
    let (client, signer) = try signed()
    var info = try client.container.store.info()
    info.schema = """
      DEFINE SCHEMA RECORD TYPE Note ( title STRING, GRANT READ, CREATE, WRITE TO "_icloud" );
      """
    try client.container.store.setInfo(info)
    func body(_ name: String, _ type: String, _ field: String) -> String {
      #"{"operations":[{"operationType":"create","record":{"recordType":"\#(type)","recordName":"\#(name)","fields":{"\#(field)":{"value":"x"}}}}]}"#
    }
    for (type, field, code) in [
      ("Note", "text", "BAD_REQUEST"), ("News", "title", "NOT_FOUND"),
    ] {
      let refused = try await client.send(
        try signer.request(Self.path, body("a", type, field)))
      #expect(refused.json["records"][0]["serverErrorCode"] == code, "\(refused.text)")
    }
    let known = try await client.send(try signer.request(Self.path, body("b", "Note", "title")))
    #expect(known.json["records"][0]["recordChangeTag"].isThere, "\(known.text)")
    let own = try await client.with(scope: "public").post(
      "records/modify", body("c", "Note", "text"))
    #expect(own.json["records"][0]["recordChangeTag"].isThere, "\(own.text)")
  }

  @Test func `a server has no other database, and discovers no users`() async throws {
    let (client, signer) = try signed()
    let paths = [
      Self.path.replacing("public/records/modify", with: "private/zones/list"),
      Self.path.replacing("records/modify", with: "users/discover"),
    ]
    for path in paths {
      let answer = try await client.send(try signer.request(path, "{}"))
      #expect(answer.status == 403)
    }
  }

  @Test func `a server learns the record name of its user`() async throws {
    let (client, signer) = try signed()
    for path in ["users/caller", "users/current"] {
      let answer = try await client.send(
        try signer.request(Self.path.replacing("records/modify", with: path), ""))
      #expect(answer.json["userRecordName"] == "_anna", "\(answer.text)")
    }
  }

  @Test(arguments: ["", "?ckjsBuildVersion=2310&clientId=a%20b"], ["", "{}"])
  func `a client may sign the query, and the digest of an empty body`(
    query: String, body: String
  ) async throws {
    let (client, signer) = try signed()
    let path = Self.path.replacing("records/modify", with: "users/caller") + query
    for digestsNothing in [false, true] {
      for signed in [path, String(path.prefix { $0 != "?" })] {
        let request = try signer.request(
          signed, body, target: path, digestsNothing: digestsNothing)
        let answer = try await client.send(request)
        #expect(answer.status == 200, "\(answer.text)")
      }
    }
    let other = try await client.send(try signer.request(path + "x", body, target: path))
    #expect(other.status == 401)
  }

  @Test(arguments: [
    ("2027-01-15T08:00:00Z", 200), ("2027-01-15T08:00:00.250Z", 200),
    ("2027-01-15T09:00:00+01:00", 200), ("2027-01-15T08:00:00+00:00", 200),
    ("2027-01-15T09:00:00Z", 401), ("Fri, 15 Jan 2027 08:00:00 GMT", 401), ("", 401),
  ])
  func `a date is in any form of ISO 8601`(date: String, status: Int) async throws {
    let (client, signer) = try signed()
    let answer = try await client.send(try signer.request(Self.path, Self.body("a"), date: date))
    #expect(answer.status == status, "\(answer.text)")
  }

  @Test func `a request with another body, path, key or date is refused`() async throws {
    let (client, signer) = try signed()
    let good = try signer.request(Self.path, Self.body("a"))
    var path = good
    path.path = Self.path.replacing("modify", with: "lookup")
    var key = good
    key.headers["X-Apple-CloudKit-Request-KeyID"] = "key-2"
    var date = good
    date.headers["X-Apple-CloudKit-Request-ISO8601Date"] =
      (WebClient.now + 1).formatted(.iso8601)
    var noDate = good
    noDate.headers["X-Apple-CloudKit-Request-ISO8601Date"] = nil
    var noSignature = good
    noSignature.headers["X-Apple-CloudKit-Request-SignatureV1"] = "AAAA"
    var longer = good
    longer.headers["X-Apple-CloudKit-Request-SignatureV1"] =
      (Data(base64Encoded: good.headers["X-Apple-CloudKit-Request-SignatureV1"] ?? "")! + [0])
      .base64EncodedString()
    let body = try signer.request(Self.path, Self.body("b"), signing: Self.body("c"))
    let other = try TestSigner().request(Self.path, Self.body("a"))
    for request in [path, key, date, noDate, noSignature, longer, body, other] {
      let answer = try await client.send(request)
      #expect(answer.status == 401)
      #expect(answer.errorCode == "AUTHENTICATION_FAILED")
    }
    let records = try await client.container.publicCloudDatabase.records(ofType: "Note")
    #expect(records.isEmpty)
  }

  @Test(arguments: [-601.0, 601, -86_400])
  func `a request of another time is refused`(seconds: Double) async throws {
    let (client, signer) = try signed()
    let answer = try await client.send(
      try signer.request(Self.path, Self.body("a"), at: WebClient.now + seconds))
    #expect(answer.status == 401)
  }

  @Test(arguments: [
    "", "abc", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
    // A point that is not on the curve.
    "-----BEGIN PUBLIC KEY-----\n"
      + "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"
      + String(repeating: "A", count: 84) + "AQ==\n-----END PUBLIC KEY-----",
  ])
  func `what is not a key is none`(pem: String) {
    #expect(WebServerKey(pem: pem) == nil)
  }

  /// Made with `openssl ecparam -name prime256v1 -genkey` and `openssl dgst -sha256 -sign`.
  @Test func `a signature of openssl is valid`() async throws {
    var access = WebAccess()
    let key = try #require(WebServerKey(pem: OpenSSLSample.pem))
    access.serverKeys["k"] = key
    let client = try WebClient(access: access)
    let request = WebRequestBox(
      OpenSSLSample.path, OpenSSLSample.body,
      headers: [
        "X-Apple-CloudKit-Request-KeyID": "k",
        "X-Apple-CloudKit-Request-ISO8601Date": OpenSSLSample.date,
        "X-Apple-CloudKit-Request-SignatureV1": OpenSSLSample.signature,
      ])
    let answer = try await client.send(request.request)
    #expect(answer.status == 200)
  }
}
