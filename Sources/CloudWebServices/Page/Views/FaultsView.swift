import Foundation
import RecordCoding
import RecordPages

/// What goes wrong with requests, and the requests that wait.
struct FaultsView {
  let context: PageContext

  func html() throws -> HTML {
    guard context.hasActions, let admin = context.handler.admin else {
      throw WebError(.notFound, "the path leads nowhere")
    }
    let state = admin.faults.json
    return context.page(
      "Faults", head: form,
      live: """
        \(faults(state["faults"]?.elements ?? []))
        \(held(state["held"]?.elements ?? []))
        """, foot: clock(admin.clock.now))
  }

  private var form: HTML {
    let endpoints = Endpoints.ofDatabase.keys.sorted().map { "<option value=\"\($0)\">" as HTML }
    let codes = WebErrorCode.allCases.map { "<option>\($0.rawValue)</option>" as HTML }
    return """
      <h2>Set up a fault</h2>
      <form method="post" action="\(context.path(of: .addFault))">
      <label>Endpoint<input name="endpoint" list="endpoints" placeholder="all" autocomplete="off">
      <datalist id="endpoints">\(endpoints)</datalist></label>
      <label>Zone<input name="zone" placeholder="any" autocomplete="off"></label>
      <label>Record<input name="record" placeholder="any" autocomplete="off"></label>
      <label>Record type<input name="recordType" placeholder="any" autocomplete="off"></label>
      <label>Times<input name="times" type="number" min="1" placeholder="always"></label>
      <label>Probability<input name="probability" type="number" min="0" max="1" step="any" \
      placeholder="1"></label>
      <label>Error<select name="error"><option value="">none</option>\(codes)</select></label>
      <label>Retry after, in seconds<input name="retryAfter" type="number" min="0" max="86400">
      </label>
      <label>Latency, in seconds<input name="latency" type="number" min="0" max="600" step="any">
      </label>
      <label>Moment<select name="moment"><option value="before">before the change</option>\
      <option value="after">after the change</option></select></label>
      <label>Instead of an answer<select name="otherwise"><option value="">nothing</option>\
      <option value="cut">cut the connection</option>\
      <option value="hold">hold the request</option></select></label>
      <button>Set up</button>
      </form>
      """
  }

  private func faults(_ faults: [JSONValue]) -> HTML {
    guard !faults.isEmpty else { return "<h2>Faults</h2>\n<p>Nothing goes wrong.</p>" }
    let rows = faults.map { fault -> HTML in
      func cell(_ name: String, without: String = "") -> HTML {
        let value = fault[name]
        return "<td><bdi>\(value?.string ?? value?.numberText ?? without)</bdi></td>"
      }
      return """
        <tr>\(cell("id"))\(cell("endpoint", without: "all"))\(cell("zone", without: "any"))\
        \(cell("record", without: "any"))\(cell("recordType", without: "any"))<td>\(effect(of: fault))</td>\
        \(cell("times", without: "always"))\(cell("count"))</tr>
        """
    }
    let head: [HTML] =
      [
        "Number", "Endpoint", "Zone", "Record", "Record type", "Effect", "Times left", "Happened",
      ].map { "<th>\($0)</th>" }
    return """
      <h2>Faults</h2>
      \(HTML.table("Faults", head: head, rows: rows))
      <form method="post" action="\(context.path(of: .clearFaults))">\
      <button class="plain">Remove all, and release what waits</button></form>
      """
  }

  /// What a fault does, in words.
  private func effect(of fault: JSONValue) -> String {
    var effects: [String] = []
    if let error = fault["error"]?.string { effects.append(error) }
    if let response = fault["response"], let status = response["status"]?.numberText,
      let size = response["size"]?.numberText
    {
      effects.append("response \(status) of \(size) bytes")
    }
    if let seconds = fault["latency"]?.numberText { effects.append("latency of \(seconds) s") }
    if fault["cut"]?.bool == true { effects.append("connection cut") }
    if fault["hold"]?.bool == true { effects.append("request held") }
    let moment = fault["moment"]?.string == "after" ? ", after the change" : ""
    return effects.joined(separator: ", ") + moment
  }

  private func held(_ held: [JSONValue]) -> HTML {
    guard !held.isEmpty else { return .empty }
    let items = held.map { request -> HTML in
      let id = request["id"]?.numberText ?? ""
      return """
        <li><code>\(request["endpoint"]?.string ?? "")</code>
        <form method="post" action="\(context.path(of: .release))">\
        <input type="hidden" name="id" value="\(id)"><button class="plain">Release</button></form></li>
        """
    }
    return "<h2>Requests that wait</h2>\n<ul>\n\(items)\n</ul>"
  }

  private func clock(_ now: Date) -> HTML {
    """
    <h2>Clock</h2>
    <p>\(PageContext.words(now))</p>
    <form method="post" action="\(context.path(of: .clock))">
    <label>Advance by seconds<input name="advance" type="number" min="0" step="any" required></label>
    <button class="plain">Advance</button></form>
    """
  }
}
