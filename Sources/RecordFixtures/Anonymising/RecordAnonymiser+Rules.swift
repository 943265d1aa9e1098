import RecordModel
import RecordPlatform

/// The types and fields of the records, and their rules.
extension RecordAnonymiser {
  /// The fields of a type.
  final class TypeState {
    let name: String
    /// The type, as a part of the roles of references.
    let role: UInt64
    /// The fields whose made-up values are in an order; nil if the policy contradicts itself.
    let orders: [[String]]?
    /// Whether a record has the type, even if the policy drops it.
    var isMet = false
    fileprivate(set) var fields: [ExactString: FieldState] = [:]
    /// Fields near their places among those of a record, which are found there without hashing. A
    /// record that lacks some has the rest further behind.
    @exclusivity(unchecked) private var recent: [FieldState] = []

    init(_ name: String, _ policy: AnonymisationPolicy) {
      (self.name, role) = (name, RecordAnonymiser.node("type", name))
      orders = policy.chains(of: name)
    }

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
    let role: UInt64
    /// Whether the values are the names of two records that Core Data links.
    let isOfLinks: Bool
    /// Whether the values are names of entities and relationships, which are no data of persons.
    let isOfModel: Bool
    /// The rule for each type of value that was met.
    fileprivate var rules: [Kind: PolicyRule] = [:]
    @exclusivity(unchecked) fileprivate var last: (kind: Kind, rule: PolicyRule)?
    fileprivate(set) var unnamed: String?
    @exclusivity(unchecked) var report = AnonymisationReport.Field()
    private var trace: Int?
    /// The values that enough persons have, by the rule ``AnonymisationRule/keepIf``.
    fileprivate(set) lazy var key = AnonymisationReport.Key(
      recordType: recordType, field: name.string)

    struct Kind: Hashable {
      var type: ValueType
      var isEncrypted: Bool
    }

    init(_ recordType: String, _ name: FieldName) {
      self.recordType = recordType
      self.name = name
      var text = name.string
      stream = text.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0)) }
      role = RecordAnonymiser.node("field", [recordType, name.string])
      let coreData = CoreDataNames.role(
        of: name.string, in: recordType, type: .string, among: [])
      isOfLinks = coreData == .recordNames
      isOfModel = coreData == .modelNames
    }

    /// The name of the field's function that keeps the order of numbers.
    var orderName: String { "\(recordType)\0\(name.string)" }

    /// Returns the number of the field among the traces of persons.
    func trace(in traces: PersonTraces) -> Int {
      if let trace { return trace }
      let number = traces.trace(named: "\(recordType).\(name.string)")
      trace = number
      return number
    }
  }

  // MARK: Rules

  /// Returns the rule for a value; nil if the policy has none, which is noted.
  func rule(
    for type: ValueType, _ isEncrypted: Bool, _ state: FieldState
  ) throws -> PolicyRule? {
    let kind = FieldState.Kind(type: type, isEncrypted: isEncrypted)
    if let last = state.last, last.kind == kind { return last.rule }
    guard let rule = try state.rules[kind] ?? newRule(for: kind, state) else {
      state.unnamed = type.rawValue
      return nil
    }
    state.rules[kind] = rule
    state.last = (kind, rule)
    if let reason = rule.accepted { state.report.accepted = reason }
    // An empty list has no type, and no content.
    if type != .emptyList { state.report.rules.insert(rule.rule) }
    return rule
  }

  private func newRule(
    for kind: FieldState.Kind, _ state: FieldState
  ) throws -> PolicyRule? {
    if kind.type == .emptyList {
      let named = settings.policy.namedRule(for: state.name.string, of: state.recordType)
      return PolicyRule(named?.rule == .drop ? .drop : .keep)
    }
    if kind.type.elementType ?? kind.type == .reference,
      settings.policy.droppedParts.contains(.references)
    {
      return PolicyRule(.drop)
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
    var found: Set<PersonalKind> = []
    if type == .location { found = [.place] }
    if type == .timestamp { found = [.date] }
    func search(_ text: String) {
      found.formUnion(PersonalKind.all(in: text))
      if !state.isOfModel { personal.keep(text, state.key) }
    }
    for element in value.elements ?? [value] {
      switch element {
      case .string(let text): search(text)
      case .int64(let number):
        found.formUnion(PersonalKind.all(in: number))
        personal.keep(String(number), state.key)
      case .double(let number): found.formUnion(PersonalKind.all(in: number))
      case .bytes(let data): PersonalKind.texts(in: data).forEach(search)
      default: break
      }
    }
    state.report.note(found, inNumber: type == .int64 || type == .double)
  }
}
