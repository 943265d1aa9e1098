import CloudWebServices
import Foundation
import RecordModel
import Testing

@Suite struct AssetTests {
  let client: WebClient

  init() async throws {
    client = try WebClient()
    try await client.makeZone()
  }

  private func target(_ url: String) -> String {
    url.replacing("http://localhost", with: "").replacing("${f}", with: "photo.jpg")
  }

  /// Uploads a file, and returns the value of its field.
  private func upload(_ data: Data, with other: WebClient? = nil) async throws -> JSON {
    let client = other ?? client
    let tokens = try await client.post(
      "assets/upload", #"{"tokens":[{"recordType":"Note","fieldName":"photo","recordName":"a"}]}"#)
    let url = try #require(tokens.json["tokens"][0]["url"].string)
    #expect(tokens.json["tokens"][0]["recordName"] == "a")
    let answer = try await client.send(WebRequest("POST", target(url), body: data))
    #expect(answer.status == 200)
    return answer.json["singleFile"]
  }

  @Test func `a file is uploaded, saved and downloaded`() async throws {
    let data = Data("a photo".utf8)
    let value = try await upload(data)
    #expect(
      Set(value.names)
        == ["fileChecksum", "size", "referenceChecksum", "wrappingKey", "receipt"])
    let record = try await client.create("a", #"{"photo":{"value":\#(value),"type":"ASSETID"}}"#)
    let field = record["fields"]["photo"]
    #expect(field["type"] == "ASSETID")
    #expect(
      field["value"].names
        == ["size", "fileChecksum", "referenceChecksum", "wrappingKey", "downloadURL"])
    #expect(field["value"]["fileChecksum"] == value["fileChecksum"])
    let url = try #require(field["value"]["downloadURL"].string)
    #expect(url.hasSuffix("/${f}"))
    let download = try await client.send(WebRequest("GET", target(url)))
    #expect(download.response.body == data)
    let stored = try await client.record("a")
    let asset = try #require(stored.field(named: "photo")?.value.assets.first)
    let content = try await client.container.privateCloudDatabase.data(for: asset)
    #expect(content == data)
  }

  /// Saves an asset, and returns the target of its download.
  private func saved(_ data: Data) async throws -> String {
    let value = try await upload(data)
    let record = try await client.create("a", #"{"photo":{"value":\#(value),"type":"ASSETID"}}"#)
    return target(try #require(record["fields"]["photo"]["value"]["downloadURL"].string))
  }

  @Test(arguments: [
    ("bytes=2-4", 206, "234", "bytes 2-4/10"), ("bytes=7-", 206, "789", "bytes 7-9/10"),
    ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=0-99", 206, "0123456789", "bytes 0-9/10"),
    ("bytes=-99", 206, "0123456789", "bytes 0-9/10"), ("bytes=10-", 416, "", "bytes */10"),
    ("bytes=-0", 416, "", "bytes */10"), ("bytes=4-2", 200, "0123456789", nil),
    ("bytes=0-1,3-4", 200, "0123456789", nil), ("bytes=-", 200, "0123456789", nil),
    ("lines=0-1", 200, "0123456789", nil),
    ("bytes=99999999999999999999-", 200, "0123456789", nil),
  ])
  func `a range of a file is downloaded`(
    range: String, status: Int, content: String, bytes: String?
  ) async throws {
    let target = try await saved(Data("0123456789".utf8))
    let answer = try await client.send(WebRequest("GET", target, headers: ["Range": range]))
    #expect(answer.status == status)
    #expect(answer.text == content)
    #expect(answer.response.headers["Content-Range"] == bytes)
    let head = try await client.send(WebRequest("HEAD", target, headers: ["Range": range]))
    #expect(head.status == 200)
    #expect(head.response.headers["Accept-Ranges"] == "bytes")
    let deleted = try await client.send(WebRequest("DELETE", target))
    #expect(deleted.status == 400)
  }

  @Test(arguments: [
    (
      #"multipart/form-data; boundary=b"#,
      "--b\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\n1\n\r\n--b--\r\n"
    ),
    (#"Multipart/Form-Data; boundary="a b""#, "x\r\n--a b\r\nA: b\r\n\r\n1\n\r\n--a b--"),
    (
      "multipart/form-data; boundary=b",
      "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno\r\n--b\r\n"
        + "Content-Disposition: form-data; name=files; filename=\"f\"\r\n\r\n1\n\r\n--b--\r\n"
    ),
    (
      "multipart/form-data; boundary=b",
      "--b\r\nContent-Disposition: form-data; name=\"note\"; filename=\"files.txt\"\r\n\r\nno\r\n"
        + "--b\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\n1\n\r\n--b--\r\n"
    ),
  ])
  func `a file that is uploaded as form data is its part`(
    type: String, body: String
  ) async throws {
    let tokens = try await client.post("assets/upload", #"{"tokens":[{"fieldName":"photo"}]}"#)
    let url = target(try #require(tokens.json["tokens"][0]["url"].string))
    let answer = try await client.send(
      WebRequest("POST", url, headers: ["Content-Type": type], body: Data(body.utf8)))
    #expect(answer.json["singleFile"]["size"].number == 2, "\(answer.text)")
    let broken = try await client.send(
      WebRequest("POST", url, headers: ["Content-Type": type], body: Data("--b\r\n".utf8)))
    #expect(broken.status == 400)
  }

  @Test func `the address of a download stays the same`() async throws {
    let value = try await upload(Data("x".utf8))
    let record = try await client.create("a", #"{"photo":{"value":\#(value)}}"#)
    let url = record["fields"]["photo"]["value"]["downloadURL"].string
    for _ in 0..<20 {
      let answer = try await client.post(
        "records/lookup",
        #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#)
      #expect(answer.json["records"][0]["fields"]["photo"]["value"]["downloadURL"].string == url)
    }
  }

  @Test func `an asset that comes back as it was read stays`() async throws {
    let value = try await upload(Data("x".utf8))
    let record = try await client.create("a", #"{"photo":{"value":\#(value)}}"#)
    let answer = try await client.post(
      "records/modify",
      """
      {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceReplace","record":
      {"recordType":"Note","recordName":"a","fields":{"photo":\(record["fields"]["photo"])}}}]}
      """)
    #expect(answer.json["records"][0]["fields"]["photo"]["value"]["size"].number == 1)
    let stolen = try await client.post(
      "records/modify",
      """
      {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":
      {"recordType":"Note","recordName":"b","fields":{"photo":\(record["fields"]["photo"])}}}]}
      """)
    #expect(stolen.json["records"][0]["serverErrorCode"] == "BAD_REQUEST", "\(stolen.text)")
    #expect(try await client.container.privateCloudDatabase.records(ofType: "Note").count == 1)
  }

  @Test func `an asset is given to another record`() async throws {
    let value = try await upload(Data("x".utf8))
    try await client.create("a", #"{"photo":{"value":\#(value)}}"#)
    let answer = try await client.post(
      "assets/rereference",
      #"{"zoneID":{"zoneName":"Notes"},"assets":[{"recordName":"a","fieldName":"photo"},{"recordName":"a","fieldName":"none"}]}"#
    )
    #expect(answer.json["assets"][1]["serverErrorCode"] == "NOT_FOUND")
    let other = try await client.create("b", #"{"photo":{"value":\#(answer.json["assets"][0])}}"#)
    #expect(other["fields"]["photo"]["value"]["size"].number == 1)
  }

  @Test func `wrong receipts, addresses and methods are refused`() async throws {
    let record = try await client.post(
      "records/modify",
      """
      {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":
      {"recordType":"Note","fields":{"photo":{"value":{"receipt":"x.y","size":1},"type":"ASSETID"}}}}]}
      """)
    #expect(record.status == 200)
    let item = record.json["records"][0]
    #expect(item["serverErrorCode"] == "BAD_REQUEST")
    #expect(item["reason"] == "bad upload receipt (did_not_validate)")
    let upload = try await client.send(WebRequest("POST", "/assets/upload/abc.def"))
    #expect(upload.status == 404)
    let download = try await client.send(WebRequest("GET", "/assets/download/abc.def/x"))
    #expect(download.status == 404)
    let tokens = try await client.post("assets/upload", #"{"tokens":[{"fieldName":"photo"}]}"#)
    let url = try #require(tokens.json["tokens"][0]["url"].string)
    let get = try await client.send(WebRequest("GET", target(url)))
    #expect(get.status == 400)
    // A token for an upload is none for a download.
    let token = target(url).replacing("/assets/upload/", with: "")
    let mixed = try await client.send(WebRequest("GET", "/assets/download/\(token)/x"))
    #expect(mixed.status == 404)
  }

  @Test func `nobody uploads without an account`() async throws {
    let answer = try await client.with(scope: "public").signedOut.post(
      "assets/upload", #"{"tokens":[{"fieldName":"photo"}]}"#)
    #expect(answer.status == 421)
  }

  @Test func `an address takes an upload for 15 minutes`() async throws {
    let clock = TestClock()
    let client = try WebClient(now: { clock.now })
    let tokens = try await client.post("assets/upload", #"{"tokens":[{"fieldName":"photo"}]}"#)
    let url = try #require(tokens.json["tokens"][0]["url"].string)
    clock.advance(by: 899)
    let inTime = try await client.send(WebRequest("POST", target(url), body: Data([1])))
    #expect(inTime.status == 200)
    clock.advance(by: 2)
    let late = try await client.send(WebRequest("POST", target(url), body: Data([1])))
    #expect(late.status == 404)
  }

  @Test func `a file has at most 50 MB`() async throws {
    let tokens = try await client.post("assets/upload", #"{"tokens":[{"fieldName":"photo"}]}"#)
    let url = try #require(tokens.json["tokens"][0]["url"].string)
    let data = Data(count: WebServicesHandler.maxUploadSize + 1)
    let answer = try await client.send(WebRequest("POST", target(url), body: data))
    #expect(answer.status == 413)
    #expect(answer.errorCode == "QUOTA_EXCEEDED")
  }

  @Test func `bytes that are uploaded again wait for their record for a day from then on`()
    async throws
  {
    let clock = TestClock()
    let client = try WebClient(now: { clock.now })
    try await client.makeZone()
    _ = try await upload(Data("x".utf8), with: client)
    clock.advance(by: 20 * 3600)
    let again = try await upload(Data("x".utf8), with: client)
    clock.advance(by: 5 * 3600)
    // An upload drops the contents that have waited for more than a day.
    _ = try await upload(Data("y".utf8), with: client)
    let record = try await client.create("a", #"{"photo":{"value":\#(again),"type":"ASSETID"}}"#)
    #expect(record["fields"]["photo"]["value"]["size"].number == 1)
  }
}
