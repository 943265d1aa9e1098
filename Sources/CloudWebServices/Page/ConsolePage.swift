import Foundation
import RecordModel
import RecordPages
import RecordText

/// The shell of all views: the bar with the container, the links to the views, the head of a view, and the
/// result of an action.
extension ConsoleRequest {
  /// The title of the container.
  var containerTitle: String {
    guard let identifier = served.identifier else { return fileName ?? "Container" }
    return served.environment.map { "\(identifier), \($0.rawValue)" } ?? identifier
  }

  /// The name of the container's file, without its folders.
  private var fileName: String? {
    served.fileName
      ?? served.container.store.path.map { URL(fileURLWithPath: $0).lastPathComponent }
  }

  /// Puts a view on a page with the links to all views.
  ///
  /// - Parameters:
  ///   - title: the heading.
  ///   - trail: the way to the view, from the whole to its parts.
  ///   - actions: links and forms beside the heading.
  ///   - head: content that does not change, such as a form.
  ///   - live: content that the script keeps up to date; nil for a view that does not change.
  ///   - foot: content below that does not change.
  func page(
    _ title: String, trail: [HTML] = [], actions: HTML? = nil, head: HTML = .empty, live: HTML?,
    foot: HTML = .empty
  ) -> HTML {
    let region: HTML? = live.map { live in
      isForm
        ? "<div>\n\(live)\n</div>"
        : """
        <p class="problem" id="live-state" role="status" hidden></p>
        <div id="live">
        \(live)
        </div>
        """
    }
    let actions: HTML? = actions.map { "<div class=\"actions\">\($0)</div>" }
    return PageDocument(
      title: "\(title) – \(containerTitle)", header: bar, navigation: navigation,
      style: ConsoleStyleSheet.html,
      content: """
        <div class="title"><div>\(when: !trail.isEmpty, "<p class=\"trail\">\(HTML.joined(trail, by: " / "))</p>")
        <h1\(when: title.utf8.count > 60, " class=\"long\"")><bdi>\(title)</bdi></h1></div>\(actions)</div>
        \(notice)
        \(head)
        \(region)
        \(foot)
        """, script: "/page/page.js"
    ).html
  }

  private var bar: HTML {
    let environment: HTML? = served.environment.map {
      "<span class=\"badge \($0.rawValue)\">\($0.rawValue)</span>"
    }
    let file: HTML? =
      served.identifier == nil
      ? nil : fileName.map { "<span class=\"quiet\"><bdi>\($0)</bdi></span>" }
    return """
      <p class="place"><strong><bdi>\(served.identifier ?? fileName ?? "Container")</bdi></strong>\
      \(environment)\(when: handler.page == .alone, "<span class=\"badge\">read-only</span>")\(file)\
      \(when: handler.containers.count > 1, "<a href=\"/\">all containers</a>")\(actorLink)</p>
      \(SearchView.form(self))
      """
  }

  private var navigation: HTML {
    let groups = groups.map { title, views -> HTML in
      let links = views.map { view -> HTML in
        let current: HTML? =
          view == self.view
          ? " aria-current=\"page\""
          : view == self.view.parent ? " aria-current=\"true\"" : nil
        return "<li><a href=\"\(link(view))\"\(current)>\(view.title)</a></li>"
      }
      return "<p>\(title)</p>\n<ul>\n\(links)\n</ul>"
    }
    return "<nav class=\"views\" aria-label=\"Views\">\n\(groups)\n</nav>"
  }

  /// The views that the links lead to, in groups.
  private var groups: [(String, [PageView])] {
    var groups: [(String, [PageView])] = [
      (
        "Data",
        [.overview] + (canEdit ? [.zones] : []) + [.changes, .shares, .schema]
          + (canEdit ? [.users] : [])
      )
    ]
    if handler.page == .withServices {
      groups.append(("Clients", [.requests, .notifications] + (hasActions ? [.faults] : [])))
    }
    return groups
  }

  // MARK: Parts of views

  /// A link to another page of a list.
  static func pageLink(
    _ title: String, _ relation: HTML?, _ path: String, _ attributes: HTML? = nil
  ) -> HTML {
    let relation: HTML? = relation.map { " rel=\"\($0)\"" }
    return "<a class=\"button plain\"\(relation) href=\"\(path)\"\(attributes)>\(title)</a>"
  }

  /// Links to other pages of a list; nil for none.
  static func pages(_ links: [HTML?], isBelow: Bool = false) -> HTML? {
    let links = links.compactMap(\.self)
    guard !links.isEmpty else { return nil }
    let place = isBelow ? ", below the records" : ""
    return "<nav class=\"pages\" aria-label=\"Pages\(place)\">\(links)</nav>"
  }

  /// The sentence about the parts of a long list that are not shown; nil for none.
  static func rest(of count: Int, _ shown: Int, _ noun: String) -> HTML? {
    count > shown ? "<p>\(Numbers.count(count - shown, "more \(noun)")).</p>" : nil
  }

  /// The sentence for a view without content.
  static func empty(_ words: HTML) -> HTML { "<p class=\"empty\">\(words)</p>" }

  /// The way to the records of a zone.
  func trail(_ zone: ZoneLocation) -> [HTML] {
    [
      "<a href=\"\(link(.overview))\">\(zone.database.rawValue.capitalized) database</a>",
      "<a href=\"\(link(.records, items(zone)))\">\(Self.words(zone.zoneID))</a>",
    ]
  }

  /// The name of the action in the address of the page that shows its result.
  static let noticeName = "notice"

  /// The result of an action; nil if the address names none.
  private var notice: HTML? {
    guard isRead, let action = value(Self.noticeName).flatMap(PageAction.init) else { return nil }
    let state: HTML = action == .filter ? "failed" : "done"
    let sent = items.filter { ["number", "as"].contains($0.name) }
    let record = view == .record ? try? storedRecord() : nil
    let query =
      sent.map { ($0.name, $0.value) }
      + [("record", record.map { RecordLocation($1, $0.recordID).formText })]
    return """
      <div class="notice \(state)" role="status">\(words(action))\
      \(when: !sent.isEmpty, " <a href=\"\(link(.requests, query))\">Request and response</a>")</div>
      """
  }

  private func words(_ action: PageAction) -> HTML {
    switch action {
    case .deleteRecord, .deleteZone:
      // A participant who leaves a share deletes nothing.
      guard let id = value(Removals.name) else { return "Done." }
      return removals.first { $0.id == id }.map(undo)
        ?? "Deleted. The deletion cannot be undone any more."
    case .undo:
      let restored = Int(value("restored") ?? "") ?? 0
      let left = Int(value("left") ?? "") ?? 0
      return """
        Restored \(Numbers.count(restored, "record")).\
        \(when: left > 0, " \(Numbers.count(left, "record")) that changed since the deletion stay as they are.")
        """
    case .save, .restore: return "Saved."
    case .accept: return "You take part in the share."
    case .subscribe: return "Subscribed."
    case .unsubscribe: return "The subscription is gone."
    case .reset: return "The container has its first contents again."
    case .clock: return "The clock was advanced."
    case .addFault: return "The fault is set up."
    case .removeFault: return "The fault was removed."
    case .clearFaults: return "All faults were removed, and all requests that waited go on."
    case .release: return "The request goes on."
    case .clearRequests: return "The requests were removed from the list."
    case .replay: return "The request was sent again. Its response is below."
    case .filter:
      return
        "A condition says only &#39;has FIELD&#39; of an encrypted field. The page left the condition out, so that no value is in the address."
    default: return "Done."
    }
  }
}
