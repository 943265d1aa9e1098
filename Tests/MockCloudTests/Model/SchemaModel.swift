import CloudInterface
import Foundation
import RecordModel
import RecordSchema
import TestSupport

/// The schema of a container as plain dictionaries, and what saves add to it.
struct SchemaModel {
  /// A draft, as far as the model knows it.
  struct Draft {
    var recordID: RecordID
    var recordType: String
    var hasParent: Bool
    var fields: [(name: String, kind: String)]
  }

  /// The kinds of values by type and field, such as `ENCRYPTED STRING`.
  var types: [String: [String: String]]
  let environment: ContainerInfo.Environment

  /// Returns the error of each record, and adds what is saved.
  mutating func save(
    _ drafts: [Draft], atomically: Bool
  ) -> [RecordID: CloudError.Code] {
    var errors: [RecordID: CloudError.Code] = [:]
    var groups: [[Draft]] = []
    for draft in drafts {
      let isAtomic = atomically && !draft.recordID.zoneID.isDefault
      let known = groups.firstIndex { $0[0].recordID.zoneID == draft.recordID.zoneID }
      if isAtomic, let known { groups[known].append(draft) } else { groups.append([draft]) }
    }
    for group in groups {
      var attempt = types
      for draft in group {
        if draft.hasParent {
          errors[draft.recordID] = .referenceViolation
        } else if let added = adding(draft, to: attempt) {
          attempt = added
        } else {
          errors[draft.recordID] = .invalidArguments
        }
      }
      guard group.contains(where: { errors[$0.recordID] != nil }) else {
        types = attempt
        continue
      }
      for draft in group where errors[draft.recordID] == nil {
        errors[draft.recordID] = .batchRequestFailed
      }
    }
    return errors
  }

  /// Returns the types with those of a draft; nil if it does not fit.
  private func adding(
    _ draft: Draft, to types: [String: [String: String]]
  ) -> [String: [String: String]]? {
    var types = types
    var fields = types[draft.recordType]
    if fields == nil, environment == .production { return nil }
    for (name, kind) in draft.fields {
      if let defined = fields?[name] {
        let isEmptyList = kind == "EMPTY_LIST" && defined.hasPrefix("LIST")
        guard defined == kind || isEmptyList else { return nil }
      } else {
        guard environment == .development, kind != "EMPTY_LIST" else { return nil }
        fields = fields ?? [:]
        fields?[name] = kind
      }
    }
    types[draft.recordType] = fields ?? [:]
    return types
  }
}

/// A random request for a ``SchemaModel``.
struct RandomSchemaRequest {
  static let zones = [ZoneID.default, ZoneID(zoneName: "A"), ZoneID(zoneName: "B")]
  private static let values: [(kind: String, value: RecordValue, isEncrypted: Bool)] = [
    ("STRING", .string("x"), false), ("INT64", .int64(1), false), ("DOUBLE", .double(1), false),
    ("TIMESTAMP", .timestamp(Date(timeIntervalSinceReferenceDate: 1)), false),
    ("BYTES", .bytes(Data("x".utf8)), false), ("LIST<STRING>", .stringList(["x"]), false),
    ("LIST<INT64>", .int64List([1]), false), ("EMPTY_LIST", .emptyList, false),
    ("ENCRYPTED STRING", .string("x"), true),
  ]

  var drafts: [DraftRecord] = []
  var models: [SchemaModel.Draft] = []
  let atomically: Bool

  init(_ random: inout SeededGenerator) {
    atomically = random.chance(2)
    var used: Set<RecordID> = []
    for _ in 0..<(1 + random.below(6)) {
      let recordType = random.pick(["Note", "Todo", "Chat"])
      let recordID = RecordID(
        recordName: "\(recordType)\(random.below(4))", zoneID: random.pick(Self.zones))
      guard used.insert(recordID).inserted else { continue }
      var draft = DraftRecord(recordType: recordType, recordID: recordID)
      var fields: [(name: String, kind: String)] = []
      for name in ["a", "b", "c", "d", "e", "f", "g", "h"] where random.chance(5) {
        // Most values of a name have one kind.
        let usual = Self.values[Int(name.utf8.first ?? 97) % Self.values.count]
        let value = random.chance(6) ? random.pick(Self.values) : usual
        draft.setField(name, to: value.value, isEncrypted: value.isEncrypted)
        fields.append((name, value.kind))
      }
      let hasParent = random.chance(12)
      if hasParent {
        draft.parent = Reference(
          recordID: RecordID(recordName: "nobody", zoneID: recordID.zoneID))
      }
      drafts.append(draft)
      models.append(
        SchemaModel.Draft(
          recordID: recordID, recordType: recordType, hasParent: hasParent, fields: fields))
    }
  }
}
