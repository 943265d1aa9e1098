import RecordArchive
import RecordCoding
import RecordModel
import RecordText

/// The largest record types, zones and records, for `inspect --top`.
struct LargestParts {
  /// What the parts are ordered by.
  enum Order: String, CaseIterable {
    case bytes, records
  }

  fileprivate struct Part {
    var identity: [JSONValue.Member]
    var name: String
    var records = 0
    var bytes = 0
  }

  private let types: [Part]
  private let zones: [Part]
  /// Nil for an order by number of records.
  private let records: [RecordSize]?
  private let totalBytes: Int

  init(_ summary: ArchiveSummary, count: Int, by order: Order, records: [RecordSize]?) {
    var types: [ExactString: Part] = [:]
    var zones: [Identity: Part] = [:]
    for section in summary.sections {
      let type = section.recordType
      let zone = Identity(section.database, section.zoneID)
      types[
        ExactString(type), default: Part(identity: [.init("recordType", .string(type))], name: type)
      ].add(section)
      zones[zone, default: Part(identity: zone.members, name: zone.text(separator: " "))]
        .add(section)
    }
    func largest(_ parts: some Collection<Part>) -> [Part] {
      let sorted = parts.sorted { a, b in
        let (first, second) = order == .bytes ? (a.bytes, b.bytes) : (a.records, b.records)
        return first == second ? ExactString(a.name) < ExactString(b.name) : first > second
      }
      return Array(sorted.prefix(count))
    }
    self.types = largest(types.values)
    self.zones = largest(zones.values)
    self.records = records
    totalBytes = summary.recordBytes
  }

  func lines(_ style: Style) -> [String] {
    var tables = [table("TYPE", types), table("ZONE", zones)]
    if let records { tables.append(table(records)) }
    let lines = tables.map {
      $0.lines(style, indent: "  ", fitting: StandardOutput.terminalWidth)
    }
    return Array(lines.joined(separator: [""]))
  }

  private func table(_ records: [RecordSize]) -> Table {
    var table = Table([.left, .right])
    table.add("RECORD", "SIZE", color: .dim)
    for record in records {
      table.add(identity(record).text(separator: " "), Numbers.size(record.bytes))
    }
    return table
  }

  private func table(_ title: String, _ parts: [Part]) -> Table {
    var table = Table([.left, .right, .right, .right])
    table.add(title, "RECORDS", "SIZE", "SHARE", color: .dim)
    for part in parts {
      let share = totalBytes > 0 ? Double(part.bytes) / Double(totalBytes) : 0
      table.add(
        part.name, Numbers.grouped(part.records), Numbers.size(part.bytes),
        InspectionTable.percent(share))
    }
    return table
  }

  private func identity(_ record: RecordSize) -> Identity {
    Identity(record.database, record.recordID, type: record.recordType)
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("types", .array(types.map(\.json))), .init("zones", .array(zones.map(\.json))),
    ]
    if let records {
      let list = records.map { record in
        JSONValue.object(identity(record).members + [.init("bytes", .integer(record.bytes))])
      }
      members.append(.init("records", .array(list)))
    }
    return .object(members)
  }
}

extension LargestParts.Part {
  fileprivate mutating func add(_ section: ArchiveSource.Section) {
    records += section.records
    bytes += section.bytes
  }

  fileprivate var json: JSONValue {
    .object(identity + [.init("records", .integer(records)), .init("bytes", .integer(bytes))])
  }
}
