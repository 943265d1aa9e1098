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
    let items = entries.map { item($0, log.bodies(of: $0.number), cover) }
    let clear: HTML? =
      context.hasActions
      ? """
      <form method="post" action="\(context.path(of: .clearRequests))">\
      <button class="plain">Clear</button></form>
      """ : nil
    return context.page(
      "Requests", head: "<p>\(context.disclosureLink)</p>\n\(clear)",
      live: items.isEmpty ? "<p>No requests yet.</p>" : "\(items)")
  }

  private func item(
    _ entry: RequestLog.Entry, _ bodies: RequestLog.Bodies?, _ cover: BodyCover
  ) -> HTML {
    let status: HTML =
      entry.status < 400
      ? "\(entry.status)"
      : "<span class=\"removed\">\(entry.status) \(entry.errorCode ?? "")</span>"
    let notes: HTML? =
      entry.notes.isEmpty
      ? nil : "<ul class=\"changed\">\n\(entry.notes.map { "<li>\($0)</li>" as HTML })\n</ul>"
    let content: HTML =
      bodies.map { bodies in
        """
        <h3>Request</h3><pre class="wrapped">\(cover.html(bodies.request))</pre>
        <h3>Response</h3><pre class="wrapped">\(cover.html(bodies.response))</pre>
        """
      } ?? "<p class=\"quiet\">What was sent and answered was too large to keep.</p>"
    let (seconds, attoseconds) = entry.duration.components
    let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    return """
      <details class="entry" id="r\(entry.number)"><summary>\
      <span class="quiet">\(entry.number)</span> \(PageContext.time(entry.date)) \
      \(entry.method) <code title="\(entry.path)">\(shortPath(entry.path))</code> \
      \(status) <span class="quiet">\(Numbers.fixed(milliseconds, 1)) ms</span></summary>
      \(notes)
      \(content)
      </details>
      """
  }

  /// The path without what all requests to the container have.
  private func shortPath(_ path: String) -> String {
    guard let identifier = context.served.identifier,
      let environment = context.served.environment?.rawValue
    else { return path }
    let prefix = "/database/1/\(identifier)/\(environment)/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}
