import RecordModel
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

  /// The names that the change frees or uses.
  fileprivate var names: [String] {
    switch self {
    case .renamed(let old, let new, _), .retyped(let old, let new, _): [old.name, new.name]
    case .dropped(let field, _), .added(let field): [field.name]
    }
  }
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
  /// The reasons for a guess.
  var reasons: [String] = []

  /// Groups the changes of all types, in the order of their first occurrence.
  ///
  /// - Parameter renamed: The fields of a type that the model says are renamed, by their former names;
  ///   several for a former name that it gives to all of them.
  static func all(
    _ pairs: [(old: CloudSchema.RecordType, new: CloudSchema.RecordType)],
    renamed: (String) -> [String: [String]]
  ) -> [SharedFieldChange] {
    var shared: [SharedFieldChange] = []
    var places: [FieldChange: Int] = [:]
    for (old, new) in pairs {
      // The places of this type's changes, by the names of their fields. A change that needs one of
      // these names comes later.
      var latest: [String: Int] = [:]
      for (change, reasons) in changes(old, new, renamed(new.name)) {
        let first = change.names.compactMap { latest[$0] }.max() ?? 0
        let place = places[change].flatMap { $0 < first ? nil : $0 } ?? shared.count
        for name in change.names { latest[name] = place }
        if place == shared.count { shared.append(SharedFieldChange(change: change)) }
        places[change] = place
        shared[place].types.append(new.name)
        for reason in reasons where !shared[place].reasons.contains(reason) {
          shared[place].reasons.append(reason)
        }
      }
    }
    return shared
  }

  private static func changes(
    _ old: CloudSchema.RecordType, _ new: CloudSchema.RecordType, _ renamed: [String: [String]]
  ) -> [(FieldChange, reasons: [String])] {
    let (before, after) = (fields(of: old), fields(of: new))
    let targets = Dictionary(uniqueKeysWithValues: after.map { ($0.name, $0) })
    let known = Set(before.map(\.name))
    let told = before.compactMap { field -> RenameGuess.Pair<CloudSchema.Field>? in
      let names = (renamed[field.name] ?? []).filter { targets[$0] != nil }
      guard let target = names.first.flatMap({ targets[$0] }) else { return nil }
      // The field of large values follows that of the value.
      let others = field.hasLargeValues ? [] : names.dropFirst()
      return RenameGuess.Pair(
        from: field, to: target, reasons: others.map { "the model says the same of '\($0)'" })
    }
    // A new name may be the former name of another field.
    let (moved, taken) = (Set(told.map(\.from.name)), Set(told.map(\.to.name)))
    let removed = before.filter {
      !moved.contains($0.name) && (targets[$0.name] == nil || taken.contains($0.name))
    }
    var added = after.filter {
      !taken.contains($0.name) && (!known.contains($0.name) || moved.contains($0.name))
    }
    let guesses = RenameGuess.fields(
      convertible: removed.filter { !$0.hasLargeValues }, added.filter { !$0.hasLargeValues })
    let companions = guesses.compactMap { pair -> RenameGuess.Pair<CloudSchema.Field>? in
      let names = (pair.from.name, pair.to.name)
      guard
        let from = removed.first(where: { CoreDataNames.valueField(of: $0.name) == names.0 }),
        let to = added.first(where: { CoreDataNames.valueField(of: $0.name) == names.1 })
      else { return nil }
      return RenameGuess.Pair(from: from, to: to)
    }
    let renames = RenameGuess.inOrder(
      told + guesses + companions, by: \.name, besides: known.union(targets.keys))
    let newNames = Set(renames.map(\.to.name))
    added.removeAll { newNames.contains($0.name) }
    var changes: [(FieldChange, reasons: [String])] = []
    for pair in renames {
      let overflow = overflow(pair.from, pair.to, &added)
      changes.append(
        (.renamed(FieldShape(pair.from), FieldShape(pair.to), overflow: overflow), pair.reasons))
    }
    for field in before where !moved.contains(field.name) && !taken.contains(field.name) {
      guard let target = targets[field.name], field.type != target.type else { continue }
      let overflow = overflow(field, target, &added)
      changes.append((.retyped(FieldShape(field), FieldShape(target), overflow: overflow), []))
    }
    let renamedFields = Set(renames.map(\.from.name))
    // Three are named in a question, so that many fields take linear time.
    let heirs = Dictionary(grouping: added, by: \.type).mapValues { $0.prefix(3).map(\.name) }
    var first: [(FieldChange, reasons: [String])] = []
    for field in removed where !renamedFields.contains(field.name) {
      let change = FieldChange.dropped(FieldShape(field), heirs: heirs[field.type] ?? [])
      if taken.contains(field.name) {
        first.append((change, []))
      } else {
        changes.append((change, []))
      }
    }
    return first + changes + added.map { (.added(FieldShape($0)), []) }
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

/// The change of a field's type, and what it requires.
///
/// Ignores encryption, which is changed by separate steps.
struct TypeChange {
  let from: CloudSchema.FieldType
  let to: CloudSchema.FieldType

  init(from: CloudSchema.FieldType, to: CloudSchema.FieldType) {
    self.from = from
    guard to.primitive == .number, !to.shape.accepts(from.shape) else {
      self.to = to
      return
    }
    let isNumber = from.primitive == .int64 || from.primitive == .double
    self.to = to.ofPlans(preferring: isNumber ? from.primitive : .double)
  }

  /// Whether values can stay unchanged.
  var isNone: Bool { from.isList == to.isList && to.shape.accepts(from.shape) }

  /// The similarity of the types, from 0 (no conversion exists) to 1 (the same type).
  var nearness: Double {
    guard isPossible else { return 0 }
    if isNone { return from.isEncrypted == to.isEncrypted ? 1 : 0.95 }
    if from.primitive == to.primitive { return 0.9 }
    return isNatural ? 0.875 : 0.625
  }

  /// Whether a `convert` step exists for the change.
  var isPossible: Bool {
    from.valueTypes.contains { old in to.valueTypes.contains(where: old.canBecome) }
  }

  /// Whether apps often change between these types.
  private var isNatural: Bool {
    switch (from.primitive, to.primitive) {
    case (.bytes, .asset), (.asset, .bytes), (.reference, .string), (.string, .reference),
      (.int64, .double), (.double, .int64), (.number, _), (_, .number):
      true
    default: false
    }
  }

  /// Whether some values may not be convertible.
  var mayFail: Bool {
    if from.isList, !to.isList { return true }
    switch (from.primitive, to.primitive) {
    case _ where isNone || from.primitive == to.primitive: return false
    case (.bytes, .asset), (.string, .bytes), (.int64, .string), (.double, .string),
      (.number, .string), (.timestamp, .string), (.timestamp, .double), (.int64, .number),
      (.double, .number):
      return false
    default: return true
    }
  }

  /// The `format` of a conversion between dates and other types, or `nil` for other conversions.
  var dateFormat: String? {
    switch (from.primitive, to.primitive) {
    case (.string, .timestamp), (.timestamp, .string): return "iso8601"
    case (.timestamp, .int64), (.timestamp, .double), (.int64, .timestamp), (.double, .timestamp),
      (.number, .timestamp):
      return "seconds"
    default: return nil
    }
  }
}

extension CloudSchema.FieldType {
  /// The types of single values that a field of this type can have.
  fileprivate var valueTypes: [ValueType] {
    primitive == .number
      ? [.int64, .double] : [ValueType(rawValue: primitive.rawValue)].compactMap { $0 }
  }

  /// Returns the type as used in plans, which have INT64 and DOUBLE instead of NUMBER.
  func ofPlans(preferring number: CloudSchema.Primitive = .double) -> CloudSchema.FieldType {
    guard primitive == .number else { return self }
    let own: CloudSchema.Primitive =
      switch numberPreference {
      case .int64: .int64
      case .double: .double
      case nil: number
      }
    return CloudSchema.FieldType(own, isList: isList)
  }
}

extension RenameGuess {
  /// Returns guesses for fields, based on equal or convertible types, similar names, and being the
  /// only candidates. Repeats for the remaining fields until there are no more guesses.
  static func fields(
    convertible removed: [CloudSchema.Field], _ added: [CloudSchema.Field]
  ) -> [Pair<CloudSchema.Field>] {
    guard removed.count * added.count <= maxPairs else { return [] }
    var pairs: [Pair<CloudSchema.Field>] = []
    while true {
      let left = removed.filter { field in !pairs.contains { $0.from.name == field.name } }
      let open = added.filter { field in !pairs.contains { $0.to.name == field.name } }
      let found = likely(left, open)
      if found.isEmpty { return pairs.sorted { $0.from.name < $1.from.name } }
      pairs += found
    }
  }

  private static func likely(
    _ removed: [CloudSchema.Field], _ added: [CloudSchema.Field]
  ) -> [Pair<CloudSchema.Field>] {
    let nearness = removed.map { a in
      added.map { TypeChange(from: a.type, to: $0.type).nearness }
    }
    let (rows, columns) = (Array(removed.enumerated()), Array(added.enumerated()))
    let pairs = chosen(rows, columns) { a, b in
      let (from, to) = (a.element, b.element)
      var pair = Pair(from: a, to: b)
      let near = nearness[a.offset][b.offset]
      guard near > 0 else { return pair }
      pair.likeness = 0.4 * near
      let name = NameSimilarity.between(from.name, to.name)
      if name >= 0.4 {
        pair.likeness += 0.4 * name
        pair.reasons.append("their names are alike")
      }
      let isOnlyOne =
        nearness[a.offset].count(where: { $0 >= near }) == 1
        && nearness.count(where: { $0[b.offset] >= near }) == 1
      if isOnlyOne {
        pair.likeness += 0.15
        pair.reasons.append("no other removed or added field fits as well")
      }
      pair.likeness = min(1, pair.likeness)
      return pair
    }
    return pairs.map { $0.map(\.element) }
  }
}
