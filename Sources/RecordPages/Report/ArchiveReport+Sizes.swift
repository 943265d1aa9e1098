import RecordArchive
import RecordModel
import RecordText

extension ArchiveReport {
  private struct Size {
    var label: HTML
    var key: ExactString
    var records = 0
    var bytes = 0
    var assetBytes = 0

    mutating func add(_ section: ArchiveProfile.Section) {
      records += section.records
      bytes = bytes.clampedSum(section.bytes)
      assetBytes = assetBytes.clampedSum(section.assetBytes)
    }
  }

  /// The sizes by type and by zone, largest first.
  var sizes: HTML {
    guard !profile.sections.isEmpty else { return "<p class=\"quiet\">There are no records.</p>" }
    var types: [ExactString: Size] = [:]
    var zones: [ZoneLocation: Size] = [:]
    for section in profile.sections {
      let type = ExactString(section.name)
      types[type, default: Size(label: "\(section.name)", key: type)].add(section)
      let zone = ZoneLocation(section.database, section.zoneID)
      let name = names.zone(section.database, section.zoneID)
      zones[
        zone,
        default: Size(
          label: "\(section.database.rawValue) · \(name)",
          key: ExactString("\(zone.text())"))
      ].add(section)
    }
    var charts = [chart("By record type", Array(types.values), "types")]
    if zones.count > 1 { charts.append(chart("By zone", Array(zones.values), "zones")) }
    return "<div class=\"charts\">\(charts)</div>"
  }

  private func chart(_ caption: String, _ sizes: [Size], _ noun: String) -> HTML {
    let sorted = sizes.sorted { a, b in
      let (first, second) = (a.bytes.clampedSum(a.assetBytes), b.bytes.clampedSum(b.assetBytes))
      return first == second ? a.key < b.key : first > second
    }
    let bars = sorted.map { size in
      BarChart.Bar(
        size.label, size.bytes, extra: size.assetBytes, note: Numbers.count(size.records, "record"))
    }
    let hasAssets = sorted.contains { $0.assetBytes > 0 }
    var chart = BarChart(
      caption, bars, legend: hasAssets ? ("records", "assets, each counted once") : nil,
      text: { Numbers.size($0) })
    chart.limit(noun)
    return chart.html
  }

  /// The records over time, by creation, modification and deletion.
  var times: HTML {
    let deleted = profile.tombstones.days
    guard let columns = TimeColumns([profile.created, profile.modified, deleted]) else {
      return .empty
    }
    var charts: [HTML] = []
    for (title, noun, series) in [
      ("Records created", "record", profile.created),
      ("Records last modified", "record", profile.modified),
      ("Records deleted", "deletion", deleted),
    ] where !series.days.isEmpty {
      charts.append(TimeChart(title, of: noun, series, columns).html)
    }
    return "<div class=\"charts\">\(charts)</div>"
  }

  /// A row for each database, zone and type.
  var contents: HTML {
    let hasAssets = profile.sections.contains { $0.assetBytes > 0 }
    var table = HTMLTable(
      ["Database", "Zone", "Type", .number("Records"), .number("Size")]
        + (hasAssets ? [.number("Assets")] : []))
    for section in profile.sections.prefix(Self.maxRows) {
      table.add(
        "\(section.database.rawValue)", "\(names.zone(section.database, section.zoneID))",
        "\(section.name)", "\(Numbers.grouped(section.records))",
        "\(Numbers.size(section.bytes))",
        "\(section.assetBytes > 0 ? Numbers.size(section.assetBytes) : "")")
    }
    let used = Set(profile.sections.map { ZoneLocation($0.database, $0.zoneID) })
    let empty = profile.zones.filter { !used.contains($0) }
    for zone in empty.prefix(max(0, Self.maxRows - table.count)) {
      table.add(
        "\(zone.database.rawValue)", "\(names.zone(zone.database, zone.zoneID))",
        "<span class=\"quiet\">no records</span>", "0", "", "")
    }
    table.leaveOut(profile.sections.count + empty.count - table.count)
    return table.html
  }
}
