import RecordSchema

/// The change of a field between two schemas.
enum FieldChange: Hashable {
  /// The field may have been renamed, possibly with another type.
  case renamed(FieldShape, FieldShape, overflow: String?)
  /// The field has another type.
  case retyped(FieldShape, FieldShape, overflow: String?)
  /// The field was removed. `heirs` are added fields that accept its values unchanged.
  case dropped(FieldShape, heirs: [String])
  /// The field was added.
  case added(FieldShape)
}

/// The parts of a field that matter to a plan. Indexes do not.
struct FieldShape: Hashable {
  let name: String
  let type: CloudSchema.FieldType

  init(_ field: CloudSchema.Field) {
    name = field.name
    type = field.type
  }
}

/// A change that is the same in several record types, so that there is one question about it.
struct SharedFieldChange {
  let change: FieldChange
  /// The record types, by their new names, in schema order.
  var types: [String] = []
  /// The number of sampled records of these types.
  var records = 0
  /// The statistics of the former field's values.
  var values: FieldStatistics.Field?
  /// The reasons for a guess.
  var reasons: [String] = []

  /// Groups the changes of all types, in the order of their first occurrence.
  static func all(
    _ pairs: [(old: CloudSchema.RecordType, new: CloudSchema.RecordType)],
    _ statistics: FieldStatistics?
  ) -> [SharedFieldChange] {
    var shared: [SharedFieldChange] = []
    var places: [FieldChange: Int] = [:]
    for (old, new) in pairs {
      let values = statistics?.types[old.name]
      for (change, reasons) in changes(old, new, values, statistics?.types[new.name]) {
        let place = places[change] ?? shared.count
        if place == shared.count { shared.append(SharedFieldChange(change: change)) }
        places[change] = place
        shared[place].types.append(new.name)
        shared[place].records += statistics?.records[old.name] ?? 0
        for reason in reasons where !shared[place].reasons.contains(reason) {
          shared[place].reasons.append(reason)
        }
        guard let name = change.formerName, let own = values?[name] else { continue }
        shared[place].values = shared[place].values?.merged(with: own) ?? own
      }
    }
    return shared
  }

  private static func changes(
    _ old: CloudSchema.RecordType, _ new: CloudSchema.RecordType,
    _ values: [String: FieldStatistics.Field]?,
    _ newValues: [String: FieldStatistics.Field]?
  ) -> [(FieldChange, reasons: [String])] {
    let (before, after) = (fields(of: old), fields(of: new))
    let targets = Dictionary(uniqueKeysWithValues: after.map { ($0.name, $0) })
    let known = Set(before.map(\.name))
    let removed = before.filter { targets[$0.name] == nil }
    var added = after.filter { !known.contains($0.name) }
    let renames = RenameGuess.fields(removed, added, old: values, new: newValues)
    added.removeAll { field in renames.contains { $0.to.name == field.name } }
    var changes: [(FieldChange, reasons: [String])] = []
    for pair in renames {
      let overflow = overflow(pair.from, pair.to, &added)
      changes.append(
        (.renamed(FieldShape(pair.from), FieldShape(pair.to), overflow: overflow), pair.reasons))
    }
    for field in before {
      guard let target = targets[field.name], field.type != target.type else { continue }
      let overflow = overflow(field, target, &added)
      changes.append((.retyped(FieldShape(field), FieldShape(target), overflow: overflow), []))
    }
    for field in removed where !renames.contains(where: { $0.from.name == field.name }) {
      let heirs = added.filter { $0.type == field.type }.map(\.name)
      changes.append((.dropped(FieldShape(field), heirs: heirs), []))
    }
    return changes + added.map { (.added(FieldShape($0)), []) }
  }

  /// Returns the user-defined fields sorted by name. If a name occurs twice, the first counts.
  private static func fields(of type: CloudSchema.RecordType) -> [CloudSchema.Field] {
    var names: Set<String> = []
    return type.userFields.filter { names.insert($0.name).inserted }.sorted { $0.name < $1.name }
  }

  /// Removes and returns an added field for values that do not fit the new type: one with the old
  /// type and a similar name.
  private static func overflow(
    _ old: CloudSchema.Field, _ new: CloudSchema.Field, _ added: inout [CloudSchema.Field]
  ) -> String? {
    guard TypeChange(from: old.type, to: new.type).mayFail else { return nil }
    let isEncrypted = old.type.isEncrypted && new.type.isEncrypted
    let index = added.firstIndex { field in
      field.type.shape == old.type.shape && field.type.isEncrypted == isEncrypted
        && [old.name, new.name].contains {
          field.name.lowercased().contains($0.lowercased())
        }
    }
    return index.map { added.remove(at: $0).name }
  }
}

extension FieldChange {
  /// The former name of the field, or `nil` if it was added.
  fileprivate var formerName: String? {
    switch self {
    case .renamed(let old, _, _), .retyped(let old, _, _), .dropped(let old, _): old.name
    case .added: nil
    }
  }
}
