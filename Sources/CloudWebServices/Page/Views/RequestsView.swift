import Foundation
import RecordCoding
import RecordPages
import RecordText

/// The last requests, with what was sent and answered.
struct RequestsView {
  let context: PageContext

  /// The number of requests that are shown.
  private static let maxRequests = 100

  func html() throws -> HTML {
    let log = context.handler.log
    let entries = log.entries.suffix(Self.maxRequests).reversed()
    let cover = BodyCover(context)
    let rows = entries.map { row($0, log.bodies(of: $0.number), cover) }
    let head: [HTML] =
      ["<th class=\"number\">Number</th>"]
      + ["Time", "Request", "Status", "Time taken", "Content"].map { "<th>\($0)</th>" }
    let clear: HTML? =
      context.hasActions
      ? """
      <form method="post" action="\(context.path(of: .clearRequests))">\
      <button class="plain">Clear</button></form>
      """ : nil
    let table: HTML =
      rows.isEmpty ? "<p>No requests yet.</p>" : HTML.table("Requests", head: head, rows: rows)
    return context.page(
      "Requests", head: "<p>\(context.disclosureLink)</p>\n\(clear)", live: table)
  }

  private func row(
    _ entry: RequestLog.Entry, _ bodies: RequestLog.Bodies?, _ cover: BodyCover
  ) -> HTML {
    let code: HTML? = entry.errorCode.map { " <span class=\"removed\">\($0)</span>" }
    let notes: HTML? =
      entry.notes.isEmpty
      ? nil : "<ul class=\"changed\">\n\(entry.notes.map { "<li>\($0)</li>" as HTML })\n</ul>"
    let content: HTML
    if let bodies {
      content = """
        <details id="r\(entry.number)"><summary>\(Numbers.size(bodies.request.count)), \
        \(Numbers.size(bodies.response.count))</summary>
        <h3>Request</h3><pre class="wrapped">\(cover.html(bodies.request))</pre>
        <h3>Response</h3><pre class="wrapped">\(cover.html(bodies.response))</pre></details>
        """
    } else {
      content = "<span class=\"quiet\">too large to keep</span>"
    }
    let (seconds, attoseconds) = entry.duration.components
    let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    return """
      <tr><td class="number">\(entry.number)</td><td>\(PageContext.words(entry.date))</td>\
      <td>\(entry.method) <code>\(entry.path)</code>\(notes)</td>\
      <td>\(entry.status)\(code)</td>\
      <td class="number">\(Numbers.fixed(milliseconds, 1)) ms</td><td>\(content)</td></tr>
      """
  }
}
