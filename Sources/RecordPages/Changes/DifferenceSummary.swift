import RecordArchive
import RecordModel
import RecordText

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
    let records: [(Int, String)] = [
      (difference.added, "added"), (difference.removed, "removed"),
      (difference.changed, "changed"),
    ]
    var figures: [HTML] = records.map { count, name in
      let color: HTML = count > 0 ? " class=\"\(name)\"" : .empty
      let noun = count == 1 ? "record" : "records"
      return
        "<li><strong\(color)>\(Numbers.grouped(count))</strong> <span>\(noun) \(name)</span></li>"
    }
    figures.append(
      "<li><strong>\(Numbers.grouped(difference.unchanged))</strong> <span>the same</span></li>")
    if difference.others > 0 {
      let noun = difference.others == 1 ? "other difference" : "other differences"
      figures.append(
        "<li><strong>\(Numbers.grouped(difference.others))</strong> <span>\(noun)</span></li>")
    }
    return figures
  }

  private var table: HTML {
    var rows: [HTML] = []
    for (number, key) in statistics.keys.enumerated() {
      let type = key.type.string
      let title: HTML = hasLinks ? "<a href=\"#group-\(number + 1)\">\(type)</a>" : "\(type)"
      rows.append(
        """
        <tr><td>\(key.database.rawValue)</td><td>\("\(key.zoneID)")</td><td>\(title)</td>\
        \(cells(statistics.counts[key]))</tr>
        """)
    }
    for name in statistics.others.keys.sorted() {
      let title: HTML = hasLinks ? "<a href=\"#others\">\(name)</a>" : "\(name)"
      rows.append(
        "<tr><td></td><td></td><td>\(title)</td>\(cells(statistics.others[name]))</tr>")
    }
    return """
      <div class="scroll report"><table><thead><tr><th scope="col">Database</th><th scope="col">Zone</th>\
      <th scope="col">Type</th><th scope="col" class="number">Added</th>\
      <th scope="col" class="number">Removed</th><th scope="col" class="number">Changed</th></tr></thead>
      <tbody>
      \(rows)
      </tbody></table></div>
      """
  }

  private func cells(_ counts: DifferenceStatistics.Counts?) -> HTML {
    func cell(_ count: Int, _ color: HTML) -> HTML {
      "<td class=\"number \(count == 0 ? "quiet" : color)\">\(Numbers.grouped(count))</td>"
    }
    let counts = counts ?? .init()
    return """
      \(cell(counts.added, "added"))\(cell(counts.removed, "removed"))\
      \(cell(counts.changed, "changed"))
      """
  }
}
