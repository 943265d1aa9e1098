import Foundation
import RecordCoding
import RecordModel
import RecordPages
import RecordText

/// The last requests with their bodies, or those that the address names.
struct RequestsView {
  let context: ConsoleRequest

  /// The number of requests that are shown, and of those of one change.
  private static let (maxRequests, maxNamed) = (100, 20)
  /// The size of the bodies that are shown among other requests, in bytes: of one request, and of
  /// all. The page is read again each second.
  private static let maxBodies = 16 << 10
  private static let maxAllBodies = 256 << 10

  private struct Item {
    let entry: RequestLog.Entry
    /// The size of the bodies in bytes; nil if they are not kept.
    var size: Int?
    /// The bodies; nil if they are shown on a page of their own.
    var bodies: (request: Body, response: Body)?
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
    let numbers = context.items.filter { $0.name == "number" }.map(\.value)
    guard numbers.isEmpty else { return try named(numbers) }
    let all = context.handler.log.entries.reversed().filter(isShown)
    let entries = Array(all.lazy.filter(isWanted).prefix(Self.maxRequests))
    var left = Self.maxAllBodies
    let items = entries.map { item($0, &left) }
    let redaction = redaction(items)
    let clear =
      context.hasActions
      ? context.form(.clearRequests, [], "<button class=\"plain\">Clear the list</button>") : nil
    let failed = all.count(where: \.isFailed)
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
    let disclosure = ConsoleRequest.disclosureName
    return """
      <form method="get" action="\(context.link(.requests))" role="search">\
      \(ConsoleRequest.hidden([(disclosure, context.value(disclosure))]))
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
    if show == "failed", !entry.isFailed { return false }
    if show == "changes", !["/modify", "/accept"].contains(where: entry.path.hasSuffix) {
      return false
    }
    return search.map(entry.contains) ?? true
  }

  // MARK: One request

  /// The page of the last of some requests, with those that were sent before it.
  private func named(_ numbers: [String]) throws -> HTML {
    guard let last = numbers.last.flatMap(entry) else {
      throw WebError(.notFound, "the request is not there, or no longer")
    }
    let before = numbers.dropLast().suffix(Self.maxNamed).compactMap(entry).map { entry -> HTML in
      """
      <details><summary>Request \(entry.number), sent before</summary>\(exchange(entry))</details>
      """
    }
    let record = try context.value("record").map { try RecordLocation(formText: $0) }
    return context.page(
      "Request \(last.number)", actions: replay(last),
      head: "<p><a href=\"\(link())\">All requests</a> · \(context.disclosureLink)</p>", live: nil,
      foot: """
        \(problem(last))
        \(record.map { "<p>\(context.anchor($0.recordID, in: $0.database))</p>" as HTML })
        \(exchange(last))
        \(before)
        """)
  }

  /// Returns a request that is shown.
  private func entry(_ number: String) -> RequestLog.Entry? {
    context.handler.log.entries.first { String($0.number) == number && isShown($0) }
  }

  private func problem(_ entry: RequestLog.Entry) -> HTML? {
    let bodies = context.handler.log.bodies(of: entry.number)
    let json = bodies.flatMap { try? WebServicesHandler.parse($0.response) }
    return json.flatMap(ServiceReply.error).map { code, reason in
      "<p class=\"problem\" role=\"alert\">\(code): \(reason)</p>"
    }
  }

  /// A request of the console with the mock's response, unchanged, and to copy.
  func exchange(_ number: Int) -> HTML? { entry(String(number)).map(exchange) }

  private func exchange(_ entry: RequestLog.Entry) -> HTML {
    var left = Int.max
    let item = item(entry, &left)
    let redaction = redaction([item])
    return """
      <p>\(summary(entry))</p>
      \(content(item, redaction))
      \(copied(item, redaction).map { "<h2>Copy</h2>\n\($0)" as HTML })
      """
  }

  // MARK: Requests that are shown

  /// Whether a request is to the container, and of the user whose views are shown.
  private func isShown(_ entry: RequestLog.Entry) -> Bool {
    // The console itself adds users, as nobody.
    (context.shows(entry.user) || entry.path == CopiedRequest.usersPath) && isOfContainer(entry)
  }

  /// Whether a request is not to another container.
  private func isOfContainer(_ entry: RequestLog.Entry) -> Bool {
    context.handler.containers.count == 1
      || container(of: entry.path).map { $0 == context.name } ?? true
  }

  /// The container of a path; nil for a path of none.
  private func container(of path: String) -> PageContainerName? {
    guard case .endpoint(_, let address, _)? = try? WebRoute(path) else { return nil }
    return (try? context.handler.container(at: address)).map(PageContainerName.init)
  }

  private func item(_ entry: RequestLog.Entry, _ left: inout Int) -> Item {
    guard let bodies = context.handler.log.bodies(of: entry.number) else {
      return Item(entry: entry)
    }
    guard bodies.size <= left, left == .max || bodies.size <= Self.maxBodies else {
      return Item(entry: entry, size: bodies.size)
    }
    if left != .max { left -= bodies.size }
    return Item(
      entry: entry, size: bodies.size, bodies: (Body(bodies.request), Body(bodies.response)))
  }

  private func redaction(_ items: [Item]) -> BodyRedaction {
    var redaction = BodyRedaction(context)
    for bodies in items.compactMap(\.bodies) {
      for body in [bodies.request, bodies.response] { body.json.map { redaction.learn(from: $0) } }
    }
    return redaction
  }

  // MARK: Markup

  private func html(_ item: Item, _ redaction: BodyRedaction) -> HTML {
    """
    <details class="entry" id="r\(item.entry.number)"><summary>\(summary(item.entry))</summary>
    \(replay(item.entry))
    \(link(to: item))
    \(content(item, redaction))
    </details>
    """
  }

  private func summary(_ entry: RequestLog.Entry) -> HTML {
    let status: HTML =
      entry.isCut
      ? "<span class=\"removed\">connection cut</span>"
      : entry.status < 400
        ? "\(entry.status)"
        : "<span class=\"removed\">\(entry.status) \(entry.errorCode ?? "")</span>"
    return """
      <span class="line"><span class="dot\(entry.isFailed ? " failed" : "")"></span>\
      <span class="quiet">\(entry.number)</span> \(ConsoleRequest.time(entry.date)) \
      <span>\(entry.method) <code title="\(entry.path)">\(shortPath(entry.path))</code></span> \
      <span>\(status)</span> \(entry.subject) \
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

  /// The page of a request; nil for that of all.
  private func link(_ number: Int? = nil) -> String {
    let disclosure = ConsoleRequest.disclosureName
    return context.link(
      .requests, [("number", number.map(String.init)), (disclosure, context.value(disclosure))])
  }

  /// The link to the page of a request, which has it to copy.
  private func link(to item: Item) -> HTML? {
    guard let size = item.size, item.bodies == nil || item.entry.path.hasPrefix("/database/") else {
      return nil
    }
    let words: HTML =
      item.bodies == nil
      ? "Request and response <span class=\"quiet\">(\(Numbers.size(size)))</span>"
      : "Copy as curl, JavaScript or Swift"
    return "<p><a href=\"\(link(item.entry.number))\">\(words)</a></p>"
  }

  private func content(_ item: Item, _ redaction: BodyRedaction) -> HTML {
    let notes = item.entry.notes.map { "<li>\($0)</li>" as HTML }
    let bodies: HTML? = item.bodies.map { request, response in
      """
      <h2>Request</h2><pre class="wrapped" tabindex="0">\(html(request, redaction))</pre>
      <h2>Response</h2><pre class="wrapped" tabindex="0">\(html(response, redaction))</pre>
      """
    }
    let notKept: HTML = """
      <p class="quiet">The request and its response were too large to keep, or are not kept any more.</p>
      """
    return
      "\(when: !notes.isEmpty, "<ul class=\"changed\">\n\(notes)\n</ul>")\n\(bodies)\(when: item.size == nil, notKept)"
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
    guard container(of: path) == context.name else { return path }
    // It begins with `/database/1/`, the identifier and the environment.
    return path.split(separator: "/", maxSplits: 4).last.map(String.init) ?? path
  }
}

extension RequestsView {
  /// The request for curl, for CloudKit JS, and in Swift, to copy; nil for one whose body is not JSON.
  private func copied(_ item: Item, _ redaction: BodyRedaction) -> HTML? {
    let entry = item.entry
    guard let request = item.bodies?.request, request.size == 0 || request.json != nil
    else { return nil }
    guard
      let copied = CopiedRequest(
        context, method: entry.method, path: entry.path, body: request.json.map(redaction.shown),
        user: entry.user)
    else { return addedUser(entry, request.json) }
    return """
      \(text("curl", copied.curl, entry))
      \(text("JavaScript", copied.javaScript, entry))
      \(copied.swift.map { text("Swift", $0, entry) })
      """
  }

  /// The request that adds a user, to copy for a test, if the handler takes it from tests.
  private func addedUser(_ entry: RequestLog.Entry, _ body: JSONValue?) -> HTML? {
    guard entry.path == CopiedRequest.usersPath, var body else { return nil }
    guard context.handler.admin != nil else {
      return """
        <p class="quiet">A test adds a user by the same request to a server with <code>--admin</code>.</p>
        """
    }
    if context.handler.containers.count > 1, let identifier = context.served.identifier {
      let place = [("container", identifier), ("environment", context.address.environment)]
      body = .object(place.map { JSONValue.Member($0, .string($1)) } + (body.members ?? []))
    }
    return text("curl", CopiedRequest.curl("\(context.baseURL)\(entry.path)", body: body), entry)
  }

  private func text(_ title: String, _ text: String, _ entry: RequestLog.Entry) -> HTML {
    let id = "copied-\(entry.number)-\(title.lowercased())"
    return """
      <h3>\(title)</h3>
      <pre class="wrapped" id="\(id)" tabindex="0">\(HTML(text: text, keepsLines: true))</pre>
      <button type="button" class="plain" data-copy="\(id)" hidden>Copy \(title)</button>
      """
  }
}

extension RequestLog.Entry {
  /// Whether a fault closed the connection without a response.
  var isCut: Bool { status == 0 }

  /// Whether the request has failed, or one of its items, or got no response.
  var isFailed: Bool { isCut || status >= 400 || !facts.errors.isEmpty }

  /// The types and items of the request, and its user.
  fileprivate var subject: HTML {
    let names = facts.types.prefix(3).joined(separator: ", ") + (facts.types.count > 3 ? ", …" : "")
    let shown: HTML? = names.isEmpty ? nil : "<bdi>\(names)</bdi> "
    let items: HTML? = facts.count > 0 ? "\(Numbers.count(facts.count, "item"))" : nil
    let user: HTML? = user.map { " by <bdi>\($0)</bdi>" }
    let failed: HTML? =
      facts.errors.first.map { code in
        let rest = facts.errors.count > 1 ? " and \(facts.errors.count - 1) more" : ""
        return " <span class=\"removed\">\(code)\(rest)</span>"
      }
    return "<span>\(shown)\(items)\(failed)<span class=\"quiet\">\(user)</span></span>"
  }

  /// Whether a text is in what can be searched.
  fileprivate func contains(_ text: String) -> Bool {
    let texts = [path, user ?? "", errorCode ?? ""] + facts.types + facts.names + facts.errors
    return texts.contains { $0.localizedCaseInsensitiveContains(text) }
  }
}
