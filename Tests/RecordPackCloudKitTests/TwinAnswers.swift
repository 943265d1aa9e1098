#if os(Linux)
  import CloudInterface
  import RecordModel
  import Testing

  /// Compares answers, and names the items that differ.
  func expectSame<Item: Equatable>(
    _ found: Told<Item>, _ expected: Told<Item>, _ differences: (Item, Item) -> [String],
    _ place: String
  ) {
    guard found != expected else { return }
    if case .success(let a) = found, case .success(let b) = expected {
      Issue.record("\(place): \(differences(a, b).joined(separator: "\n"))")
    } else {
      Issue.record("\(place): found \(found), expected \(expected)")
    }
  }

  /// What differs between two sets of records.
  func differences(
    _ found: [RecordID: Told<ResultRecord>], _ expected: [RecordID: Told<ResultRecord>]
  ) -> [String] {
    Set(found.keys).union(expected.keys).sorted().compactMap { id in
      guard found[id] != expected[id] else { return nil }
      guard case .success(let a) = found[id], case .success(let b) = expected[id] else {
        return "\(id): found \(found[id] as Any), expected \(expected[id] as Any)"
      }
      let names = Set(a.allKeys() + b.allKeys()).sorted().filter {
        a.field(named: $0) != b.field(named: $0)
      }
      let fields = names.map {
        "\($0): \(a.field(named: $0) as Any) != \(b.field(named: $0) as Any)"
      }
      return "\(id): \(a.systemFields == b.systemFields ? "" : "system fields, ")\(fields)"
    }
  }

  struct Answer: Equatable {
    let saved: [RecordID: Told<ResultRecord>]
    let deleted: [RecordID: Told<Bool>]
    /// The saved records as the database gave them.
    let records: [RecordID: ResultRecord]

    init(
      _ answer: (
        saveResults: [RecordID: Result<ResultRecord, any Error>],
        deleteResults: [RecordID: Result<Void, any Error>]
      )
    ) {
      saved = answer.saveResults.told(\.asCloudKitTells)
      deleted = answer.deleteResults.told { true }
      records = answer.saveResults.compactMapValues { try? $0.get() }
    }

    /// Whether an answer of CloudKit, the first one, is that of the mock. CloudKit returns the object
    /// that was passed, which lacks the fields that only the server has.
    static func == (lhs: Answer, rhs: Answer) -> Bool {
      lhs.deleted == rhs.deleted && lhs.saved.keys == rhs.saved.keys
        && lhs.saved.allSatisfy { id, found in
          guard case .success(let a) = found, case .success(let b)? = rhs.saved[id] else {
            return found == rhs.saved[id]
          }
          return a.systemFields == b.systemFields
            && a.fields.allSatisfy { $0 == b.field(named: $0.name) }
        }
    }
  }

  struct Changes: Equatable {
    let modified: [RecordID: Told<ResultRecord>]
    let deleted: Set<RecordID>
    let moreComing: Bool

    init(
      _ answer: (
        modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
        deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
      )
    ) {
      modified = answer.modificationResultsByID.told(\.record.asCloudKitTells)
      deleted = Set(answer.deletions.map(\.recordID))
      moreComing = answer.moreComing
    }
  }

  struct Zones: Equatable {
    let saved: [ZoneID: Told<RecordZone>]
    let deleted: [ZoneID: Told<Bool>]
    let all: Set<RecordZone>
  }
#endif
