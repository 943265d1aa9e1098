import Foundation
import RecordPages

/// The faults of requests, and the requests that wait.
struct FaultsView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    guard context.hasActions, let admin = context.handler.admin else {
      throw WebError(.notFound, "the path leads nowhere")
    }
    return context.page(
      "Faults", head: form,
      live: """
        \(faults(admin.faults.armed))
        \(held(admin.faults.held))
        """, foot: clock(admin.clock.now))
  }

  private var form: HTML {
    let endpoints = Endpoint.ofDatabase.keys.sorted().map { "<option value=\"\($0)\">" as HTML }
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

  private func faults(_ faults: [ArmedFault]) -> HTML {
    guard !faults.isEmpty else { return "<h2>Faults</h2>\n<p>Nothing goes wrong.</p>" }
    let rows = faults.map { armed -> HTML in
      let fault = armed.fault
      let names = [
        fault.endpoint ?? "all", fault.zone ?? "any", fault.record ?? "any",
        fault.recordType ?? "any",
      ]
      return """
        <tr><td>\(armed.id)</td>\(names.map { "<td><bdi>\($0)</bdi></td>" as HTML })\
        <td>\(effect(of: fault))</td><td>\(armed.left.map { "\($0)" } ?? "always")</td>\
        <td>\(armed.count)</td></tr>
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

  /// The effect of a fault in words.
  private func effect(of fault: WebFault) -> String {
    let effects = [
      fault.error?.rawValue,
      fault.response.map { "response \($0.status) of \($0.body.count) bytes" },
      fault.latency > 0 ? "latency of \(fault.latency) s" : nil,
      fault.isCut ? "connection cut" : nil, fault.isHeld ? "request held" : nil,
    ]
    let moment = fault.moment == .after ? ", after the change" : ""
    return effects.compactMap(\.self).joined(separator: ", ") + moment
  }

  private func held(_ held: [(id: Int, path: String)]) -> HTML {
    guard !held.isEmpty else { return .empty }
    let items = held.map { id, path -> HTML in
      """
      <li><code>\(path)</code>
      <form method="post" action="\(context.path(of: .release))">\
      <input type="hidden" name="id" value="\(id)"><button class="plain">Release</button></form></li>
      """
    }
    return "<h2>Requests that wait</h2>\n<ul>\n\(items)\n</ul>"
  }

  private func clock(_ now: Date) -> HTML {
    """
    <h2>Clock</h2>
    <p>\(ConsoleRequest.words(now))</p>
    <form method="post" action="\(context.path(of: .clock))">
    <label>Advance by seconds<input name="advance" type="number" min="0" step="any" required></label>
    <button class="plain">Advance</button></form>
    """
  }
}
