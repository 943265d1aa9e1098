import RecordModel
import RecordPages
import RecordStore
import RecordText

/// The records of all types whose names, or words in whose texts, begin with a text.
struct SearchView {
  let context: ConsoleRequest

  /// The number of records that are shown.
  private static let maxHits = 100
  private static let name = "text"

  /// The form of every page.
  static func form(_ context: ConsoleRequest) -> HTML {
    let text = context.view == .search ? context.value(name) ?? "" : ""
    return """
      <form method="get" action="\(context.link(.search))" role="search">
      <label><span class="hidden">Name, or beginnings of words</span>
      <input name="\(name)" required placeholder="Find records: names and words" \
      value="\(HTML(editable: text))" autocomplete="off" spellcheck="false" accesskey="s"></label>
      <button class="plain">Find</button></form>
      """
  }

  /// The list, or the address of the only record that is found.
  func response() throws -> WebResponse {
    let text = (context.value(Self.name) ?? "").trimmingPrefix { $0 == " " }
    guard !text.isEmpty else { throw WebError(.badRequest, "the address has no text to find") }
    let (found, missing) = try context.store.records(
      WordSearch(String(text), limit: Self.maxHits))
    if let missing { throw missing }
    if found.count == 1 {
      let link = context.link(to: found[0].record.recordID, in: found[0].database)
      return WebResponse(to: link)
    }
    return WebResponse(html: html(String(text), found))
  }

  private func html(_ text: String, _ found: [WordSearch.Hit]) -> HTML {
    var table = HTMLTable(["Record", "Type", "Record name", "Zone", "Database"], label: "Records")
    for (database, record) in found.prefix(Self.maxHits) {
      table.add(
        context.titled(record, in: database),
        "<bdi>\(record.entityName ?? record.recordType)</bdi>",
        "<bdi>\(record.recordID.recordName)</bdi>",
        ConsoleRequest.words(record.recordID.zoneID), "\(database.rawValue)")
    }
    let count =
      found.count > Self.maxHits
      ? "The first \(Self.maxHits) records" : Numbers.count(found.count, "record")
    let content: HTML =
      found.isEmpty
      ? ConsoleRequest.empty("No name, and no word of a text, begins with this.")
      : "<p class=\"matches\">\(count)</p>\n\(table.html)"
    return context.page("Find \(text)", live: nil, foot: content)
  }
}
