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
    let all = context.handler.log.entries.reversed().filter(isShown)
    let entries = Array(all.lazy.filter(isWanted).prefix(Self.maxRequests))
    var left = Self.maxAllBodies
    let items = entries.map { item($0, &left) }
    let redaction = redaction(items)
    let clear =
      context.hasActions
      ? context.form(.clearRequests, [], "<button class=\"plain\">Clear the list</button>") : nil
    let failed = all.count { RequestSummary($0, context).isFailed }
    let slowest = all.map(\.duration).max().map { Self.milliseconds($0) + " ms" }
    let figures = HTML.figures([
      ("\(Numbers.grouped(all.count))", all.count == 1 ? "request" : "requests"),
      ("\(Numbers.grouped(failed))", "with errors"),
      ("\(slowest ?? "–")", "the slowest"),
    ])
    return context.page(
      "Requests", actions: clear, head: form,
      live: """
        \(figures)
        \(items.isEmpty ? ConsoleRequest.empty(all.isEmpty ? "No requests yet." : "No request matches.") : "\(items.map { html($0, redaction) })")
        """)
  }

  // MARK: Searching

  private static let (searchName, showName) = ("search", "show")

  private var form: HTML {
    let encrypted = context.value(ConsoleRequest.disclosureName).map {
      ConsoleRequest.hiddenInput(ConsoleRequest.disclosureName, $0)
    }
    return """
      <form method="get" action="\(context.link(.requests))" role="search">\(encrypted)
      <label class="wide">Path, type, user, record or error
      <input name="\(Self.searchName)" autocomplete="off" spellcheck="false" \
      value="\(HTML(editable: context.value(Self.searchName) ?? ""))"></label>
      \(ConsoleRequest.select(
        Self.showName, "Requests", none: "all",
        [("failed", "with errors"), ("changes", "changes")], selected: context.value(Self.showName)))
      <button>Search</button> \(context.disclosureLink)</form>
      """
  }

  /// Whether a request is one that the address asks for.
  private func isWanted(_ entry: RequestLog.Entry) -> Bool {
    let show = context.value(Self.showName)
    let search = context.value(Self.searchName)
    guard show != nil || search != nil else { return true }
    let summary = RequestSummary(entry, context)
    if show == "failed", !summary.isFailed { return false }
    if show == "changes", !["/modify", "/accept"].contains(where: entry.path.hasSuffix) {
      return false
    }
    return search.map(summary.contains) ?? true
  }

  /// Returns a request that is shown.
  func entry(_ number: String) -> RequestLog.Entry? {
    context.handler.log.entries.first { String($0.number) == number && isShown($0) }
  }

  /// The mock's response to a request of the console, unchanged, with the request to copy.
  func exchange(_ number: Int) -> HTML {
    var left = Int.max
    guard let item = entry(String(number)).map({ item($0, &left) }),
      case .bodies(let request, let response) = item.content
    else {
      return """
        <p class="quiet">The bodies of request \(number) were too large to keep, or are not kept any \
        more.</p>
        """
    }
    let redaction = redaction([item])
    let isCovered = request.json.map { redaction.shown($0) != $0 } ?? false
    let disclosure: HTML? =
      isCovered && context.view == .answer && !context.showsEncrypted
      ? "<p class=\"quiet\">Encrypted values and tokens are covered. \(context.disclosureLink)</p>"
      : nil
    return """
      <h2>Response</h2>
      <p class="quiet">Request \(number), status \(item.entry.status)</p>
      <pre class="wrapped" tabindex="0">\(html(response, redaction))</pre>
      <h2>Request</h2>
      \(disclosure)
      \(copied(item, redaction))
      """
  }

  /// The page of one request.
  private func html(_ number: String) throws -> HTML {
    guard let entry = entry(number) else {
      throw WebError(.notFound, "the request is not there, or no longer")
    }
    var left = Int.max
    let item = item(entry, &left)
    let redaction = redaction([item])
    let all = context.link(
      .requests, [(ConsoleRequest.disclosureName, context.value(ConsoleRequest.disclosureName))])
    return context.page(
      "Request \(number)",
      head: "<p><a href=\"\(all)\">All requests</a> · \(context.disclosureLink)</p>",
      live: """
        <p>\(summary(entry))</p>
        \(notes(entry))
        \(content(item, redaction))
        \(copied(item, redaction).map { "<h2>Copy</h2>\n\($0)" as HTML })
        """)
  }

  /// Whether a request is to the container, and of the user whose views are shown.
  private func isShown(_ entry: RequestLog.Entry) -> Bool {
    // The console itself adds users, as nobody.
    (context.shows(entry.user) || entry.path == CopiedRequest.usersPath) && isOfContainer(entry)
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
    let summary = RequestSummary(entry, context)
    let status: HTML =
      entry.isCut
      ? "<span class=\"removed\">connection cut</span>"
      : entry.status < 400
        ? "\(entry.status)"
        : "<span class=\"removed\">\(entry.status) \(entry.errorCode ?? "")</span>"
    return """
      <span class="line"><span class="dot\(summary.isFailed ? " failed" : "")"></span>\
      <span class="quiet">\(entry.number)</span> \(ConsoleRequest.time(entry.date)) \
      <span>\(entry.method) <code title="\(entry.path)">\(shortPath(entry.path))</code></span> \
      <span>\(status)</span> \(summary.html) \
      <span class="quiet end">\(Self.milliseconds(entry.duration))&nbsp;ms</span></span>
      """
  }

  private static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return Numbers.fixed(Double(seconds) * 1000 + Double(attoseconds) / 1e15, 1)
  }

  /// The button that sends a request again.
  private func replay(_ entry: RequestLog.Entry) -> HTML? {
    guard context.hasActions, entry.path.hasPrefix("/database/") else { return nil }
    return context.form(
      .replay, [("number", String(entry.number))], "<button class=\"plain\">Send again</button>")
  }

  /// The page of the request, which has it to copy.
  private func link(to entry: RequestLog.Entry) -> String {
    context.link(
      .requests,
      [
        ("number", String(entry.number)),
        (ConsoleRequest.disclosureName, context.value(ConsoleRequest.disclosureName)),
      ])
  }

  private func copyLink(_ entry: RequestLog.Entry) -> HTML? {
    guard context.value("number") == nil, entry.path.hasPrefix("/database/") else { return nil }
    return "<p><a href=\"\(link(to: entry))\">Copy as curl, JavaScript or Swift</a></p>"
  }

  /// The request for curl, for CloudKit JS, and in Swift; nil for one whose body is not JSON.
  private func copied(_ item: Item, _ redaction: BodyRedaction) -> HTML? {
    let entry = item.entry
    guard case .bodies(let request, _) = item.content, request.size == 0 || request.json != nil
    else { return nil }
    let copied = CopiedRequest(
      context, method: entry.method, path: entry.path, body: request.json.map(redaction.shown),
      user: entry.user)
    return copied.map { AnswerView.texts($0, entry.number) }
      ?? AnswerView(context: context).userTexts(entry, request.json)
  }

  private func notes(_ entry: RequestLog.Entry) -> HTML? {
    entry.notes.isEmpty
      ? nil : "<ul class=\"changed\">\n\(entry.notes.map { "<li>\($0)</li>" as HTML })\n</ul>"
  }

  private func content(_ item: Item, _ redaction: BodyRedaction) -> HTML {
    switch item.content {
    case .bodies(let request, let response):
      return """
        \(replay(item.entry))
        \(copyLink(item.entry))
        <h2>Request</h2><pre class="wrapped">\(html(request, redaction))</pre>
        <h2>Response</h2><pre class="wrapped">\(html(response, redaction))</pre>
        """
    case .elsewhere(let size):
      return """
        <p><a href="\(link(to: item.entry))">Request and response</a> \
        <span class="quiet">(\(Numbers.size(size)))</span></p>
        """
    case .notKept:
      return "<p class=\"quiet\">The request and its response were too large to keep.</p>"
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

/// A request and what its bodies say, in words.
struct RequestSummary {
  private let entry: RequestLog.Entry
  private let facts: RequestFacts

  /// The number of items with an error of their own.
  private var failures: Int { facts.errors.count }

  /// Whether the request has failed, or one of its items, or got no response.
  var isFailed: Bool { entry.isCut || entry.status >= 400 || failures > 0 }

  init(_ entry: RequestLog.Entry, _ context: ConsoleRequest) {
    self.entry = entry
    facts = context.handler.log.facts(of: entry.number) ?? RequestFacts()
  }

  var html: HTML {
    let names = facts.types.prefix(3).joined(separator: ", ") + (facts.types.count > 3 ? ", …" : "")
    let shown: HTML? = names.isEmpty ? nil : "<bdi>\(names)</bdi> "
    let items: HTML? = facts.count > 0 ? "\(Numbers.count(facts.count, "item"))" : nil
    let user: HTML? = entry.user.map { " by <bdi>\($0)</bdi>" }
    let failed: HTML? =
      facts.errors.first.map { code in
        let rest = failures > 1 ? " and \(failures - 1) more" : ""
        return " <span class=\"removed\">\(code)\(rest)</span>"
      }
    return "<span>\(shown)\(items)\(failed)<span class=\"quiet\">\(user)</span></span>"
  }

  /// Whether a text is in what can be searched.
  func contains(_ text: String) -> Bool {
    let texts =
      [entry.path, entry.user ?? "", entry.errorCode ?? ""] + facts.types + facts.names
      + facts.errors
    return texts.contains { $0.localizedCaseInsensitiveContains(text) }
  }
}

extension RequestLog.Entry {
  /// Whether a fault closed the connection without a response.
  var isCut: Bool { status == 0 }
}
