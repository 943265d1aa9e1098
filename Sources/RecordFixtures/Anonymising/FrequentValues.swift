import RecordArchive
import RecordModel

/// The values that enough persons have, by the rule ``AnonymisationRule/keepIf``, as hashes.
struct FrequentValues: Sendable {
  private var values: [AnonymisationReport.Key: Set<Int>] = [:]

  /// The maximum number of different values that are counted. The others are redacted.
  private static let maxValues = 1 << 20

  init() {}

  /// Reads the whole source, even if a run reads a part of it.
  init(of source: ArchiveSource, _ settings: AnonymiserSettings) throws {
    let policy = settings.policy
    guard policy.rules.values.contains(where: { $0.values.contains { $0.rule == .keepIf } }) else {
      return
    }
    var persons: [AnonymisationReport.Key: [Int: Set<Int>]] = [:]
    var count = 0
    try source.forEachRecord { record, _ in
      let storage = record.storage
      var person: Int?
      for field in record.fields {
        guard let type = field.value.type,
          let rule = policy.namedRule(for: field.name, of: storage.recordType, type),
          rule.rule == .keepIf
        else { continue }
        let one =
          person
          ?? ExactString(policy.person(of: storage, currentUser: settings.currentUser)).hashValue
        person = one
        let key = AnonymisationReport.Key(recordType: storage.recordType, field: field.name)
        let (hash, enough) = (field.value.hashValue, Int(rule.number ?? 5))
        if values[key]?.contains(hash) == true { continue }
        if persons[key]?[hash] == nil {
          guard count < Self.maxValues else { continue }
          count += 1
        }
        persons[key, default: [:]][hash, default: []].insert(one)
        guard persons[key]?[hash]?.count ?? 0 >= enough else { continue }
        values[key, default: []].insert(hash)
        persons[key]?[hash] = []
      }
    }
  }

  func contains(_ value: RecordValue, _ key: AnonymisationReport.Key) -> Bool {
    values[key]?.contains(value.hashValue) ?? false
  }
}
