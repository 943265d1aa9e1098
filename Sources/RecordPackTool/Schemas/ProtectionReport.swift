import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema
import RecordText

/// Which fields could be end-to-end encrypted, and in how many stored records.
struct ProtectionReport {
  struct Field {
    var name: String
    /// The type in the schema. `nil` for a field that only stored records have.
    var type: CloudSchema.FieldType?
    var values: ProtectionCount.Values

    var protection: FieldProtection? { type.map { FieldProtection($0) } }

    /// `could be: an asset`, or `never: a plain value`.
    var verdict: String {
      guard let protection else { return "not in the schema" }
      return (protection.isPossible ? "could be: " : "never: ") + protection.reason
    }
  }

  let schema: String
  let records: String?
  let count: ProtectionCount?
  private(set) var types: [(name: String, fields: [Field])] = []

  static let limits = [
    "No app can know who has Advanced Data Protection turned on.",
    "It only applies if all participants of a share have it turned on.",
    "Nothing in the public database is end-to-end encrypted.",
  ]

  init(_ document: SchemaDocument, _ records: String?, _ count: ProtectionCount?) {
    schema = document.name
    self.records = records
    self.count = count
    var counted = count?.fields ?? [:]
    for type in document.schema.recordTypes {
      let fields = type.fields.filter { CloudSchema.SystemField(rawValue: $0.name) == nil }
      types.append(
        (
          type.name,
          fields.map { field in
            let key = ProtectionCount.Field(recordType: type.name, name: field.name)
            let values = counted.removeValue(forKey: key) ?? ProtectionCount.Values()
            return Field(name: field.name, type: field.type, values: values)
          }
        ))
    }
    for (key, values) in counted.sorted(by: { $0.key < $1.key }) {
      let field = Field(name: key.name, type: nil, values: values)
      if let place = types.firstIndex(where: { $0.name == key.recordType }) {
        types[place].fields.append(field)
      } else {
        types.append((key.recordType, [field]))
      }
    }
  }

  private static let headings = ["could be", "shared publicly", "public database", "never"]

  private func numbers(_ values: ProtectionCount.Values) -> [Int] {
    [values.possible, values.publiclyShared, values.publicDatabase, values.never]
  }

  /// What is to be said of the whole.
  private var notes: [String] {
    var notes = [
      "Never, in any record: " + FieldProtection.neverProtected.joined(separator: "; ") + "."
    ]
    if let count {
      let shares = Numbers.count(count.publicShares, "share")
      notes.append(
        "\(Numbers.count(count.records, "record")), \(count.publiclySharedRecords) of them below "
          + "\(shares) with a public permission.")
      if count.unknownShares > 0 {
        notes.append(
          "\(Numbers.count(count.unknownShares, "share")) with an unknown public permission, "
            + "counted as not public.")
      }
    }
    return notes + Self.limits
  }

  private var subject: String { "\(schema)\(records.map { " with \($0)" } ?? "")" }

  private static let question = ": what could be end-to-end encrypted?"

  // MARK: - Formats

  var text: [String] {
    var lines = [(subject + Self.question).visible]
    for type in types {
      lines += ["", type.name.visible]
      var table = Table(
        [.left, .left, .left] + (count == nil ? [] : [.right, .right, .right, .right]))
      if count != nil {
        table.add((["", "", ""] + Self.headings).map { Table.Cell($0) })
      }
      for field in type.fields {
        let cells = [field.name, field.type?.description ?? "", field.verdict]
        let numbers = count == nil ? [] : numbers(field.values).map { Numbers.grouped($0) }
        table.add((cells + numbers).map { Table.Cell($0) })
      }
      lines += table.lines(Style(.never), indent: "  ")
    }
    return lines + [""] + notes.map(\.visible)
  }

  var markdown: [String] {
    var lines = ["### RecordPack: " + Self.code(subject) + Self.question]
    for type in types {
      let columns = ["Field", "Type", "End-to-end encrypted"] + (count == nil ? [] : Self.headings)
      lines += ["", "#### " + Self.code(type.name), "", Self.row(columns)]
      lines.append(Self.row(columns.indices.map { $0 < 3 ? "---" : "---:" }))
      for field in type.fields {
        let numbers = count == nil ? [] : numbers(field.values).map(String.init)
        let type = field.type.map { Self.code($0.description) } ?? ""
        lines.append(Self.row([Self.code(field.name), type, field.verdict] + numbers))
      }
    }
    return lines + [""] + notes.map { "- " + $0.visible }
  }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }

  /// Text in code style. Backticks and vertical bars would end it.
  private static func code(_ text: String) -> String {
    "`" + String(text.visible.map { $0 == "`" || $0 == "|" ? " " : $0 }) + "`"
  }

  var json: JSONValue {
    let types = types.map { type in
      JSONValue.object([
        .init("name", .string(type.name)), .init("fields", .array(type.fields.map(json(of:)))),
      ])
    }
    var members: [JSONValue.Member] = [.init("schema", .string(schema))]
    if let records, let count {
      members.append(
        .init(
          "records",
          .object([
            .init("source", .string(records)), .init("records", .integer(Int64(count.records))),
            .init("publiclyShared", .integer(Int64(count.publiclySharedRecords))),
            .init("publicShares", .integer(Int64(count.publicShares))),
            .init("unknownShares", .integer(Int64(count.unknownShares))),
          ])))
    }
    members += [
      .init("recordTypes", .array(types)),
      .init("never", .array(FieldProtection.neverProtected.map(JSONValue.string))),
      .init("limits", .array(Self.limits.map(JSONValue.string))),
    ]
    return ReportOptions.document("schema.protection", members)
  }

  private func json(of field: Field) -> JSONValue {
    var members: [JSONValue.Member] = [.init("name", .string(field.name))]
    if let type = field.type, let protection = field.protection {
      members += [
        .init("type", .string(type.description)), .init("possible", .bool(protection.isPossible)),
        .init("reason", .string(protection.rawValue)),
      ]
    }
    if count != nil {
      let names = ["possible", "publiclyShared", "publicDatabase", "never"]
      let counts = zip(names, numbers(field.values)).map {
        JSONValue.Member($0, .integer(Int64($1)))
      }
      members.append(.init("values", .object(counts)))
    }
    return .object(members)
  }
}
