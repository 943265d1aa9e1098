import RecordArchive
import RecordModel
import RecordText

extension ArchiveReport {
  /// The largest records, without their assets.
  var largest: HTML {
    let rows: [HTML] = profile.largest.enumerated().map { number, record in
      """
      <tr><td>\(names.record(record.recordID, number: number + 1))</td>\
      <td>\(record.recordType)</td><td>\(record.database.rawValue)</td>\
      <td>\(names.zone(record.database, record.recordID.zoneID))</td>\
      <td class="number">\(Numbers.size(record.bytes))</td></tr>
      """
    }
    guard !rows.isEmpty else { return .empty }
    return Self.table(
      """
      <th scope="col">Record</th><th scope="col">Type</th><th scope="col">Database</th>\
      <th scope="col">Zone</th><th scope="col" class="number">Size without assets</th>
      """, rows, of: rows.count)
  }

  /// The stored assets by their sizes, and those that are missing.
  var assets: HTML {
    let assets = profile.assets
    guard assets.stored > 0 || assets.references > 0 else { return .empty }
    var facts: [HTML] = []
    func add(_ name: String, _ text: String) { facts.append("<dt>\(name)</dt><dd>\(text)</dd>") }
    add("Stored", "\(Numbers.count(assets.stored, "asset")), \(Numbers.size(assets.storedBytes))")
    add("Referred to", "\(Numbers.grouped(assets.references)) times")
    if assets.missing > 0 {
      add("Missing", "the bytes of \(Numbers.count(assets.missing, "reference"))")
    }
    if let unused = assets.unused, unused > 0 {
      add("Unused", "\(Numbers.count(unused, "asset")) that no record refers to")
    }
    let bars = assets.sizes.indices.filter { assets.sizes[$0].count > 0 }.map { place in
      let range = assets.sizes[place]
      return BarChart.Bar(
        "\(Self.name(of: assets.sizes, place))", range.count, note: Numbers.size(range.bytes))
    }
    let chart: HTML? =
      bars.isEmpty
      ? nil : BarChart("Assets by size", bars, text: { Numbers.grouped($0) }).html
    return "<dl>\(facts)</dl><div class=\"charts\">\(chart)</div>"
  }

  private static func name(of sizes: [AssetProfile.SizeRange], _ place: Int) -> String {
    let low = place > 0 ? sizes[place - 1].below : nil
    guard let high = sizes[place].below else { return "from \(round(low ?? 0))" }
    guard let low else { return "below \(round(high))" }
    return "\(round(low)) to \(round(high))"
  }

  /// `10 kB`; a limit is a power of ten.
  private static func round(_ limit: Int) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
    let unit = units.first { limit >= $0.0 } ?? (1, "bytes")
    return "\(limit / unit.0) \(unit.1)"
  }

  /// The users with the most records.
  var users: HTML {
    let users = profile.users
    guard users.count > 0 else { return .empty }
    let most = users.most(10)
    let rows: [HTML] = most.enumerated().map { number, user in
      """
      <tr><td>\(names.user(user.name, number: number + 1))</td>\
      <td class="number">\(Numbers.grouped(user.created))</td>\
      <td class="number">\(Numbers.grouped(user.modified))</td></tr>
      """
    }
    return Self.table(
      """
      <th scope="col">User</th><th scope="col" class="number">Records created</th>\
      <th scope="col" class="number">Last modified</th>
      """, rows, of: users.count)
  }

  /// The deleted records and zones that left traces.
  var deletions: HTML {
    let tombstones = profile.tombstones
    guard tombstones.count > 0 || profile.zoneTombstones > 0 else { return .empty }
    let zones: HTML? =
      profile.zoneTombstones > 0
      ? "<p>\(Numbers.count(profile.zoneTombstones, "deleted zone"))</p>" : nil
    let sorted = tombstones.types.sorted { a, b in
      a.value != b.value ? a.value > b.value : a.key < b.key
    }
    let bars = sorted.map { type, count in
      BarChart.Bar(type.string.isEmpty ? "<em>unknown type</em>" : "\(type.string)", count)
    }
    var chart = BarChart("Deleted records by type", bars, text: { Numbers.grouped($0) })
    chart.limit("types")
    return "\(zones)\(bars.isEmpty ? nil : chart.html)"
  }

  /// What changes a server tells whom about; not the conditions, which may contain values.
  var subscriptions: HTML {
    let rows: [HTML] = profile.subscriptions.prefix(Self.maxRows).map { subscription in
      """
      <tr><td>\(subscription.database.rawValue)</td><td>\(subscription.kind.rawValue)</td>\
      <td>\(subscription.recordType ?? "all types")</td>\
      <td class="number">\(Numbers.grouped(subscription.count))</td></tr>
      """
    }
    guard !rows.isEmpty else { return .empty }
    return Self.table(
      """
      <th scope="col">Database</th><th scope="col">Of</th><th scope="col">Record type</th>\
      <th scope="col" class="number">Subscriptions</th>
      """, rows, of: profile.subscriptions.count)
  }

  /// The schema's diagram and text.
  var schema: HTML {
    guard let text = profile.info.schema else { return .empty }
    let lines = Numbers.count(text.split(separator: "\n").count, "line")
    return """
      \(diagram)
      <details><summary>The schema in CloudKit's schema language, \(lines)</summary>
      <pre>\(HTML(text: text, keepsLines: true))</pre>
      </details>
      """
  }
}
