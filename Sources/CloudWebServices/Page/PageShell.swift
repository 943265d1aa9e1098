import RecordPages

extension PageContext {
  /// The title of the container.
  var containerTitle: String {
    guard let identifier = served.identifier else { return "Container" }
    return served.environment.map { "\(identifier), \($0.rawValue)" } ?? identifier
  }

  /// Puts a view on a page with the links to all views.
  ///
  /// - Parameters:
  ///   - head: what stays as it is, such as a form.
  ///   - live: what the script keeps up to date; nil for a view that does not change.
  ///   - foot: what stays as it is, below.
  func page(_ title: String, head: HTML = .empty, live: HTML?, foot: HTML = .empty) -> HTML {
    let links = views.map { view -> HTML in
      let current: HTML? = view == self.view ? " aria-current=\"page\"" : nil
      return "<li><a href=\"\(link(view))\"\(current)>\(view.title)</a></li>"
    }
    let readOnly: HTML? =
      handler.page == .alone ? " <span class=\"badge\">read-only</span>" : nil
    let others: HTML? =
      handler.containers.count > 1 ? " · <a href=\"/\">all containers</a>" : nil
    let region: HTML? = live.map { live in
      """
      <p class="problem" id="live-state" role="status" hidden></p>
      <div id="live">
      \(live)
      </div>
      """
    }
    return PageDocument(
      title: "\(title) – \(containerTitle)",
      header: """
        <p><strong><bdi>\(containerTitle)</bdi></strong>\(readOnly)\(others)</p>
        <nav aria-label="Views"><ul>
        \(links)
        </ul></nav>
        """,
      content: """
        <h1>\(title)</h1>
        \(head)
        \(region)
        \(foot)
        """, script: live == nil ? nil : "/page/page.js"
    ).html
  }

  /// The views that the links lead to.
  private var views: [PageView] {
    var views: [PageView] = [.overview, .changes, .shares, .schema]
    if handler.page == .withServices { views += [.requests, .notifications] }
    if hasActions { views.append(.faults) }
    return views
  }
}

extension PageView {
  var title: String {
    switch self {
    case .overview: "Overview"
    case .records: "Records"
    case .record: "Record"
    case .asset: "Asset"
    case .changes: "Changes"
    case .requests: "Requests"
    case .notifications: "Notifications"
    case .shares: "Shares"
    case .schema: "Schema"
    case .faults: "Faults"
    }
  }
}

extension HTML {
  /// A table that scrolls on its own where it is too wide.
  ///
  /// - Parameters:
  ///   - label: what the table is, for who cannot see it.
  ///   - head: the cells of its head.
  ///   - rows: the rows, with their cells.
  static func table(
    _ label: String, head: [HTML], rows: [HTML], cssClass: String? = nil
  ) -> HTML {
    let cssClass: HTML? = cssClass.map { " class=\"\($0)\"" }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(label)">
      <table\(cssClass)><thead><tr>\(head)</tr></thead>
      <tbody>
      \(rows)
      </tbody></table></div>
      """
  }
}
