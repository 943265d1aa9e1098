import RecordArchive
import RecordModel
import RecordPages
import RecordText

/// The contents of a container: databases, zones and record types, with their numbers.
struct OverviewView {
  let context: ConsoleRequest

  /// The number of zones, users and subscriptions that are shown.
  private static let maxItems = 300

  func html() throws -> HTML {
    let summary = try context.source.summary()
    return context.page(
      "Overview", actions: context.hasActions ? actions : nil,
      live: """
        \(try facts(summary))
        \(damaged)
        \(zones(summary))
        \(accounts(try context.info()))
        \(try subscriptions())
        """,
      foot: context.handler.page == .withServices
        ? "\(subscription(summary))\(address)" : .empty)
  }

  /// The number of damaged records that the view does not show.
  private var damaged: HTML? {
    context.damaged == 0
      ? nil
      : """
      <p class="problem">\(Numbers.count(context.damaged, "damaged record")) of this user cannot be \
      read. The view of the whole container names them.</p>
      """
  }

  /// The number and the size of the assets of the records that views show: a copy of what a user sees
  /// has no bytes of assets.
  private func assets(_ summary: ArchiveSummary) throws -> (count: Int, size: Int) {
    guard context.hidesRecords else { return (summary.assets, summary.assetBytes) }
    return try context.result("assets \(context.name.path)") {
      var seen: Set<String> = []
      try context.store.snapshot { try $0.forEachAsset { seen.insert($0.sha256) } }
      var sizes: [Int] = []
      try context.served.container.store.snapshot { snapshot in
        try snapshot.forEachAsset { asset in
          if let size = asset.size, seen.contains(asset.sha256) { sizes.append(Int(size)) }
        }
      }
      return (sizes.count, sizes.reduce(0, +))
    }
  }

  private func facts(_ summary: ArchiveSummary) throws -> HTML {
    let assets = try assets(summary)
    let figures = HTML.figures([
      ("\(Numbers.grouped(summary.records))", "records, \(Numbers.size(summary.recordBytes))"),
      ("\(Numbers.grouped(assets.count))", "assets, \(Numbers.size(assets.size))"),
      ("\(Numbers.grouped(summary.zones.count))", summary.zones.count == 1 ? "zone" : "zones"),
      (
        "\(Numbers.grouped(summary.tombstones))",
        summary.tombstones == 1 ? "deleted record" : "deleted records"
      ),
    ])
    let facts: [HTML?] = [
      summary.info.currentUserRecordName.map { "signed-in user <bdi>\($0)</bdi>" },
      summary.info.schemaVersion.map { "schema version \($0)" },
      summary.fileBytes.map { "file of \(Numbers.size($0))" },
    ]
    return "\(figures)\n<p class=\"quiet\">\(HTML.line(facts))</p>"
  }

  // MARK: Zones

  private func zones(_ summary: ArchiveSummary) -> HTML {
    let sections = Dictionary(grouping: summary.sections) { ZoneLocation($0.database, $0.zoneID) }
    guard !summary.zones.isEmpty || !sections.isEmpty else {
      return ConsoleRequest.empty("The container is empty.")
    }
    // Databases without records come last.
    let full = Set(sections.keys.map(\.database))
    let ordered =
      DatabaseScope.allCases.filter(full.contains)
      + DatabaseScope.allCases.filter { !full.contains($0) }
    let databases = ordered.map { database -> HTML in
      let zones = summary.zones.filter { $0.database == database }
      let isOwn = { (zone: ZoneLocation) in zone.zoneID.ownerName == ZoneID.currentUserOwnerName }
      // In the public and the shared database, zones are not of one user.
      let (own, others) =
        database == .private ? (zones.filter(isOwn), zones.filter { !isOwn($0) }) : (zones, [])
      return """
        \(group("\(database.rawValue.capitalized) database", own, sections))
        \(group("Private databases of other users", others, sections, isOfOthers: true))
        """
    }
    return "\(databases)"
  }

  private func group(
    _ title: String, _ zones: [ZoneLocation],
    _ sections: [ZoneLocation: [ArchiveSource.Section]], isOfOthers: Bool = false
  ) -> HTML? {
    guard !zones.isEmpty else { return nil }
    let shown = zones.prefix(Self.maxItems).map { zone in
      (zone, sections[ZoneLocation(zone.database, zone.zoneID)] ?? [])
    }
    let cards = shown.filter { !$1.isEmpty }.map(card)
    let empty = shown.filter(\.1.isEmpty).map { zone, _ in "<li>\(link(zone))</li>" as HTML }
    let list: HTML = "<ul>\n\(empty)\n</ul>"
    return """
      <h2>\(title)</h2>
      \(when: !cards.isEmpty, "<div class=\"cards\">\n\(cards)\n</div>")
      \(when: !empty.isEmpty && isOfOthers, """
        <details><summary>\(empty.count) without records</summary>\
        <div class="chips">\(list)</div></details>
        """)
      \(when: !empty.isEmpty && !isOfOthers, """
        <div class="chips"><span class="quiet">Without records</span>\(list)</div>
        """)
      \(ConsoleRequest.rest(of: zones.count, shown.count, "zone"))
      """
  }

  private func link(_ zone: ZoneLocation) -> HTML {
    let path = context.link(.records, context.items(zone))
    return "<a href=\"\(path)\">\(ConsoleRequest.words(zone.zoneID))</a>"
  }

  private func card(_ zone: ZoneLocation, _ sections: [ArchiveSource.Section]) -> HTML {
    let rows = sections.map { section -> HTML in
      let link = context.link(.records, context.items(zone, type: section.recordType))
      return """
        <tr><td><a href="\(link)"><bdi>\(context.source.shownType(of: section))</bdi></a></td>\
        <td class="number">\(Numbers.grouped(section.records))</td>\
        <td class="number quiet">\(Numbers.size(section.bytes))</td></tr>
        """
    }
    return """
      <section class="card"><h3>\(link(zone))</h3>
      <table><thead><tr><th>Record type</th><th class="number">Records</th>\
      <th class="number">Size</th></tr></thead><tbody>
      \(rows)
      </tbody></table></section>
      """
  }

  // MARK: Users

  private func accounts(_ info: ContainerInfo) -> HTML {
    guard !info.accounts.isEmpty else { return .empty }
    var table = HTMLTable(["Record name", "Name", "Address"], label: "Users")
    for account in info.accounts.prefix(Self.maxItems) {
      let isCurrent = account.userRecordName == info.currentUserRecordName
      table.add(row: "<tr>\(account.cells(isSignedIn: isCurrent))</tr>")
    }
    let rest = ConsoleRequest.rest(of: info.accounts.count, Self.maxItems, "user")
    return "<h2>Users</h2>\n\(table.html)\(rest)"
  }

  private func subscriptions() throws -> HTML {
    let found = try context.source.subscriptions()
    guard !found.isEmpty else { return .empty }
    let actions: [HTMLTable.Column] = canSubscribe ? [.hidden("Remove")] : []
    var table = HTMLTable(
      ["Subscription", "Database", .init("About", style: "sentence")] + actions,
      label: "Subscriptions")
    for (database, subscription) in found.prefix(Self.maxItems) {
      table.add(
        "<bdi>\(subscription.subscriptionID)</bdi>", "\(database.rawValue)", subscription.words,
        removal(subscription, database))
    }
    return """
      <h2>Subscriptions of \(context.isPart ? context.actor.words : "the signed-in user")</h2>
      \(table.html)
      \(ConsoleRequest.rest(of: found.count, Self.maxItems, "subscription"))
      """
  }

  private func removal(_ subscription: CloudSubscription, _ database: DatabaseScope) -> HTML {
    let id = subscription.subscriptionID
    return context.form(
      .unsubscribe, [("database", database.rawValue), ("subscription", id)],
      "<button class=\"link\" aria-label=\"Remove \(id)\">Remove</button>")
  }

  /// Whether the subscriptions that the view shows are the actor's.
  private var canSubscribe: Bool {
    context.canEdit && (context.isPart || context.actor.isSignedInUser)
      && context.actor.name != nil
  }

  /// The form for a new subscription.
  private func subscription(_ summary: ArchiveSummary) -> HTML {
    guard canSubscribe else { return .empty }
    let zones = summary.zones.filter { $0.database != .public && context.actor.owns($0) }
      .prefix(Self.maxItems)
      .map { ($0.formText, $0.zoneID.zoneName) }
    let types = Set(summary.sections.map(\.recordType)).sorted().prefix(Self.maxItems)
    return """
      <details id="subscribe"><summary>Subscribe as \(context.actor.words)</summary>
      \(context.form(.subscribe, [], """
        \(ConsoleRequest.select("database", "Database", DatabaseScope.allCases.map { ($0.rawValue, $0.rawValue) }))
        \(ConsoleRequest.select("zone", "Zone", none: "all", zones))
        \(ConsoleRequest.select("type", "Record type", none: "all", types.map { ($0, $0) }))
        <button>Subscribe</button>
        """))</details>
      """
  }

  // MARK: Requests

  private var address: HTML {
    let actor = context.actor.isSignedInUser ? nil : context.actor.name
    let request = CopiedRequest(
      context, method: "GET", path: context.path(of: "zones/list", in: .private), body: nil,
      user: actor ?? ZoneID.currentUserOwnerName)
    return """
      <h2>Requests</h2>
      <p>CloudKit Web Services for this container, as a client asks for them:</p>
      <pre class="wrapped">\(request?.curl ?? "")</pre>
      """
  }

  private var actions: HTML {
    """
    \(when: context.served.seed != nil, """
      <details class="menu"><summary>Reset…</summary><div>
      <p>All changes since the start are lost. This cannot be undone.</p>
      \(context.form(.reset, [], "<button class=\"danger\">Reset to the first contents</button>"))</div></details>
      """)\
    \(when: !context.isPart, context.form(.snapshot, [], "<button class=\"plain\">Save as a bundle</button>"))
    """
  }
}

extension CloudSubscription {
  /// The subject of the subscription in words.
  fileprivate var words: HTML {
    switch kind {
    case .query(let query, let zoneID, let firesOn, let firesOnce):
      let events = CloudSubscription.ChangeType.allCases.filter(firesOn.contains)
        .map(\.rawValue).joined(separator: ", ")
      let zone: HTML? = zoneID.map { " in \(ConsoleRequest.words($0))" }
      return "<bdi>\(query.recordType)</bdi>\(zone): \(events)\(when: firesOnce, ", once")"
    case .zone(let zoneID, let type):
      return "all changes in \(ConsoleRequest.words(zoneID))\(type.map { " to \($0)" } ?? "")"
    case .database(let type): return "all changes\(type.map { " to \($0)" } ?? "")"
    }
  }
}

/// The containers, where there are several.
enum StartView {
  static func html(_ containers: [WebContainer]) -> HTML {
    let items = containers.map { container -> HTML in
      let path = PageContainerName(container).path + "/" + PageView.overview.rawValue
      let environment: HTML? = container.environment.map {
        " <span class=\"badge\">\($0.rawValue)</span>"
      }
      let file: HTML? = container.fileName.map { " <span class=\"quiet\"><bdi>\($0)</bdi></span>" }
      return """
        <li><a href="\(path)"><bdi>\(container.identifier ?? "Container")</bdi></a>\(environment)\
        \(file)</li>
        """
    }
    return page(
      "Containers", link: "<a href=\"/\" aria-current=\"page\">Containers</a>",
      "<h1>Containers</h1>\n<ul>\n\(items)\n</ul>")
  }

  /// A page of no container.
  static func page(_ title: String, link: HTML, _ content: HTML) -> HTML {
    PageDocument(
      title: title, header: "<p class=\"place\"><strong>RecordPack</strong></p>",
      navigation: "<nav aria-label=\"Views\"><ul><li>\(link)</li></ul></nav>",
      style: ConsoleStyleSheet.html, content: content
    ).html
  }
}
