import RecordCoding
import RecordModel
import RecordText

/// What a save did to a record: the names of the changed fields, without values.
struct PutChange {
  enum Kind: String, CaseIterable {
    case added, changed, unchanged
  }

  let kind: Kind
  let location: RecordLocation
  let recordType: String
  /// The names of the fields that were set, and of the system fields that changed.
  let fields: [String]
  /// The names of the removed fields.
  let removed: [String]

  init(_ saved: ResultRecord, from stored: ResultRecord?, in database: DatabaseScope) {
    location = RecordLocation(database, saved)
    recordType = saved.recordType
    let names = saved.fields.filter { $0 != stored?.field(named: $0.name) }.map(\.name)
    fields = names + Self.systemFields(of: saved, from: stored)
    removed = stored?.fields.map(\.name).filter { saved.field(named: $0) == nil } ?? []
    kind =
      if stored == nil { .added } else if saved == stored { .unchanged } else { .changed }
  }

  private static func systemFields(
    of saved: ResultRecord, from stored: ResultRecord?
  ) -> [String] {
    guard let old = stored?.systemFields else { return [] }
    let new = saved.systemFields
    let others = Set((new.otherMembers + old.otherMembers).map { ExactString($0.name) }).sorted()
      .map(\.string).filter { new.otherMembers[$0] != old.otherMembers[$0] }
    return (new.parent == old.parent ? [] : ["parent"]) + (new.share == old.share ? [] : ["share"])
      + others
  }

  /// The line of the report; nil for a record that was not saved.
  func line(_ style: TerminalStyle) -> String? {
    let name = location.text(recordType)
    switch kind {
    case .added: return style.paint("+ \(name)", .green)
    case .unchanged: return nil
    case .changed:
      let names = fields.map(\.visible) + removed.map { "\($0.visible) (removed)" }
      return style.paint("~ \(name)", .yellow) + ": " + names.joined(separator: ", ")
    }
  }

  var json: JSONValue {
    func list(_ names: [String]) -> JSONValue { .array(names.map(JSONValue.string)) }
    var members =
      [JSONValue.Member("change", .string(kind.rawValue))] + location.members(recordType)
    if kind == .changed {
      members += [.init("fields", list(fields)), .init("removed", list(removed))]
    }
    return .object(members)
  }

  /// `2 added, 1 changed, 3 unchanged`.
  static func summary(_ changes: [PutChange]) -> String {
    Kind.allCases.map { kind in
      "\(Numbers.grouped(changes.count { $0.kind == kind })) \(kind.rawValue)"
    }.joined(separator: ", ")
  }

  static func counts(_ changes: [PutChange]) -> JSONValue {
    .object(
      Kind.allCases.map { kind in
        .init(kind.rawValue, .integer(changes.count { $0.kind == kind }))
      })
  }
}
