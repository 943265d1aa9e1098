import Foundation
import RecordCoding
import RecordModel
import RecordPages

/// The mock's responses to requests of the console, unchanged, with the requests to copy.
struct AnswerView {
  let context: ConsoleRequest

  /// The number of requests of one change that are shown.
  private static let maxRequests = 20

  /// The view of the requests that the address names.
  func html() throws -> HTML {
    try context.requireEditing()
    let numbers = context.items.filter { $0.name == "number" }.compactMap { Int($0.value) }
    guard let last = numbers.last else {
      throw WebError(.badRequest, "the address names no request")
    }
    let entry = RequestsView(context: context).entry(String(last))
    let record = try context.value("record").map { try RecordLocation(formText: $0) }
    let shown = numbers.suffix(Self.maxRequests).map { number -> HTML in
      let isLast = number == last
      return isLast
        ? request(number)
        : "<details><summary>Request \(number), sent before</summary>\(request(number))</details>"
    }
    return context.editingPage(
      "Result",
      """
      \(outcome(entry, last))
      \(record.map { "<p>\(context.anchor($0.recordID, in: $0.database))</p>" as HTML })
      \(shown.last ?? .empty)
      \(shown.dropLast())
      """)
  }

  private func request(_ number: Int) -> HTML {
    RequestsView(context: context).exchange(number)
  }

  private func outcome(_ entry: RequestLog.Entry?, _ number: Int) -> HTML {
    guard let entry else {
      return "<p class=\"problem\">The request is not in the list of requests any more.</p>"
    }
    let bodies = context.handler.log.bodies(of: number)
    let json = bodies.flatMap { try? WebServicesHandler.parse($0.response) }
    if let (code, reason) = json.flatMap(ServiceCall.Reply.error) {
      return "<p class=\"problem\" role=\"alert\">\(code): \(reason)</p>"
    }
    if entry.isCut {
      return
        "<p class=\"problem\" role=\"alert\">A fault closed the connection without a response.</p>"
    }
    return entry.status < 400
      ? "<p class=\"notice done\" role=\"status\">Done.</p>"
      : "<p class=\"problem\" role=\"alert\">Status \(entry.status)</p>"
  }

  /// The request that adds a user, to copy for a test, if the handler takes it from tests.
  func userTexts(_ entry: RequestLog.Entry, _ body: JSONValue?) -> HTML? {
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
    let curl = CopiedRequest.curl("\(context.baseURL)\(entry.path)", body: body)
    return Self.copied("curl", curl, entry.number)
  }

  /// A request in each language, to copy.
  static func texts(_ request: CopiedRequest, _ number: Int) -> HTML {
    let texts = [
      ("curl", request.curl), ("JavaScript", request.javaScript), ("Swift", request.swift ?? ""),
    ]
    return "\(texts.filter { !$0.1.isEmpty }.map { copied($0, $1, number) })"
  }

  static func copied(_ title: String, _ text: String, _ number: Int) -> HTML {
    let id = "copied-\(number)-\(title.lowercased())"
    return """
      <h3>\(title)</h3>
      <pre class="wrapped" id="\(id)" tabindex="0">\(HTML(text: text, keepsLines: true))</pre>
      <button type="button" class="plain" data-copy="\(id)" hidden>Copy \(title)</button>
      """
  }
}
