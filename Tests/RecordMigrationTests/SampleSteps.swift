import Foundation
import RecordModel

@testable import RecordMigration

extension Sample {
  /// A conversion between any two types, with any form of dates.
  static func conversion(
    _ original: ValueType, _ type: ValueType, _ random: inout SeededGenerator
  ) throws -> Conversion {
    let forms = [
      "iso8601", "seconds", "milliseconds", "reference-seconds", "yyyy-MM-dd",
      "dd.MM.yyyy HH:mm:ss.SSS",
    ]
    return Conversion(
      to: type, from: original,
      dateFormat: random.chance(2) ? try DateFormat(random.pick(forms)) : nil)
  }

  /// The conversions people write, and as many between any other types.
  static func conversions(_ random: inout SeededGenerator) throws -> [Conversion] {
    var list = try [
      Conversion(to: .int64, from: .string), Conversion(to: .string, from: .int64),
      Conversion(to: .double, from: .int64), Conversion(to: .int64, from: .double),
      Conversion(to: .timestamp, from: .string, dateFormat: DateFormat("yyyy-MM-dd")),
      Conversion(to: .string, from: .timestamp, dateFormat: .iso8601),
      Conversion(to: .timestamp, from: .int64, dateFormat: .milliseconds),
      Conversion(to: .double, from: .timestamp, dateFormat: .seconds),
      Conversion(to: .stringList, from: .string), Conversion(to: .string, from: .stringList),
      Conversion(to: .asset, from: .bytes), Conversion(to: .bytes, from: .asset),
      Conversion(to: .string, from: .reference), Conversion(to: .reference, from: .string),
      Conversion(to: .referenceList, from: .reference),
    ]
    for _ in 0..<20 {
      let (old, new) = (random.pick(ValueType.allCases), random.pick(ValueType.allCases))
      list.append(try conversion(old, new, &random))
    }
    return list
  }

  private static func maps(_ random: inout SeededGenerator) -> [MigrationAction] {
    let words: [RecordValue: RecordValue] = [
      .string("low"): .int64(1), .string("high"): .int64(2), .int64(7): .string("seven"),
    ]
    let circle: [RecordValue: RecordValue] = [
      .string("low"): .string("high"), .string("high"): .string("low"), .int64(0): .int64(1),
    ]
    let folding: [RecordValue: RecordValue] = [
      .string("low"): .string("few"), .string(""): .string("few"),
    ]
    return [words, circle, folding].flatMap { values in
      [.misfit, .keep, .value(.string("other"))].map { otherwise in
        .mapValues("a", MigrationAction.ValueMap(values, otherwise: otherwise))
      }
    }
  }

  /// Steps in Swift: one that is its own inverse, one that makes records, and two with mistakes.
  private static var customs: [MigrationAction] {
    struct Refusal: Error {}
    @Sendable func exchange(_ draft: DraftRecord) throws -> [DraftRecord] {
      var swapped = draft
      for (name, other) in [("a", "b"), ("b", "a")] {
        let field = draft.field(named: other)
        guard field?.otherMembers.isEmpty != false else { throw Refusal() }
        swapped.setField(name, to: field?.value, isEncrypted: field?.isEncrypted ?? false)
      }
      return [swapped]
    }
    return [
      .custom(.init("exchange", changesIdentity: false, inverse: exchange, body: exchange)),
      .custom(
        .init("double") { draft in
          let name = "copy-\(draft.recordID.recordName)"
          let copy = RecordID(recordName: name, zoneID: draft.recordID.zoneID)
          return [draft, DraftRecord(recordType: "Copy", recordID: copy)]
        }),
      .custom(.init("drop") { $0.allKeys().count > 3 ? [] : [$0] }),
      .custom(
        .init("refuse", changesIdentity: false) { draft in
          if draft.allKeys().count > 3 { throw Refusal() }
          return [draft]
        }),
      .custom(.init("lie", changesIdentity: false) { _ in [] }),
    ]
  }

  /// An action of every kind, in many forms.
  static func actions(_ random: inout SeededGenerator) throws -> [MigrationAction] {
    let prefix = try RecordExpression("'x-' + recordName")
    let unprefix = try RecordExpression(
      "if(starts(recordName, 'x-'), replace(recordName, 'x-', ''), recordName)")
    let partly = try RecordExpression("if(has(f), 'x-' + recordName, null)")
    return try conversions(&random).map { .convert("a", $0) } + maps(&random) + customs + [
      .renameType(to: "Page"), .mergeTypes(into: "Thing", discriminator: "kind"),
      .mergeTypes(into: "Thing", discriminator: nil),
      .renameField("a", to: "g"), .renameField("a", to: "b"),
      .addField("g", .constant(.int64(3))), .addField("g", .constant(.emptyList), type: .int64List),
      .addField("g", .field("b"), isEncrypted: true), .addField("g", .field("b"), type: .double),
      .addField("g", .expression(try RecordExpression("length(b) + 1")), type: .int64),
      .addField("a", .expression(try RecordExpression("name(parent)"))),
      .addField("g", .expression(try RecordExpression("part(a, ', ', 0)"))),
      .addField("g", .expression(try RecordExpression("a + ', ' + b"))),
      .encrypt("a"), .decrypt("a"),
      .setParent(from: "a"), .setParent(from: "a", keepsField: false),
      .setReference("g"), .setReference("a", .deleteSelf, keepsParent: false),
      .move(to: other, from: zone), .move(to: other), .renameRecords(prefix, reverse: unprefix),
      .renameRecords(partly, reverse: unprefix), .renameRecords(prefix), .dropField("a"),
      .deleteType, .leaveBehind, .clearParent,
      .splitList("a", into: .init("Child", backReference: "owner"), as: "h", position: "g"),
      .splitList("a", into: .init("Child", setsParent: true), as: "a", keepsField: true),
      .splitRecord(["a", "b"], into: .init("Part", backReference: "owner"), reference: "g"),
      .splitRecord(["a"], into: .init("Part", setsParent: true), keepsFields: true),
      .lookUp("g", through: "a", of: "Note", from: "b"),
      .lookUp("b", through: "parent", of: "Memo", from: "c"),
    ]
  }

  static func policies(_ action: MigrationAction) -> [MisfitPolicy] {
    var policies: [MisfitPolicy] = [.skip, .fail]
    if action.effects.hasValue || action.effects.canBeLeftOut { policies.append(.null) }
    if action.effects.hasValue { policies.append(.keep(in: "overflow")) }
    return policies
  }

  private static let conditions = [
    "has(f) or length(field('e')) > 1", "not has(overflow)", "recordType == 'Note'",
    "zoneName == 'Chats'", "c == 'low' or d > 3", "has(a)", "name(b) == 'n2'",
    "has(parent) and name(parent) != 'n3'",
  ]

  private static func selection(
    _ action: MigrationAction, _ random: inout SeededGenerator
  ) -> MigrationStep.Selection {
    if action.name == "merge-types" { return .init(["Note", "Memo"]) }
    if action.name == "rename-type" { return .init(["Note"]) }
    switch random.below(8) {
    case 0: return .init(["Note", "Memo"])
    case 1: return .init(["Note"], databases: [.private])
    case 2: return .init(["Note"], zoneNames: ["Chats"])
    case 3 where action.name != "leave-behind" && action.name != "delete-type": return .init(nil)
    default: return .init(["Note"])
    }
  }

  /// Steps of every kind, under each policy they allow, without a condition and with one.
  static func steps(_ random: inout SeededGenerator) throws -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for action in try actions(&random) {
      for policy in policies(action) {
        let condition = try RecordExpression(random.pick(conditions))
        for condition in [nil, condition] {
          steps.append(
            MigrationStep(selection(action, &random), action, where: condition, misfit: policy))
        }
      }
    }
    return steps
  }
}
