import RecordArchive
import RecordModel
import RecordSchema
import RecordText

extension ArchiveReport {
  /// The largest records, without their assets.
  var largest: HTML {
    var table = HTMLTable(["Record", "Type", "Database", "Zone", .number("Size without assets")])
    for (number, record) in profile.largest.enumerated() {
      table.add(
        "\(names.record(record.recordID, number: number + 1))",
        "\(record.entity ?? record.recordType)",
        "\(record.database.rawValue)",
        "\(names.zone(record.database, record.recordID.zoneID))", "\(Numbers.size(record.bytes))")
    }
    return table.html
  }

  /// The stored assets by their sizes, and those that are missing.
  var assets: HTML {
    let assets = profile.assets
    guard assets.stored > 0 || assets.references > 0 else { return .empty }
    var facts = HTMLFacts()
    facts.add(
      "Stored", "\(Numbers.count(assets.stored, "asset")), \(Numbers.size(assets.storedBytes))")
    facts.add("Referred to", "\(Numbers.grouped(assets.references)) times")
    if assets.missing > 0 {
      facts.add("Missing", "the bytes of \(Numbers.count(assets.missing, "reference"))")
    }
    if let unused = assets.unused, unused > 0 {
      facts.add("Unused", "\(Numbers.count(unused, "asset")) that no record refers to")
    }
    let bars = assets.sizes.indices.filter { assets.sizes[$0].count > 0 }.map { place in
      let range = assets.sizes[place]
      return BarChart.Bar(
        "\(Self.name(of: assets.sizes, place))", range.count, note: Numbers.size(range.bytes))
    }
    let chart = BarChart("Assets by size", bars, text: { Numbers.grouped($0) })
    return "\(facts.html)<div class=\"charts\">\(when: !bars.isEmpty, chart.html)</div>"
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
    var table = HTMLTable(["User", .number("Records created"), .number("Last modified")])
    for (number, user) in profile.users.most(10).enumerated() {
      table.add(
        "\(names.user(user.name, number: number + 1))", "\(Numbers.grouped(user.created))",
        "\(Numbers.grouped(user.modified))")
    }
    table.leaveOut(profile.users.count - table.count)
    return table.html
  }

  /// The deleted records and zones that left traces.
  var deletions: HTML {
    let tombstones = profile.tombstones
    guard tombstones.count > 0 || profile.zoneTombstones > 0 else { return .empty }
    let sorted = tombstones.types.sorted { a, b in
      a.value != b.value ? a.value > b.value : a.key < b.key
    }
    let bars = sorted.map { type, count in
      BarChart.Bar(type.string.isEmpty ? "<em>unknown type</em>" : "\(type.string)", count)
    }
    var chart = BarChart("Deleted records by type", bars, text: { Numbers.grouped($0) })
    chart.limit("types")
    return """
      \(when: profile.zoneTombstones > 0, "<p>\(Numbers.count(profile.zoneTombstones, "deleted zone"))</p>")\
      \(when: !bars.isEmpty, chart.html)
      """
  }

  /// The kinds of subscriptions, without their conditions, which may contain values.
  var subscriptions: HTML {
    var table = HTMLTable(["Database", "Of", "Record type", .number("Subscriptions")])
    for subscription in profile.subscriptions.prefix(Self.maxRows) {
      table.add(
        "\(subscription.database.rawValue)", "\(subscription.kind.rawValue)",
        "\(subscription.recordType ?? "all types")", "\(Numbers.grouped(subscription.count))")
    }
    table.leaveOut(profile.subscriptions.count - table.count)
    return table.html
  }

  // MARK: Sharing

  /// The participants of the shares: roles, permissions and acceptance, no identities.
  var sharing: HTML {
    let shares = profile.shares
    guard shares.count > 0 else { return .empty }
    var table = HTMLTable(["Role", "Permission", "Acceptance", .number("Participants")])
    for (part, count) in shares.parts.sorted(by: { $0.key < $1.key }) {
      table.add(
        "\(part.role.text)", "\(part.permission.text)", "\(part.acceptance.text)",
        "\(Numbers.grouped(count))")
    }
    let unread = Numbers.count(shares.unread, "share")
    return """
      \(table.html)
      \(list)
      \(when: shares.unread > 0, "<p class=\"quiet\">\(unread) without readable participants</p>")
      """
  }

  /// Each share, in a list that is closed at first.
  private var list: HTML {
    let shares = profile.shares
    guard !shares.shares.isEmpty else { return .empty }
    var table = HTMLTable([
      "Share", "Database", "Zone", "Of", "Everyone with the link", .number("Participants"),
      .number("Accepted"),
    ])
    for (number, share) in shares.shares.enumerated() {
      let participants = share.parts.values.reduce(0, +)
      let accepted = share.parts.filter { $0.key.acceptance == .accepted }.values.reduce(0, +)
      table.add(
        "\(showsNames ? share.recordID.recordName : "share \(number + 1)")",
        "\(share.database.rawValue)", "\(names.zone(share.database, share.recordID.zoneID))",
        share.isZoneWide ? "the zone" : "a record", "\(share.publicPermission.text)",
        "\(Numbers.grouped(participants))", "\(Numbers.grouped(accepted))")
    }
    table.leaveOut(shares.count - shares.unread - table.count)
    return """
      <details><summary>\(Numbers.count(shares.count, "share"))</summary>
      \(table.html)
      </details>
      """
  }

  // MARK: Fields

  /// The fields of each type: the types of their values, in how many records they are, and how long.
  var fields: HTML {
    let schema = profile.info.schema.flatMap { SchemaDocument(parsing: $0).schema }
    let isOpen = profile.types.count <= 8
    let types: [HTML] = profile.types.prefix(Self.maxRows).map { type in
      let fields = ReportField.fields(of: type)
      return """
        <details class="type"\("open", if: isOpen)><summary><strong>\(type.shownName)</strong> \
        <span class="quiet">\(Numbers.count(type.records.records, "record")), \
        \(Numbers.count(fields.count, "field"))\(Self.recordType(of: type))</span>\
        </summary>
        \(table(type, fields, schema))
        </details>
        """
    }
    let rest = profile.types.count - types.count
    return """
      \(types)\
      \(when: rest > 0, "<p class=\"quiet\">and \(Numbers.grouped(rest)) more types</p>")
      """
  }

  /// The number of fields that are shown; a CloudKit type has at most some hundred.
  private static let maxFields = 1000

  private func table(
    _ type: RecordCensus.TypeCount, _ fields: [ReportField], _ schema: CloudSchema?
  ) -> HTML {
    var table = HTMLTable(
      [
        "Field", "Type", .hidden("Encryption"), "Records with it",
        .number("Average length"), .number("Longest"),
      ], style: "fields")
    let shown = fields.prefix(Self.maxFields)
    for field in shown { table.add(row: row(field, of: type.records.records)) }
    let names = Set(type.fields.map { ExactString($0.name) })
    let used = names.union(fields.map(\.name))
    let defined = schema?.recordType(named: type.recordType)?.userFields ?? []
    for field in defined where !used.contains(ExactString(field.name)) {
      let name = ReportField.name(of: field.name, in: type.entity, among: names)
      // Fields of files, which long values need.
      if !name.sameScalars(as: field.name), used.contains(ExactString(name)) { continue }
      let kind = CloudSchema.FieldType(field.type.primitive, isList: field.type.isList).description
      table.add(
        "\(name)", "\(kind)", field.type.isEncrypted ? "encrypted" : "", "in no record", "", "",
        isTitled: true, isQuiet: true)
    }
    table.leaveOut(fields.count - shown.count)
    return table.isEmpty ? "<p class=\"quiet\">No fields.</p>" : table.html
  }

  /// The record type of Core Data's records, which are shown as objects.
  private static func recordType(of type: RecordCensus.TypeCount) -> HTML? {
    type.entity == nil ? nil : ", record type \(type.recordType)"
  }

  /// One line for each type of value.
  private func row(_ field: ReportField, of records: Int) -> HTML {
    let span: HTML = field.kinds.count > 1 ? " rowspan=\"\(field.kinds.count)\"" : .empty
    let lines: [HTML] = field.kinds.enumerated().map { number, kind in
      let name: HTML? = number == 0 ? "<th scope=\"row\"\(span)>\(field.name.string)</th>" : nil
      let count = kind.count.records
      let width = HTML(
        markup: Numbers.fixed(Double(count) / Double(max(1, records)) * 100, 1))
      return """
        <tr>\(name)<td>\(kind.text)</td><td>\(when: kind.kind.isEncrypted, .encrypted)</td>\
        <td><span class="meter" aria-hidden="true"><i style="width:\(width)%"></i></span> \
        \(Numbers.grouped(count)) \
        <span class="quiet">\(BarChart.percent(count, of: records))</span></td>\
        <td class="number">\(kind.averageText)</td><td class="number">\(kind.longestText)</td></tr>
        """
    }
    return "\(lines)"
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

/// A field of a record type or, of Core Data's records, an attribute with its files.
private struct ReportField {
  let name: ExactString
  /// The types of its values, the most frequent first: more than one only where an app has changed
  /// its mind, or where the records come from several versions.
  var kinds: [RecordCensus.FieldCount]

  static func fields(of type: RecordCensus.TypeCount) -> [ReportField] {
    let names = Set(type.fields.map { ExactString($0.name) })
    var fields: [ReportField] = []
    var places: [ExactString: Int] = [:]
    for (field, kinds) in type.fieldsByName {
      if type.entity != nil, field == CoreDataNames.entityNameField { continue }
      let name = ExactString(name(of: field, in: type.entity, among: names))
      // `CD_text_ckAsset` is behind `CD_text`, though not always right behind it.
      if let place = places[name] {
        fields[place].kinds += kinds.mostFrequentFirst
      } else {
        places[name] = fields.count
        fields.append(ReportField(name: name, kinds: kinds.mostFrequentFirst))
      }
    }
    return fields
  }

  /// - Parameter names: The names of all fields of the type.
  static func name(of field: String, in entity: String?, among names: Set<ExactString>) -> String {
    guard entity != nil, let name = CoreDataNames.attributeName(field),
      // A field that the app added on its own.
      !names.contains(ExactString(name))
    else { return field }
    return name
  }
}

extension ShareParticipant.Role {
  var text: String {
    switch self {
    case .owner: "owner"
    case .administrator: "administrator"
    case .privateUser: "invited"
    case .publicUser: "by the link"
    case .unknown: "unknown"
    }
  }
}

extension ShareParticipant.Permission {
  var text: String {
    switch self {
    case .none: "none"
    case .readOnly: "read"
    case .readWrite: "read and write"
    case .unknown: "unknown"
    }
  }
}

extension ShareParticipant.AcceptanceStatus {
  var text: String {
    switch self {
    case .pending: "pending"
    case .accepted: "accepted"
    case .removed: "removed"
    case .unsubscribed: "unsubscribed"
    case .unknown: "unknown"
    }
  }
}

extension [RecordCensus.FieldCount] {
  /// The kinds of one field.
  var mostFrequentFirst: [RecordCensus.FieldCount] {
    sorted { a, b in
      a.count.records != b.count.records ? a.count.records > b.count.records : a.kind < b.kind
    }
  }
}

extension RecordCensus.TypeCount {
  /// The entity, or else the record type.
  fileprivate var shownName: String { entity ?? recordType }
}

extension RecordCensus.FieldCount {
  /// The type, as in a schema: `STRING`, `LIST<STRING>`.
  fileprivate var text: String {
    if let element = kind.type?.elementType { return "LIST<\(element.rawValue)>" }
    return kind.isEmptyList ? "empty list" : kind.typeName
  }

  /// The average length; nil if values of the type have none.
  var averageLength: Int? { lengths.mean.map { Int(exactly: $0.rounded()) ?? .max } }

  fileprivate var averageText: String { averageLength.map(text(ofLength:)) ?? "" }
  fileprivate var longestText: String { lengths.count > 0 ? text(ofLength: lengths.max) : "" }

  private func text(ofLength length: Int) -> String {
    kind.type?.isList == true ? Numbers.count(length, "element") : Numbers.size(length)
  }
}
