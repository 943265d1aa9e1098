import CloudInterface
import RecordModel
import RecordStore
import TestSupport

/// A random request, for the database and for the model.
struct RandomRequest {
  static let zones = [ZoneID.default, ZoneID(zoneName: "A"), ZoneID(zoneName: "B")]
  private static let names = ["k", "l", "m", "n", "o", "p"]

  var drafts: [DraftRecord] = []
  var models: [ZoneID: [ServerModel.Draft]] = [:]
  var deletions: [RecordID] = []
  let policy: RecordSavePolicy
  let atomically: Bool

  /// - Parameter history: the records that were ever fetched.
  init(_ history: [RecordID: [ResultRecord]], _ random: inout SeededGenerator) {
    policy = random.pick(RecordSavePolicy.allCases)
    atomically = !random.chance(3)
    var used: Set<RecordID> = []
    for _ in 0..<random.below(6) {
      let recordID = Self.recordID(&random)
      if used.insert(recordID).inserted { add(recordID, history[recordID] ?? [], &random) }
    }
    for _ in 0..<random.below(3) {
      let recordID = Self.recordID(&random)
      if used.insert(recordID).inserted { deletions.append(recordID) }
    }
  }

  private static func recordID(_ random: inout SeededGenerator) -> RecordID {
    RecordID(recordName: random.pick(names), zoneID: random.pick(zones))
  }

  private mutating func add(
    _ recordID: RecordID, _ known: [ResultRecord], _ random: inout SeededGenerator
  ) {
    var draft = DraftRecord(recordType: "Note", recordID: recordID)
    var model = ServerModel.Draft(name: recordID.recordName)
    // The newest record most of the time, else an older one, or a draft that knows none.
    if let record = random.chance(3) ? known.randomElement(using: &random) : known.last,
      !random.chance(5)
    {
      let entry = ServerModel.Entry(record)
      model.tag = entry.tag
      model.parent = entry.parent
      if random.chance(3) {
        draft = DraftRecord(systemFields: record.systemFields)
      } else {
        draft = DraftRecord(record)
        model.fields = entry.fields
        model.base = entry
      }
    }
    for key in ["a", "b", "c"] where random.chance(2) {
      // A new draft does not know a field that it removes.
      let removes =
        random.chance(4)
        && (model.tag != nil && model.base == nil
          || model.fields[key] != nil)
      let value = removes ? nil : "\(random.below(1000))"
      draft[key] = value
      model.fields[key] = value
      model.changed[key] = .some(value)
    }
    if random.chance(3) {
      model.parent = random.chance(3) ? nil : random.pick(Self.names)
      draft.parent = model.parent.map {
        Reference(recordID: RecordID(recordName: $0, zoneID: recordID.zoneID))
      }
    }
    if random.chance(3) {
      let owner = random.pick(Self.names)
      draft["owner"] = Reference(
        recordID: RecordID(recordName: owner, zoneID: recordID.zoneID), action: .deleteSelf)
      model.changedOwner = .some(owner)
    }
    drafts.append(draft)
    models[recordID.zoneID, default: []].append(model)
  }

  var modelNames: [ZoneID: [String]] {
    Dictionary(grouping: deletions, by: \.zoneID).mapValues { $0.map(\.recordName) }
  }
}

extension ServerModel.Entry {
  init(_ record: ResultRecord) {
    self.init(tag: record.recordChangeTag ?? "")
    for field in record.fields where field.name != "owner" {
      fields[field.name] = record[field.name] as String?
    }
    parent = record.parent?.recordID.recordName
    owner = (record["owner"] as Reference?)?.recordID.recordName
  }
}
