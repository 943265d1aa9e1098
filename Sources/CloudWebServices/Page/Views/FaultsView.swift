import Foundation
import RecordModel
import RecordPages
import RecordText

/// The faults of requests, and the requests that wait.
struct FaultsView {
  let context: ConsoleRequest
  /// The values of a form that could not be used.
  var entered: [String: String] = [:]
  /// Why the form could not be used.
  var problem: String?

  /// The number of zones, and of record types, to choose from.
  private static let maxChoices = 500

  func html() throws -> HTML {
    guard context.hasActions, let admin = context.handler.admin else {
      throw WebError(.notFound, "the path leads nowhere")
    }
    let problem: HTML? = problem.map { "<p class=\"problem\" role=\"alert\">\($0)</p>" }
    return context.page(
      "Faults",
      head: """
        \(problem)
        \(try presets)
        \(try form)
        """,
      live: """
        \(faults(admin.faults.armed.filter { $0.left != 0 }))
        \(held(admin.faults.held))
        """, foot: clock(admin.clock.now))
  }

  // MARK: Forms

  private var presets: HTML {
    get throws {
      let buttons = FaultPreset.allCases.map { preset -> HTML in
        """
        <button class="plain" name="preset" value="\(preset.rawValue)">\(preset.title)</button>
        """
      }
      return """
        <h2>Common faults</h2>
        <form method="post" action="\(context.path(of: .addFault))">
        <div class="row">
        \(select("endpoint", "Requests", "all", Self.endpoints))
        \(select("user", "User", "any", users))
        <label>Times<select name="times"><option value="1">once</option>\
        <option value="3">3 times</option><option value="">always</option></select></label>
        \(console)
        </div>
        <div class="row">
        \(buttons)
        </div>
        </form>
        """
    }
  }

  private var form: HTML {
    get throws {
      let zones = try context.source.zones().map(\.zone.zoneID.zoneName)
      let types = try context.source.sections().map(\.recordType)
      let codes = WebErrorCode.allCases.map(\.rawValue)
      let isOpen = problem != nil || !entered.isEmpty
      return """
        <details\("open", if: isOpen)><summary>Custom fault</summary>
        <form method="post" action="\(context.path(of: .addFault))">
        \(select("endpoint", "Endpoint", "all", Self.endpoints))
        \(select("zone", "Zone", "any", zones))
        \(select("recordType", "Record type", "any", types))
        \(select("user", "User", "any", users))
        <label>Record<input name="record" placeholder="any" autocomplete="off" \
        value="\(HTML(editable: entered["record"] ?? ""))"></label>
        \(number("times", "Times", "min=\"1\" placeholder=\"always\""))
        \(number("probability", "Probability", "min=\"0\" max=\"1\" step=\"any\" placeholder=\"1\""))
        \(select("error", "Error", "none", codes))
        \(number("retryAfter", "Retry after, in seconds", "min=\"0\" max=\"86400\""))
        \(number("latency", "Latency, in seconds", "min=\"0\" max=\"600\" step=\"any\""))
        \(select("otherwise", "Instead of an answer", "nothing", [
          ("cut", "cut the connection"), ("hold", "hold the request"),
        ]))
        \(select("items", "The error is of", "the whole request", [
          ("some", "single items"),
        ]))
        \(number("over", "Only above a number of items", "min=\"0\" placeholder=\"any\""))
        \(select("token", "Sync token", "with or without", [("with", "only with one")]))
        \(select("moment", "Moment", "before the change", [("after", "after the change")]))
        \(console)
        <button>Set up</button>
        </form></details>
        """
    }
  }

  private var users: [String] {
    let info = try? context.served.container.store.info()
    return [info?.currentUserRecordName].compactMap(\.self)
      + (info?.accounts ?? []).map(\.userRecordName)
  }

  private var console: HTML {
    """
    <label>The console's requests<select name="console"><option value="">not these</option>\
    <option value="1"\("selected", if: entered["console"] == "1")>these, too</option></select></label>
    """
  }

  private static let endpoints = Endpoint.ofDatabase.keys.sorted()

  private func select(_ name: String, _ title: String, _ none: String, _ values: [String]) -> HTML {
    var seen: Set<String> = []
    let unique = values.filter { seen.insert($0).inserted && HTML.isExact($0) }
    return select(name, title, none, unique.prefix(Self.maxChoices).map { ($0, $0) })
  }

  private func select(
    _ name: String, _ title: String, _ none: String, _ values: [(String, String)]
  ) -> HTML {
    let options = values.map { value, words -> HTML in
      "<option value=\"\(value)\"\("selected", if: entered[name] == value)>\(words)</option>"
    }
    return """
      <label>\(title)<select name="\(name)"><option value="">\(none)</option>\(options)</select></label>
      """
  }

  private func number(_ name: String, _ title: String, _ attributes: HTML) -> HTML {
    """
    <label>\(title)<input name="\(name)" type="number" \(attributes) \
    value="\(HTML(editable: entered[name] ?? ""))"></label>
    """
  }

  // MARK: Faults

  private func faults(_ faults: [ArmedFault]) -> HTML {
    guard !faults.isEmpty else {
      return """
        <h2>Active faults</h2>
        \(ConsoleRequest.empty("No fault is active. Choose one above."))
        """
    }
    let rows = faults.map { armed -> HTML in
      let fault = armed.fault
      let names = [
        fault.endpoint ?? "all", fault.zone ?? "any", fault.record ?? "any",
        fault.recordType ?? "any", fault.user ?? "any",
      ]
      return """
        <tr><td>\(effect(of: fault))</td>\(names.map { "<td><bdi>\($0)</bdi></td>" as HTML })\
        <td>\(armed.left.map { "\($0)" } ?? "always")</td><td class="number">\(armed.count)</td>\
        <td><form method="post" action="\(context.path(of: .removeFault))">\
        <input type="hidden" name="fault" value="\(armed.id)">\
        <button class="link" aria-label="Remove fault \(armed.id)">Remove</button></form></td></tr>
        """
    }
    let head: [HTML] =
      ["Effect", "Endpoint", "Zone", "Record", "Record type", "User", "Times left"].map {
        "<th>\($0)</th>"
      }
      + ["<th class=\"number\">Applied</th>", "<th><span class=\"hidden\">Remove</span></th>"]
    return """
      <h2>Active faults</h2>
      \(HTML.table("Faults", head: head, rows: rows))
      <form method="post" action="\(context.path(of: .clearFaults))">\
      <button class="plain">Remove all and release waiting requests</button></form>
      """
  }

  /// The effect of a fault in words.
  private func effect(of fault: WebFault) -> String {
    let effects: [String?] = [
      fault.error.map { $0.rawValue + (fault.isOfItems ? " of single items" : "") },
      fault.maxItems.map { "above \(Numbers.count($0, "item"))" },
      fault.needsToken ? "with a sync token" : nil,
      fault.response.map { "response \($0.status) of \($0.body.count) bytes" },
      fault.latency > 0 ? "latency of \(fault.latency) s" : nil,
      fault.isCut ? "connection cut" : nil, fault.isHeld ? "request held" : nil,
      fault.includesConsole ? "also of the console" : nil,
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
    return "<h2>Waiting requests</h2>\n<ul>\n\(items)\n</ul>"
  }

  /// How far the clock is before that of the machine.
  private func offset(of now: Date) -> HTML? {
    let seconds = now.timeIntervalSinceNow.rounded()
    guard abs(seconds) >= 2 else { return nil }
    let (days, rest) = Int(abs(seconds)).quotientAndRemainder(dividingBy: 86_400)
    let hours = "\(rest / 3600) h \(rest / 60 % 60) min"
    let words = days > 0 ? "\(Numbers.count(days, "day")) \(hours)" : hours
    return ", \(words) \(seconds > 0 ? "after" : "before") the machine's clock"
  }

  private func clock(_ now: Date) -> HTML {
    """
    <h2>Clock</h2>
    <p>\(ConsoleRequest.words(now))\(offset(of: now))</p>
    <form method="post" action="\(context.path(of: .clock))">
    <label>Advance by seconds, or to a time of UTC
    <input name="advance" required autocomplete="off" placeholder="tomorrow 9:00"></label>
    <button class="plain">Advance</button></form>
    """
  }
}

/// The faults of the documentation that a server can have, each as one choice.
enum FaultPreset: String, CaseIterable {
  case rateLimited, serviceUnavailable, networkUnavailable, serverResponseLost, limitExceeded
  case quotaExceeded, changeTokenExpired, partialFailure, zoneNotFound, conflict, serverError
  case slow, held

  var title: String {
    switch self {
    case .rateLimited: "Rate limited, retry after 3 s"
    case .serviceUnavailable: "Service unavailable or zone busy, retry after 3 s"
    case .networkUnavailable: "Connection cut"
    case .serverResponseLost: "Response lost after the change"
    case .limitExceeded: "Limit of 10 items exceeded"
    case .quotaExceeded: "Quota exceeded"
    case .changeTokenExpired: "Change token expired"
    case .partialFailure: "Every second item fails"
    case .zoneNotFound: "Zone not found or deleted by the user"
    case .conflict: "Conflict"
    case .serverError: "Server error"
    case .slow: "Slow by 2 s"
    case .held: "Hold requests"
    }
  }

  var fault: WebFault {
    switch self {
    case .rateLimited: .error(.throttled, retryAfter: 3)
    case .serviceUnavailable: .error(.tryAgainLater, retryAfter: 3)
    case .networkUnavailable: .cut()
    case .serverResponseLost: .cut(.after)
    case .limitExceeded: .limitExceeded(over: 10)
    case .quotaExceeded: .error(.quotaExceeded)
    case .changeTokenExpired: .changeTokenExpired
    case .partialFailure: .partialFailure(with: .tryAgainLater)
    case .zoneNotFound: .error(.zoneNotFound)
    case .conflict: .error(.conflict)
    case .serverError: .error(.internalError)
    case .slow: .latency(2)
    case .held: .hold()
    }
  }
}
