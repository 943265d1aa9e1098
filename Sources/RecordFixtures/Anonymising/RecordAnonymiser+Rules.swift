import RecordModel
import RecordPlatform
import RecordSchema

/// The types and fields of the records, and their rules.
extension RecordAnonymiser {
  /// The fields of a type.
  final class TypeState {
    let name: String
    /// The type, as a part of the roles of references.
    let role: Int
    fileprivate(set) var fields: [ExactString: FieldState] = [:]
    /// Fields near their places among those of a record, which are found there without hashing. A
    /// record that lacks some has the rest further behind.
    @exclusivity(unchecked) private var recent: [FieldState] = []

    init(_ name: String) { (self.name, role) = (name, name.hashValue) }

    func field(_ name: FieldName, at index: Int) -> FieldState {
      var place = index
      while place < min(recent.count, index + 8) {
        if recent[place].name == name { return recent[place] }
        place += 1
      }
      let state = field(name)
      if recent.count < 64 { recent.insert(state, at: min(index, recent.count)) }
      return state
    }

    func field(_ name: FieldName) -> FieldState {
      let key = ExactString(name.string)
      let state = fields[key] ?? FieldState(self.name, name)
      fields[key] = state
      return state
    }
  }

  /// A field of a type.
  final class FieldState {
    let recordType: String
    let name: FieldName
    /// The part of the seeds of the values that depends on the field.
    let stream: UInt64
    /// The type and the name, as the role of a reference.
    let role: Int
    /// Whether the values are the names of two records that Core Data links.
    let isOfLinks: Bool
    /// The rule for each type of value that was met.
    fileprivate var rules: [Kind: AnonymisationRule] = [:]
    @exclusivity(unchecked) fileprivate var last: (kind: Kind, rule: AnonymisationRule)?
    fileprivate(set) var unnamed: String?
    @exclusivity(unchecked) fileprivate(set) var report = AnonymisationReport.Field()
    private var kept: SingleOutCounts.KeptField?

    struct Kind: Hashable {
      var type: ValueType
      var isEncrypted: Bool
    }

    init(_ recordType: String, _ name: FieldName) {
      self.recordType = recordType
      self.name = name
      var text = name.string
      stream = text.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0)) }
      role = [recordType, name.string].hashValue
      let coreData = CoreDataNames.role(
        of: name.string, in: recordType, type: .string, among: [])
      isOfLinks = coreData == .recordNames
    }

    /// Returns the field among the kept ones, whose values are counted.
    func keptField(in counts: SingleOutCounts) -> SingleOutCounts.KeptField {
      if let kept { return kept }
      let field = counts.field(name.string, of: recordType)
      kept = field
      return field
    }
  }

  // MARK: Rules

  /// Returns the rule for a value; nil if the policy has none, which is noted.
  func rule(
    for type: ValueType, _ isEncrypted: Bool, _ state: FieldState
  ) throws -> AnonymisationRule? {
    let kind = FieldState.Kind(type: type, isEncrypted: isEncrypted)
    if let last = state.last, last.kind == kind {
      state.report.note(last.rule)
      return last.rule
    }
    guard let rule = try state.rules[kind] ?? newRule(for: kind, state) else {
      state.unnamed = type.rawValue
      return nil
    }
    state.rules[kind] = rule
    state.last = (kind, rule)
    // An empty list has no type, and no content.
    if type != .emptyList { state.report.rules.insert(rule) }
    state.report.note(rule)
    return rule
  }

  private func newRule(
    for kind: FieldState.Kind, _ state: FieldState
  ) throws -> AnonymisationRule? {
    switch kind.type {
    case .emptyList: return .keep
    case .reference, .referenceList: return .identifier
    default: break
    }
    let (field, recordType) = (state.name.string, state.recordType)
    guard
      let rule = settings.policy.rule(
        for: field, of: recordType, kind.type, isEncrypted: kind.isEncrypted)
    else { return nil }
    try settings.policy.check(
      rule, for: field, of: recordType, kind.type, isEncrypted: kind.isEncrypted)
    return rule
  }

  // MARK: Values that stay

  /// Looks for personal data in a value that stays.
  func inspect(_ value: RecordValue, _ state: FieldState) {
    let type = value.type?.single
    var found: PersonalKinds = type == .location ? .place : []
    func search(_ text: String) {
      found.formUnion(PersonalKinds(in: text))
      personal.keep(text, state.recordType, state.name.string)
    }
    for element in value.elements ?? [value] {
      switch element {
      case .string(let text): search(text)
      case .int64(let number): found.formUnion(PersonalKinds(in: number))
      case .double(let number): found.formUnion(PersonalKinds(in: number))
      case .bytes(let data): PersonalKinds.texts(in: data).forEach(search)
      default: break
      }
    }
    state.report.note(found, inNumber: type == .int64 || type == .double)
  }
}
