import Foundation
import RecordCoding
import RecordPages
import RecordText

/// The faults of requests, and the requests that wait.
struct FaultsView {
  let context: ConsoleRequest
  /// The form that could not be used.
  var entered = ConsoleForm()
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
        \(presets)
        \(try form())
        """,
      live: """
        \(faults(admin.faults.armed.filter { $0.left != 0 }))
        \(held(admin.faults.held))
        """, foot: clock(admin.clock.now))
  }

  // MARK: Forms

  private var presets: HTML {
    let buttons = FaultPreset.all.map { name, preset -> HTML in
      "<button class=\"plain\" name=\"preset\" value=\"\(name)\">\(preset.title)</button>"
    }
    let content: HTML = """
      <div class="row">
      \(select("endpoint", "Requests", "all", Self.endpoints))
      \(select("user", "User", "any", users))
      \(ConsoleRequest.select(
        "times", "Times", [("1", "once"), ("3", "3 times"), ("", "always")]))
      \(console)
      </div>
      <div class="row">
      \(buttons)
      </div>
      """
    return "<h2>Common faults</h2>\n\(context.form(.addFault, [], content))"
  }

  private func form() throws -> HTML {
    let zones = try context.source.zones().map(\.zone.zoneID.zoneName)
    let types = try context.source.sections().map(\.recordType)
    let codes = WebErrorCode.allCases.map(\.rawValue)
    return """
      <details\("open", if: problem != nil)><summary>Custom fault</summary>
      \(context.form(.addFault, [], """
      \(select("endpoint", "Endpoint", "all", Self.endpoints))
      \(select("zone", "Zone", "any", zones))
      \(select("recordType", "Record type", "any", types))
      \(select("user", "User", "any", users))
      <label>Record<input name="record" placeholder="any" autocomplete="off" \
      value="\(HTML(editable: text("record")))"></label>
      \(number("times", "Times", "min=\"1\" placeholder=\"always\""))
      \(number("probability", "Probability", "min=\"0\" max=\"1\" step=\"any\" placeholder=\"1\""))
      \(select("error", "Error", "none", codes))
      \(number("retryAfter", "Retry after, in seconds", "min=\"0\" max=\"86400\""))
      \(number("latency", "Latency, in seconds", "min=\"0\" max=\"600\" step=\"any\""))
      \(select("otherwise", "Instead of a response", "nothing", [
        ("cut", "cut the connection"), ("hold", "hold the request"),
      ]))
      \(select("items", "The error is of", "the whole request", [
        ("true", "single items"),
      ]))
      \(number("over", "Only above a number of items", "min=\"0\" placeholder=\"any\""))
      \(select("token", "Sync token", "with or without", [("true", "only with one")]))
      \(select("moment", "Moment", "before the change", [("after", "after the change")]))
      \(console)
      <button>Set up</button>
      """))</details>
      """
  }

  private var users: [String] { context.users.map(\.userRecordName) }

  private var console: HTML {
    select("console", "The console's requests", "not these", [("true", "these, too")])
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
    ConsoleRequest.select(name, "\(title)", none: none, values, selected: text(name))
  }

  private func text(_ name: String) -> String { (try? entered.text(name)) ?? "" }

  private func number(_ name: String, _ title: String, _ attributes: HTML) -> HTML {
    """
    <label>\(title)<input name="\(name)" type="number" \(attributes) \
    value="\(HTML(editable: text(name)))"></label>
    """
  }

  // MARK: Faults

  private func faults(_ faults: [ArmedFault]) -> HTML {
    let title: HTML = "<h2>Active faults</h2>\n"
    guard !faults.isEmpty else {
      return "\(title)\(ConsoleRequest.empty("No fault is active. Choose one above."))"
    }
    var table = HTMLTable(
      [
        "Effect", "Endpoint", "Zone", "Record", "Record type", "User", "Times left",
        .number("Applied"), .hidden("Remove"),
      ], label: "Faults")
    for armed in faults {
      let fault = armed.fault
      func name(_ name: String?, _ other: String = "any") -> HTML { "<bdi>\(name ?? other)</bdi>" }
      table.add(
        "\(effect(of: fault))", name(fault.endpoint, "all"), name(fault.zone), name(fault.record),
        name(fault.recordType), name(fault.user), "\(armed.left.map(String.init) ?? "always")",
        "\(armed.count)",
        context.form(
          .removeFault, [("fault", String(armed.id))],
          "<button class=\"link\" aria-label=\"Remove fault \(armed.id)\">Remove</button>"))
    }
    return """
      \(title)\(table.html)
      \(context.form(
        .clearFaults, [], "<button class=\"plain\">Remove all and release waiting requests</button>"))
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
      \(context.form(.release, [("id", String(id))], "<button class=\"plain\">Release</button>"))</li>
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
    \(context.form(.clock, [], """
      <label>Advance by seconds, or to a time of UTC
      <input name="advance" required autocomplete="off" placeholder="tomorrow 9:00"></label>
      <button class="plain">Advance</button>
      """))
    """
  }
}

extension WebFault {
  /// Reads the form: a preset, or the members that a test sends.
  ///
  /// - Throws: ``WebError``: `BAD_REQUEST`.
  init(form: ConsoleForm) throws {
    let texts = ["endpoint", "zone", "record", "recordType", "user", "error", "moment"]
    var members: [JSONValue.Member] = []
    for name in form.items.map(\.name) where name != "preset" {
      guard let value = try form.value(name) else { continue }
      guard name != "otherwise" else {
        members.append(.init(value, .bool(true)))
        continue
      }
      // A browser sends a number as it was typed, such as `05` or `.5`, which JSON does not have.
      let json =
        texts.contains(name)
        ? .string(value)
        : value == "true"
          ? .bool(true)
          : Int64(value).map(JSONValue.integer)
            ?? Double(value).flatMap { $0.isFinite ? .number(text: "\($0)") : nil }
      guard let json else { throw WebError(.badRequest, "'\(value)' is not a number") }
      members.append(.init(name, json))
    }
    var body = try RequestBody(.object(members), RequestNotes())
    self = try WebFault(&body)
    let name = try form.value("preset")
    guard let preset = FaultPreset.all.first(where: { $0.key == name })?.value else { return }
    let includesConsole = includesConsole
    self = preset.fault.on(
      endpoint, zone: zone, record: record, recordType: recordType, user: user, times: times)
    self.includesConsole = includesConsole
  }
}

/// The faults of the documentation that a server can have, as one choice each.
enum FaultPreset {
  static let all: KeyValuePairs<String, (title: String, fault: WebFault)> = [
    "rateLimited": ("Rate limited, retry after 3 s", .error(.throttled, retryAfter: 3)),
    "serviceUnavailable": (
      "Service unavailable or zone busy, retry after 3 s", .error(.tryAgainLater, retryAfter: 3)
    ),
    "networkUnavailable": ("Connection cut", .cut()),
    "serverResponseLost": ("Response lost after the change", .cut(.after)),
    "limitExceeded": ("Limit of 10 items exceeded", .limitExceeded(over: 10)),
    "quotaExceeded": ("Quota exceeded", .error(.quotaExceeded)),
    "changeTokenExpired": ("Change token expired", .changeTokenExpired),
    "partialFailure": ("Every second item fails", .partialFailure(with: .tryAgainLater)),
    "zoneNotFound": ("Zone not found or deleted by the user", .error(.zoneNotFound)),
    "conflict": ("Conflict", .error(.conflict)),
    "serverError": ("Server error", .error(.internalError)),
    "slow": ("Slow by 2 s", .latency(2)),
    "held": ("Hold requests", .hold()),
  ]
}
