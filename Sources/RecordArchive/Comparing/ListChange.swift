import RecordCoding
import RecordModel

/// A difference between two lists of zones, subscriptions, tombstones or assets.
struct ListChange<Value> {
  let kind: ArchiveChange.Kind
  let database: DatabaseScope
  let value: Value
  /// The old value, if it was changed.
  var old: Value?
}

extension ListChange where Value: JSONConvertible {
  /// The members of the JSON that differ, if the value was changed.
  func members() throws -> [MemberChange] {
    guard let old = try old?.jsonValue().members, let new = try value.jsonValue().members else {
      return []
    }
    let names = Set((old + new).map { NameKey($0.name) }).sorted().map(\.string)
    func text(_ members: [JSONValue.Member], _ name: String) -> RawJSON? {
      members.first { $0.name.sameScalars(as: name) }?.value.raw
    }
    return names.compactMap { name in
      let change = MemberChange(name: name, before: text(old, name), after: text(new, name))
      return change.before == change.after ? nil : change
    }
  }
}
