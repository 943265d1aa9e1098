import Foundation
import RecordCoding
import RecordPages
import RecordText

/// The last requests with their bodies, or one of them.
struct RequestsView {
  let context: ConsoleRequest

  /// The number of requests that are shown.
  private static let maxRequests = 100
  /// The size of the bodies that are shown among other requests, in bytes: of one request, and of
  /// all. The page is read again each second.
  private static let maxBodies = 16 << 10
  private static let maxAllBodies = 256 << 10

  private struct Item {
    let entry: RequestLog.Entry
    let content: Content
  }

  private enum Content {
    case bodies(request: Body, response: Body)
    /// The bodies are shown on a page of their own.
    case elsewhere(size: Int)
    case notKept
  }

  private struct Body {
    let size: Int
    /// Nil for what is not JSON.
    let json: JSONValue?

    init(_ data: Data) {
      size = data.count
      json = try? WebServicesHandler.parse(data)
    }
  }

  func html() throws -> HTML {
    if let number = context.value("number") { return try html(number) }
    let entries = Array(
      context.handler.log.entries.lazy.reversed().filter(isOfContainer).prefix(Self.maxRequests))
    var left = Self.maxAllBodies
    let items = entries.map { item($0, &left) }
    let redaction = redaction(items)
    let clear: HTML? =
      context.hasActions
      ? """
      <form method="post" action="\(context.path(of: .clearRequests))">\
      <button class="plain">Clear</button></form>
      """ : nil
    return context.page(
      "Requests", head: "<p>\(context.disclosureLink)</p>\n\(clear)",
      live: items.isEmpty ? "<p>No requests yet.</p>" : "\(items.map { html($0, redaction) })")
  }

  /// The page of one request.
  private func html(_ number: String) throws -> HTML {
    let entry = context.handler.log.entries.first { String($0.number) == number }
    guard let entry, isOfContainer(entry) else {
      throw WebError(.notFound, "the request is not there, or no longer")
    }
    var left = Int.max
    let item = item(entry, &left)
    let all = context.link(
      .requests, [(ConsoleRequest.disclosureName, context.value(ConsoleRequest.disclosureName))])
    return context.page(
      "Request \(number)",
      head: "<p><a href=\"\(all)\">All requests</a> · \(context.disclosureLink)</p>",
      live: """
        <p>\(summary(entry))</p>
        \(notes(entry))
        \(content(item, redaction([item])))
        """)
  }

  /// Whether a request is not to another container.
  private func isOfContainer(_ entry: RequestLog.Entry) -> Bool {
    guard context.handler.containers.count > 1, let route = try? WebRoute(entry.path),
      case .endpoint(_, let address, _) = route,
      let found = try? context.handler.container(at: address)
    else { return true }
    return PageContainerName(found) == context.name
  }

  private func item(_ entry: RequestLog.Entry, _ left: inout Int) -> Item {
    guard let bodies = context.handler.log.bodies(of: entry.number) else {
      return Item(entry: entry, content: .notKept)
    }
    guard bodies.size <= left, left == .max || bodies.size <= Self.maxBodies else {
      return Item(entry: entry, content: .elsewhere(size: bodies.size))
    }
    if left != .max { left -= bodies.size }
    let content = Content.bodies(
      request: Body(bodies.request), response: Body(bodies.response))
    return Item(entry: entry, content: content)
  }

  private func redaction(_ items: [Item]) -> BodyRedaction {
    var redaction = BodyRedaction(context)
    for case .bodies(let request, let response) in items.map(\.content) {
      for body in [request, response] { body.json.map { redaction.learn(from: $0) } }
    }
    return redaction
  }

  // MARK: Markup

  private func html(_ item: Item, _ redaction: BodyRedaction) -> HTML {
    """
    <details class="entry" id="r\(item.entry.number)"><summary>\(summary(item.entry))</summary>
    \(notes(item.entry))
    \(content(item, redaction))
    </details>
    """
  }

  private func summary(_ entry: RequestLog.Entry) -> HTML {
    let status: HTML =
      entry.status < 400
      ? "\(entry.status)"
      : "<span class=\"removed\">\(entry.status) \(entry.errorCode ?? "")</span>"
    let (seconds, attoseconds) = entry.duration.components
    let milliseconds = Double(seconds) * 1000 + Double(attoseconds) / 1e15
    return """
      <span class="quiet">\(entry.number)</span> \(ConsoleRequest.time(entry.date)) \
      \(entry.method) <code title="\(entry.path)">\(shortPath(entry.path))</code> \
      \(status) <span class="quiet">\(Numbers.fixed(milliseconds, 1))&nbsp;ms</span>
      """
  }

  private func notes(_ entry: RequestLog.Entry) -> HTML? {
    entry.notes.isEmpty
      ? nil : "<ul class=\"changed\">\n\(entry.notes.map { "<li>\($0)</li>" as HTML })\n</ul>"
  }

  private func content(_ item: Item, _ redaction: BodyRedaction) -> HTML {
    switch item.content {
    case .bodies(let request, let response):
      return """
        <h2>Request</h2><pre class="wrapped">\(html(request, redaction))</pre>
        <h2>Response</h2><pre class="wrapped">\(html(response, redaction))</pre>
        """
    case .elsewhere(let size):
      let link = context.link(
        .requests,
        [
          ("number", String(item.entry.number)),
          (ConsoleRequest.disclosureName, context.value(ConsoleRequest.disclosureName)),
        ])
      return """
        <p><a href="\(link)">Show what was sent and answered</a> \
        <span class="quiet">(\(Numbers.size(size)))</span></p>
        """
    case .notKept: return "<p class=\"quiet\">What was sent and answered was too large to keep.</p>"
    }
  }

  private func html(_ body: Body, _ redaction: BodyRedaction) -> HTML {
    if body.size == 0 { return "<span class=\"quiet\">empty</span>" }
    guard let json = body.json else {
      return "<span class=\"quiet\">\(Numbers.size(body.size)), not JSON</span>"
    }
    return HTML(json: redaction.shown(json))
  }

  /// The path without what all requests to the container have.
  private func shortPath(_ path: String) -> String {
    guard let route = try? WebRoute(path), case .endpoint(_, let address, _) = route,
      let found = try? context.handler.container(at: address),
      PageContainerName(found) == context.name
    else { return path }
    // It begins with `/database/1/`, the identifier and the environment.
    return path.split(separator: "/", maxSplits: 4).last.map(String.init) ?? path
  }
}
