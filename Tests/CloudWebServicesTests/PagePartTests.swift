import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import Testing

/// Parts of pages that are there for some values and requests only.
@Suite struct PagePartTests {
  private static let record = "database=private&zone=Notes&name=a"

  private static func client() async throws -> WebClient {
    let client = try WebClient(
      admin: WebAdmin(), page: .withServices, schema: EditingTests.schema)
    try await client.makeZone()
    return client
  }

  @Test func `a request without a body is copied without one`() async throws {
    let client = try await Self.client()
    _ = try await client.get("users/caller")
    let number = try #require(client.handler.log.entries.last?.number)
    let page = try await client.page("requests?number=\(number)")
    let script = try CopiedRequestTests.copied(page.text, "javascript")
    #expect(script.hasPrefix("const response = await fetch(\"") && !script.contains("method"))
  }

  @Test func `a file alone is a change`() async throws {
    let client = try await Self.client()
    try await client.create("a", #"{"title":{"value":"x"}}"#)
    for content in ["first", "second"] {
      let page = try await client.page("edit?\(Self.record)")
      var form = try #require(SentForm(page.text, action: "save"), "\(page.problem)")
      form.files = [("f/file/0/file", "a.txt", Data(content.utf8))]
      let answer = try await client.send(form.request())
      #expect(answer.status == 303, "\(answer.problem)")
      let asset: Asset = try #require(try await client.record("a")["file"])
      let url = try await client.container.privateCloudDatabase.fileURL(for: asset)
      #expect(try String(contentsOf: url, encoding: .utf8) == content)
    }
  }
}
