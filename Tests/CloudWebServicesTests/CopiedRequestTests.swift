import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import TestSupport
import Testing

/// The requests of the console, ready to copy.
@Suite struct CopiedRequestTests {
  let client: WebClient

  init() async throws {
    client = try WebClient(
      admin: WebAdmin(), page: .withServices, schema: EditingTests.schema)
    try await client.makeZone()
  }

  /// A record with a value of each type that needs no upload, and names that no shell, script or
  /// source may take for its own.
  private func save() async throws -> Answer {
    try await client.create("ada")
    let page = try await client.page("edit?database=private&zone=Notes&type=Note")
    var form = try #require(SentForm(page.text, action: "save"))
    form["name"] = "it's \"$HOME\" `id` \\(x) end"
    form["parent"] = "root"
    form.enter("One's \"two\"\n\\n \\(three) ${four} \u{202E}\u{7}", "title")
    form.enter("-9223372036854775808", "count")
    form.enter("2.5e-3", "score")
    form.enter("2026-07-01T12:30:00.250", "due")
    form.enter("AAEC", "data")
    form.enter("52.5", "place", "0/latitude")
    form.enter("-13.4", "place", "0/longitude")
    form.enter("4", "place", "0/altitude")
    form.enter("ada", "author")
    form.enter("DELETE_SELF", "author", "0/action")
    form.enter("hush", "secret")
    form.enter("a", "tags", "new/text")
    form.enter("7", "counts", "new/text")
    form.enter("0.5", "scores", "new/text")
    form.enter("2026-01-01T00:00", "dates", "new/text")
    form.enter("/w==", "parts", "new/text")
    form.enter("1", "places", "new/latitude")
    form.enter("2", "places", "new/longitude")
    form.enter("bob", "authors", "new/text")
    let answer = try await client.send(form.request())
    return try await client.follow(answer)
  }

  /// Returns a copied text of a page.
  static func copied(_ page: String, _ title: String) throws -> String {
    let text = page.components(separatedBy: "-\(title)\" tabindex=\"0\">").last?
      .components(separatedBy: "</pre>").first
    return SentForm.plain(try #require(text))
  }

  @Test func `encrypted values and tokens are covered until somebody asks`() async throws {
    try await client.create("root")
    let answer = try await save()
    #expect(!answer.has("hush"))
    let link = try #require(
      answer.text.firstMatch(of: #/href="([^"]*encrypted=shown[^"]*)"/#)?.1)
    let shown = try await client.page(String(link).replacing("&amp;", with: "&"))
    let curl = try Self.copied(shown.text, "curl")
    #expect(curl.contains("\"hush\""))
    #expect(shown.text.contains(#"record.encryptedValues[&quot;secret&quot;] = &quot;hush&quot;"#))
    for entry in client.handler.log.entries { #expect(!entry.path.contains("hush")) }
  }

  @Test func `the copied Swift is that which the tests of MockCloudKit compile`() async throws {
    try await client.create("root")
    let answer = try await save()
    let file = Place.inPackage("Tests/MockCloudKitTests/CopiedRequest.swift")
    let compiled = try String(contentsOfFile: file, encoding: .utf8)
    let copied = try Self.copied(answer.text, "swift")
    let lines = NameSet(
      compiled.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    let missing = copied.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.hasPrefix("import ") && !lines.contains($0) }
    #expect(missing.isEmpty, "\(copied)")
  }

  @Test func `a request of CloudKit JS has the operation and its record`() async throws {
    try await client.create("root")
    let text = try Self.copied(try await save().text, "javascript")
    #expect(
      text.hasPrefix(
        """
        const response = await CloudKit.getDefaultContainer().privateCloudDatabase
          .newRecordsBatch({"zoneID":{"zoneName":"Notes"}})
          .create({"recordType":"Note","recordName":"it's \\"$HOME\\"
        """.trimmingCharacters(in: .newlines)))
    #expect(text.contains("\\u202e") && !text.contains("\u{202E}"))
    #expect(text.hasSuffix("  .commit();"))
  }

  /// The shell gets the command, and the server what the console had sent.
  @Test func `the copied command of curl sends the same body`() async throws {
    try await client.create("root")
    let answer = try await save()
    let curl = try Self.copied(answer.text, "curl")
    let words = try await Command("/bin/sh", "-c", "curl() { printf '%s\\0' \"$@\"; }\n" + curl)
    let arguments = words.output.split(separator: "\0").map(String.init)
    #expect(arguments.count == 6, "\(arguments)")
    let target = try #require(arguments.first { $0.hasPrefix("http://localhost:8080/database/1/") })
    let body = try #require(arguments.last)
    // The covered value is the only difference.
    let sent = try await client.send(
      WebRequest(
        "POST", String(target.dropFirst("http://localhost:8080".count)), body: Data(body.utf8)))
    #expect(sent.errorCode == "BAD_REQUEST", "\(sent.text)")
    let other = body.replacing("\"secret\":\"…\",", with: "").replacing("it's", with: "other")
    let saved = try await client.send(
      WebRequest(
        "POST", String(target.dropFirst("http://localhost:8080".count)), body: Data(other.utf8)))
    let record = saved.json["records"][0]
    #expect(
      record["fields"]["title"]["value"].string?.hasSuffix("\u{202E}\u{7}") == true, "\(saved.text)"
    )
    #expect(record["recordName"].string?.hasSuffix("\\(x) end") == true)
  }

  @Test func `each request of the list is ready to copy on its page`() async throws {
    try await client.create("root")
    let answer = try await save()
    let number = try #require(client.handler.log.entries.last?.number)
    let list = try await client.page("requests")
    #expect(list.has("requests?number=\(number)\">Copy as curl, JavaScript or Swift</a>"))
    let one = try await client.page("requests?number=\(number)")
    #expect(!one.has("hush"))
    for title in ["curl", "javascript", "swift"] {
      #expect(try Self.copied(one.text, title) == Self.copied(answer.text, title))
    }
    let shown = try await client.page("requests?number=\(number)&encrypted=shown")
    #expect(try Self.copied(shown.text, "curl").contains("\"hush\""))
  }
}
