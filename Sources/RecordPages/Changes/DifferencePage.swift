import RecordArchive
import RecordModel
import RecordText

/// The differences of two bundles or containers as a page, piece by piece: there may be millions.
///
/// Add the changes in their order, then write ``opening(_:)``, the pieces, and ``closing``.
package struct DifferencePage {
  /// The number of records that are shown at once; more follow in lists that are closed at first.
  static let maxShown = 100
  /// The same for everything that is not a record.
  static let maxOthersShown = 10

  private let first: String
  private let second: String
  private let values: ChangedValue
  /// The counts of what was added.
  package private(set) var statistics = DifferenceStatistics()
  /// Whether only counts are shown.
  private let isSummary: Bool

  private var group: DifferenceStatistics.Key?
  private var groups = 0
  private var others = 0
  /// The number of records in the group, and whether the open list is a closed one.
  private var records = 0
  private var isOpen = false
  /// Whether the open list, if it is not one of records, is that of assets.
  private var isListOfAssets = false

  /// - Parameters:
  ///   - first: The name of the first source.
  ///   - second: The name of the second source.
  ///   - showEncrypted: Whether the values of encrypted fields and the keys of assets are shown.
  ///   - isSummary: Whether only counts are shown.
  package init(first: String, second: String, showEncrypted: Bool, isSummary: Bool) {
    (self.first, self.second, self.isSummary) = (first, second, isSummary)
    values = ChangedValue(showEncrypted: showEncrypted)
  }

  /// Adds a difference.
  ///
  /// - Returns: The next piece of the page.
  package mutating func add(_ change: ArchiveChange) -> HTML {
    statistics.add(change)
    guard !isSummary else { return .empty }
    switch change {
    case .recordAdded(let record, let database):
      return add(.added, record, database)
    case .recordRemoved(let record, let database):
      return add(.removed, record, database)
    case .recordChanged(let difference, let type, let database):
      let key = DifferenceStatistics.Key(database, difference.recordID.zoneID, type: type)
      let rows = difference.system.map(values.row) + difference.fields.map(values.row)
      return add(.changed, difference.recordID.recordName, key, rows: rows)
    case .item(let kind, let item, _):
      return add(other: change, kind, isAsset: item.kind == .asset)
    }
  }

  /// The end of what was begun.
  package mutating func end() -> HTML {
    defer { (isOpen, group) = (false, nil) }
    if group != nil { return endOfGroup }
    guard isOpen else { return .empty }
    return others > Self.maxOthersShown ? "</ul>\n</details>\n</section>\n" : "</ul>\n</section>\n"
  }

  // MARK: Records

  /// Adds a record that exists on one side only, with its fields.
  private mutating func add(
    _ kind: ArchiveChange.Kind, _ record: ResultRecord, _ database: DatabaseScope
  ) -> HTML {
    let key = DifferenceStatistics.Key(database, record.recordID.zoneID, type: record.recordType)
    let fields = RecordDifference(of: record, isAdded: kind == .added).fields
    return add(kind, record.recordID.recordName, key, rows: fields.map(values.row))
  }

  private mutating func add(
    _ kind: ArchiveChange.Kind, _ name: String, _ key: DifferenceStatistics.Key, rows: [HTML]
  ) -> HTML {
    var html = HTML.empty
    let name = name.unmistakable
    if group != key {
      html += end()
      group = key
      groups += 1
      records = 0
      isOpen = true
      let zone = ZoneLocation(key.database, key.zoneID).text(separator: " · ")
      html += """
        <section id="group-\(groups)">
        <h2>\(key.type.string) <span class="quiet">\(zone)</span></h2>
        \(Self.tableStart)
        """
    } else if records % Self.maxShown == 0 {
      html += records > Self.maxShown ? "</table>\n</details>\n" : "</table>\n"
      html += "<details><summary>More, from <code>\(name)</code> on</summary>\n\(Self.tableStart)"
    }
    records += 1
    html += """
      <tbody><tr class="record"><th scope="rowgroup" colspan="3">\(Self.badge(kind)) \
      <code>\(name)</code></th></tr>
      \(rows)</tbody>

      """
    return html
  }

  /// Returns the difference between two states of one record as a table of its own.
  ///
  /// - Parameters:
  ///   - before: The record before; nil if there was none.
  ///   - after: The record after; nil if there is none.
  ///   - words: The words beside the kind of the change, such as its time.
  package static func table(
    from before: ResultRecord?, to after: ResultRecord?, showEncrypted: Bool, words: HTML
  ) -> HTML {
    let values = ChangedValue(showEncrypted: showEncrypted)
    let (kind, rows): (ArchiveChange.Kind, [HTML])
    switch (before, after) {
    case (let before?, let after?):
      let difference = RecordDifference(from: before, to: after)
      (kind, rows) = (
        .changed, difference.system.map(values.row) + difference.fields.map(values.row)
      )
    case (nil, let after?):
      (kind, rows) = (
        .added, RecordDifference(of: after, isAdded: true).fields.map(values.row)
      )
    case (let before?, nil):
      (kind, rows) = (
        .removed, RecordDifference(of: before, isAdded: false).fields.map(values.row)
      )
    case (nil, nil): (kind, rows) = (.removed, [])
    }
    return """
      \(tableStart)<tbody><tr class="record"><th scope="rowgroup" colspan="3">\(badge(kind)) \
      \(words)</th></tr>
      \(rows)</tbody></table>
      """
  }

  private static let tableStart: HTML = """
    <table class="changes"><thead><tr><th scope="col">Field</th><th scope="col">Before</th>\
    <th scope="col">After</th></tr></thead>

    """

  private var endOfGroup: HTML {
    records > Self.maxShown ? "</table>\n</details>\n</section>\n" : "</table>\n</section>\n"
  }

  static func badge(_ kind: ArchiveChange.Kind) -> HTML {
    let name = HTML(markup: kind.rawValue)
    return "<span class=\"badge filled \(name)\">\(name)</span>"
  }

  // MARK: Everything else

  /// Adds a difference of something that is not a record: assets come last, in a section of their
  /// own, all others first.
  private mutating func add(
    other change: ArchiveChange, _ kind: ArchiveChange.Kind, isAsset: Bool
  ) -> HTML {
    var html = HTML.empty
    if !isOpen || group != nil || isAsset != isListOfAssets {
      html += end()
      isOpen = true
      isListOfAssets = isAsset
      others = 0
      html +=
        isAsset
        ? "<section id=\"assets\">\n<h2>Assets</h2>\n<ul class=\"plain\">\n"
        : "<section id=\"others\">\n<h2>Container, zones and others</h2>\n<ul class=\"plain\">\n"
    } else if others == Self.maxOthersShown {
      html += "</ul>\n<details><summary>More</summary>\n<ul class=\"plain\">\n"
    }
    others += 1
    let text = ChangeText(style: TerminalStyle(isColored: false), showEncrypted: false).lines(
      change)
    // Without the sign before it.
    let words = text.first.map { String($0.dropFirst(2)) } ?? ""
    html += "<li>\(Self.badge(kind)) \(words)</li>\n"
    return html
  }
}

extension DifferencePage {
  /// The page up to the first piece, with the summary.
  package func opening(_ difference: ArchiveDifference) -> HTML {
    document(difference).opening
  }

  /// The page after the last piece.
  package func closing(_ difference: ArchiveDifference) -> HTML {
    document(difference).closing
  }

  private func document(_ difference: ArchiveDifference) -> PageDocument {
    let summary = DifferenceSummary(
      difference: difference, statistics: statistics, hasLinks: !isSummary)
    return PageDocument(
      title: "\(first) → \(second)",
      header: """
        <p>Differences from <strong>\(first)</strong> to <strong>\(second)</strong></p>
        """,
      content: summary.html)
  }
}

/// The counts at the top of a page of differences.
struct DifferenceSummary {
  let difference: ArchiveDifference
  let statistics: DifferenceStatistics
  /// Whether the rows are links to the changes.
  let hasLinks: Bool

  var html: HTML {
    guard !difference.isEmpty else {
      return """
        <h1>No differences</h1>
        <p>\(Numbers.count(difference.unchanged, "record")) the same.</p>
        """
    }
    return """
      <h1>Differences</h1>
      <ul class="figures">
      \(figures)
      </ul>
      \(table)

      """
  }

  private var figures: [HTML] {
    func figure(_ count: Int, _ words: String, _ style: String = "") -> HTML {
      let color: HTML = style.isEmpty || count == 0 ? .empty : " class=\"\(style)\""
      return "<li><strong\(color)>\(Numbers.grouped(count))</strong> <span>\(words)</span></li>"
    }
    let records: [(Int, String)] = [
      (difference.added, "added"), (difference.removed, "removed"),
      (difference.changed, "changed"),
    ]
    let others = difference.others == 1 ? "other difference" : "other differences"
    return records.map { figure($0, "\($0 == 1 ? "record" : "records") \($1)", $1) }
      + [figure(difference.unchanged, "the same")]
      + (difference.others > 0 ? [figure(difference.others, others)] : [])
  }

  private var table: HTML {
    var table = HTMLTable([
      "Database", "Zone", "Type", .number("Added"), .number("Removed"), .number("Changed"),
    ])
    func add(_ place: (String, String), _ title: HTML, _ counts: DifferenceStatistics.Counts?) {
      func cell(_ count: Int, _ color: HTML) -> HTML {
        "<span class=\"\(count == 0 ? "quiet" : color)\">\(Numbers.grouped(count))</span>"
      }
      let counts = counts ?? .init()
      table.add(
        "\(place.0)", "<bdi>\(place.1)</bdi>", "<bdi>\(title)</bdi>", cell(counts.added, "added"),
        cell(counts.removed, "removed"), cell(counts.changed, "changed"))
    }
    for (number, key) in statistics.keys.enumerated() {
      let type = key.type.string
      add(
        (key.database.rawValue, "\(key.zoneID)"),
        hasLinks ? "<a href=\"#group-\(number + 1)\">\(type)</a>" : "\(type)",
        statistics.counts[key])
    }
    for name in statistics.others.keys.sorted() {
      add(
        ("", ""),
        hasLinks ? "<a href=\"#\(name == "assets" ? name : "others")\">\(name)</a>" : "\(name)",
        statistics.others[name])
    }
    return table.html
  }
}
