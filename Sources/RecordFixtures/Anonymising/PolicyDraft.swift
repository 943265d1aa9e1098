import RecordArchive
import RecordMigration
import RecordModel
import RecordSchema

/// A first policy for a source: a rule for each field, from its type, its name and its values.
///
/// It contains names of types and fields, and no values.
public struct PolicyDraft: Sendable {
  /// The rules.
  public var policy = AnonymisationPolicy()
  private var notes: [String: [String: String]] = [:]

  /// The number of records of a type whose values are looked at.
  static let sampleSize = 20_000

  /// Creates a policy for a source.
  ///
  /// - Parameter source: A bundle or container.
  public init(of source: ArchiveSource) throws {
    var fields: [String: [String: FieldSample]] = [:]
    if let schema = try source.info().schema {
      let parsed = try SchemaDocument(parsing: schema, name: source.name).validSchema()
      for type in parsed.recordTypes {
        for field in type.fields where !field.name.hasPrefix("___") {
          guard let value = ValueType(field.type) else { continue }
          fields[type.name, default: [:]][field.name] = FieldSample(
            value, isEncrypted: field.type.isEncrypted)
        }
      }
    }
    try Self.read(source, try Self.recordNames(in: source), &fields)
    try Self.readFilters(source, &fields)
    for (type, samples) in fields {
      for (name, sample) in samples
      where !sample.isOfReferences && AnonymisationPolicy.builtIn[type]?[name] == nil {
        let choice = sample.choice(for: name)
        policy.rules[type, default: [:]][name] = choice.rule
        notes[type, default: [:]][name] = choice.note
      }
    }
  }

  private struct Enough: Error {}

  /// The names of the first records, as hashes: texts that are among them refer to records.
  private static func recordNames(in source: ArchiveSource) throws -> Set<Int> {
    var names: Set<Int> = []
    do {
      try source.forEachRecordID { recordID, _, _ in
        names.insert(recordID.recordName.hashValue)
        if names.count >= 1 << 20 { throw Enough() }
      }
    } catch is Enough {}
    return names
  }

  /// Reads the first records of each section, up to a number for each type.
  private static func read(
    _ source: ArchiveSource, _ names: Set<Int>, _ fields: inout [String: [String: FieldSample]]
  ) throws {
    var left: [String: Int] = [:]
    for section in try source.sections() {
      let type = section.recordType
      guard left[type, default: sampleSize] > 0 else { continue }
      let filter = RecordFilter(
        databases: [section.database], zoneIDs: [section.zoneID], recordTypes: NameSet([type]))
      do {
        try source.forEachRecord(filter) { record, _ in
          for field in record.fields {
            guard let value = field.value.type, value != .emptyList else { continue }
            var sample =
              fields[type]?[field.name]
              ?? FieldSample(value, isEncrypted: field.isEncrypted)
            sample.add(field, names)
            fields[type, default: [:]][field.name] = sample
          }
          left[type, default: sampleSize] -= 1
          if left[type] == 0 { throw Enough() }
        }
      } catch is Enough {}
    }
  }

  /// Notes the fields that only the queries of subscriptions name.
  private static func readFilters(
    _ source: ArchiveSource, _ fields: inout [String: [String: FieldSample]]
  ) throws {
    let accounts = try source.info().accounts.flatMap(\.subscriptions).map(\.subscription)
    for subscription in try source.subscriptions().map(\.subscription) + accounts {
      guard case .query(let query, _, _, _) = subscription.kind else { continue }
      for filter in query.filters where !filter.fieldName.hasPrefix("___") {
        guard let type = filter.fieldValue.type, type != .emptyList,
          fields[query.recordType]?[filter.fieldName] == nil
        else { continue }
        fields[query.recordType, default: [:]][filter.fieldName] = FieldSample(
          type, isEncrypted: false)
      }
    }
  }

  /// The policy as YAML, with comments.
  public var yaml: String {
    var lines = [
      "# What 'recordpack fixture anonymise' does with each field.",
      "# Rules: \(AnonymisationRule.allCases.map(\.rawValue).joined(separator: ", ")).",
      "# Read each line before you use it: a rule is a guess from the name of a field and its values.",
      "\(AnonymisationPolicy.versionKey): 1", "",
      "# For fields that have no line here: keep or redact. Without it, they are an error.",
      "# default: redact", "", "# Creation and modification dates: shift or keep.", "dates: shift",
      "",
      "# Names of zones, records and subscriptions that stay, such as those in your app's code.",
      "keep:",
    ]
    lines += ["# - Notes", "# - settings-*", "", "types:"]
    for (type, fields) in policy.rules.sorted(by: { compareUTF8($0.key, $1.key) < 0 }) {
      lines.append("  \(PlanText.quoted(type)):")
      for (name, rule) in fields.sorted(by: { compareUTF8($0.key, $1.key) < 0 }) {
        let note = notes[type]?[name].map { "  # \($0)" } ?? ""
        lines.append("    \(PlanText.quoted(name)): \(rule.rawValue)\(note)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
