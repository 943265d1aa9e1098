import CloudWebServer
import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import TestSupport
import Testing

/// A command that is copied from the console, run against the server.
@Suite(.enabled(if: Command.exists("curl"), "curl is not installed"))
struct CopiedCommandTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `the copied command of curl gets the answer that the console got`() async throws {
    let container = try MockContainer.inMemory(
      info: ContainerInfo(
        identifier: "iCloud.com.example.notes", environment: .development,
        currentUserRecordName: "_anna"), rules: .webServices, now: { Self.now })
    try await container.privateCloudDatabase.save(RecordZone(zoneName: "it's \"mine\""))
    var served = try WebContainer(container)
    served.seed = try container.fork()
    let handler = WebServicesHandler(
      [served], admin: WebAdmin(clock: WebClock { Self.now }), page: .withServices)
    let server = try WebServer(handler, port: 0)
    let task = server.start()
    let address = server.address
    let (answer, copied) = try await Self.save(address)
    #expect(answer.contains("\"recordChangeTag\""), "\(answer)")
    #expect(copied.hasPrefix("curl -sS 'http://"), "\(copied)")
    try handler.reset(at: 0)
    let repeated = try await Command("/bin/sh", "-c", copied, mergesErrors: false).output
    let expected = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? NSDictionary
    let found = try JSONSerialization.jsonObject(with: Data(repeated.utf8)) as? NSDictionary
    #expect(found != nil && found == expected, "\(repeated)")
    task.cancel()
    try await task.value
  }

  /// Saves a record by the form, follows the link to its request, and returns the answer on the page, and the
  /// command.
  private static func save(_ address: String) async throws -> (String, String) {
    let page = address + "/page/iCloud.com.example.notes/development"
    let form = [
      "as=_anna", "zone=private/it%27s%20%22mine%22/__defaultOwner__", "type=Note", "name=a 'b' $c",
      "fields=title", "f/title/type=STRING", "f/title/0/text=It's \"$HOME\" \\ `id`\nend",
    ]
    var arguments = ["curl", "-sS", "-L", "-H", "Origin: \(address)"]
    for input in form { arguments += ["--form-string", input] }
    let saved = try await Command(arguments + ["\(page)/actions/save"]).output
    let link = saved.components(separatedBy: "\">Request and response</a>")[0]
      .components(separatedBy: "<a href=\"").last
    let text = try await Command(["curl", "-sS", address + plain(link ?? "")]).output
    let parts = text.components(separatedBy: "<pre class=\"wrapped\"").dropFirst().map { part in
      plain(String(part.components(separatedBy: "</pre>")[0].drop { $0 != ">" }.dropFirst()))
    }
    // The request comes first.
    return (parts.dropFirst().first ?? text, parts.dropFirst(2).first ?? "")
  }

  private static func plain(_ text: String) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}
