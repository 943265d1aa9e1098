import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import Testing

/// `/admin/load`.
@Suite struct LoadTests {
  let client: WebClient

  init() async throws {
    client = try WebClient(admin: WebAdmin(clock: WebClock { WebClient.now }))
    try await client.makeZone()
  }

  private func admin(_ path: String, _ body: Data = Data()) async throws -> Answer {
    try await client.send(WebRequest("POST", "/admin/" + path, body: body))
  }

  private func names() async throws -> [String] {
    let answer = try await client.post(
      "records/query", #"{"zoneWide":true,"query":{"recordType":"Note"}}"#)
    return answer.json["records"].elements.compactMap { $0["recordName"].string }
  }

  /// Returns a bundle with the record `a`.
  private func bundle() async throws -> Data {
    try await client.create("a")
    return try await admin("snapshot").response.body
  }

  @Test func `a bundle replaces the contents, and is what they are reset to`() async throws {
    let bundle = try await bundle()
    _ = try await admin("reset")
    try await client.create("b", zone: "_defaultZone")
    let loaded = try await admin("load", bundle)
    #expect(loaded.status == 200, "\(loaded.text)")
    let first = try await names()
    try await client.create("c")
    let second = try await names()
    _ = try await admin("reset")
    let third = try await names()
    #expect(first == ["a"] && second == ["a", "c"] && third == ["a"])
  }

  @Test func `what is no intact bundle is refused, and changes nothing`() async throws {
    let bundle = try await bundle()
    var damaged = bundle
    damaged[damaged.startIndex + damaged.count / 2] ^= 0xFF
    for body in [Data(), Data("{}".utf8), bundle.dropLast(9), bundle.prefix(100), damaged] {
      let answer = try await admin("load", Data(body))
      #expect(answer.status == 400)
      #expect(answer.errorCode == "BAD_REQUEST")
      #expect(!answer.text.contains("recordpack.working"), "\(answer.text)")
    }
    let kept = try await names()
    #expect(kept == ["a"])
  }

  @Test func `a container is named in the query, and one in place stays`() async throws {
    let bundle = try await bundle()
    let place = "?container=\(WebClient.identifier)&environment="
    let right = try await admin("load" + place + "development", bundle)
    #expect(right.status == 200)
    for wrong in [place + "production", "?container=iCloud.none", place + "none"] {
      let answer = try await admin("load" + wrong, bundle)
      #expect(answer.status == 400)
    }
    let inPlace = WebServicesHandler([try WebContainer(client.container)], admin: WebAdmin())
    let refused = Answer(
      await inPlace.respond(to: WebRequest("POST", "/admin/load", body: bundle)))
    #expect(refused.status == 400)
    #expect(refused.json["reason"].string?.contains("in place") == true)
  }

  @Test func `a handler without a WebAdmin loads nothing`() async throws {
    let closed = try WebClient()
    let answer = try await closed.send(WebRequest("POST", "/admin/load"))
    #expect(answer.status == 404)
  }

  @Test func `a loaded record has the time of the clock`() async throws {
    let bundle = try await bundle()
    _ = try await admin("load", bundle)
    _ = try await admin("clock", Data(#"{"advance":3600}"#.utf8))
    let saved = try await client.create("later")
    let time = (WebClient.now.timeIntervalSince1970 + 3600) * 1000
    #expect(saved["modified"]["timestamp"].number == time)
  }
}
