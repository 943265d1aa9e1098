import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema

/// The input of a run, beside its source.
struct AnonymiserSettings: Sendable {
  var policy: AnonymisationPolicy
  var pseudonyms: Pseudonyms
  /// The record name of the signed-in user, whose zones have an owner without a name.
  var currentUser: String?

  init(_ policy: AnonymisationPolicy, _ key: AnonymisationKey) {
    self.policy = policy
    pseudonyms = Pseudonyms(key, keeping: policy.keptNames.map { NamePattern($0) })
  }
}

/// Anonymises records on one thread, and counts what happens.
///
/// A value whose rule does not depend on it is not even decoded.
final class RecordAnonymiser {
  let settings: AnonymiserSettings
  /// The new digests of the assets of the source, by their old ones.
  var assets: [String: String] = [:]
  var personal = PersonalWords()
  private(set) var records = 0
  private(set) var droppedFields = 0
  /// Lines of the result with an email address whose domain can exist.
  private(set) var linesWithEmails = 0
  private(set) var types: [ExactString: TypeState] = [:]
  /// The type of the last record: the next one is often of the same.
  private var lastType: TypeState?
  private var zones: [ZoneID: ZoneID] = [:]
  private var lastZone: (old: ZoneID, new: ZoneID)?
  private var users: [ExactString: User] = [:]
  private let counts: SingleOutCounts
  /// The findings in texts outside records, by their places.
  private(set) var header: [String: AnonymisationReport.Field] = [:]

  /// The number of zones and users that are remembered: most records name the same.
  private static let maxKnown = 4096

  private var policy: AnonymisationPolicy { settings.policy }
  private var pseudonyms: Pseudonyms { settings.pseudonyms }

  /// A user who has made records.
  private struct User {
    let pseudonym: String
    let shift: UserShift
    /// The number of the user among the shapes of references.
    let node: Int
  }

  /// The fields of a type.
  final class TypeState {
    let name: String
    fileprivate(set) var fields: [ExactString: FieldState] = [:]
    /// The fields of the last record: those of the next one are often the same.
    fileprivate var last: [FieldState] = []

    init(_ name: String) { self.name = name }

    fileprivate func field(_ name: FieldName, at index: Int) -> FieldState {
      if index < last.count, last[index].name == name { return last[index] }
      let state = field(name)
      if index < last.count { last[index] = state } else { last.append(state) }
      return state
    }

    fileprivate func field(_ name: FieldName) -> FieldState {
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
    fileprivate var last: (kind: Kind, rule: AnonymisationRule)?
    fileprivate(set) var unnamed: String?
    fileprivate(set) var report = AnonymisationReport.Field()
    fileprivate var kept: SingleOutCounts.KeptField?

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
  }

  /// - Parameter counts: Counts of all threads.
  init(_ settings: AnonymiserSettings, _ counts: SingleOutCounts = SingleOutCounts()) {
    self.settings = settings
    self.counts = counts
  }

  // MARK: Records

  /// Returns what replaces a record.
  func anonymise(_ record: ResultRecord) throws -> ResultRecord {
    records += 1
    let storage = record.storage
    let system = record.systemFields
    let type = type(named: system.recordType)
    let place = place(system.recordID.packedName, .record)
    var fields: [(index: Int, state: FieldState, rule: AnonymisationRule, type: ValueType)] = []
    fields.reserveCapacity(storage.fieldCount)
    for index in 0..<storage.fieldCount {
      let state = type.field(storage.name(at: index), at: index)
      guard let valueType = storage.valueType(at: index) else {
        droppedFields += 1
        continue
      }
      // Without a rule, the run fails in the end; until then, nothing of the value is written.
      guard let rule = try rule(for: valueType, storage.isEncrypted(at: index), state) else {
        continue
      }
      fields.append((index, state, rule, valueType))
    }
    var context = Context(self, record, seed: place.seed)
    context.orderDates(
      fields.lazy.filter { $0.rule == .date && $0.type == .timestamp }.map(\.index))
    var kept: [(field: SingleOutCounts.KeptField, hash: Int)] = []
    var result: [Field] = []
    result.reserveCapacity(fields.count)
    for (index, state, rule, valueType) in fields {
      context.values = MadeUpValues(seed: place.seed, stream: state.stream)
      let value = replace(valueType, by: rule, state, &context) { storage.field(at: index).value }
      if rule == .keep, valueType != .emptyList { note(value, state, &kept) }
      result.append(
        Field(interned: state.name, value: value, isEncrypted: storage.isEncrypted(at: index)))
    }
    count(system, context.references, kept)
    return ResultRecord(
      storage: ValueStorage(
        systemFields: try systemFields(system, place.name, &context), sorted: result))
  }

  private func systemFields(
    _ system: SystemFields, _ name: CompactName, _ context: inout Context
  ) throws -> SystemFields {
    let recordID = RecordID(packedName: name, zoneID: zoneID(system.recordID.zoneID))
    return SystemFields(
      recordID: recordID, recordType: system.recordType,
      recordChangeTag: system.recordChangeTag.map {
        pseudonyms.changeTag($0, of: system.recordID)
      }, created: stamp(system.created, &context), modified: stamp(system.modified, &context),
      parent: system.parent.map(reference), share: system.share.map(reference),
      otherMembers: try shareMembers(of: system, seed: context.seed))
  }

  private func stamp(_ stamp: RecordStamp?, _ context: inout Context) -> RecordStamp? {
    guard let stamp else { return nil }
    return RecordStamp(
      date: stamp.date.map { context.systemDate($0) },
      userRecordName: stamp.userRecordName.map { user(named: $0).pseudonym },
      deviceID: stamp.deviceID.map { name($0, .other) })
  }

  /// Returns what replaces a deletion.
  func anonymise(_ tombstone: DeletedRecord) -> DeletedRecord {
    let old = tombstone.recordID
    let place = place(old.packedName, .record)
    var context = Context(self, owner: old.zoneID.ownerName, seed: place.seed)
    return DeletedRecord(
      recordID: RecordID(packedName: place.name, zoneID: zoneID(old.zoneID)),
      recordType: tombstone.recordType,
      recordChangeTag: tombstone.recordChangeTag.map { pseudonyms.changeTag($0, of: old) },
      deletionDate: tombstone.deletionDate.map { context.systemDate($0) })
  }

  // MARK: Names

  func name(_ name: String, _ kind: Pseudonyms.Kind) -> String {
    place(CompactName(name), kind).name.string
  }

  private func place(_ name: CompactName, _ kind: Pseudonyms.Kind) -> Pseudonyms.Place {
    let place = pseudonyms.place(name, kind)
    if place.isKept { inspect("kept names", name.string) }
    return place
  }

  /// Looks for personal data in a text of the container, outside records, that stays.
  func inspect(_ place: String, _ text: String) {
    header[place, default: .init()].note(PersonalKinds(in: text))
    personal.keep(text, "", place)
  }

  func zoneID(_ zoneID: ZoneID) -> ZoneID {
    if let lastZone, lastZone.old.isIdentical(to: zoneID) { return lastZone.new }
    let new =
      zones[zoneID]
      ?? ZoneID(
        zoneName: name(zoneID.zoneName, .zone), ownerName: name(zoneID.ownerName, .owner))
    if zones.count >= Self.maxKnown { zones.removeAll() }
    zones[zoneID] = new
    lastZone = (zoneID, new)
    return new
  }

  func recordID(_ recordID: RecordID) -> RecordID {
    RecordID(
      packedName: place(recordID.packedName, .record).name,
      zoneID: zoneID(recordID.zoneID))
  }

  func reference(_ reference: Reference) -> Reference {
    Reference(recordID: recordID(reference.recordID), action: reference.action)
  }

  /// The pseudonym of a user, how the dates and places of the user move, and the node among references.
  private func user(named name: String) -> User {
    let key = ExactString(name)
    if let known = users[key] { return known }
    let real = name == ZoneID.currentUserOwnerName ? settings.currentUser ?? name : name
    let user = User(
      pseudonym: self.name(name, .user),
      shift: UserShift(seed: pseudonyms.seed("shift", of: real)), node: ["user", real].hashValue)
    if users.count >= Self.maxKnown { users.removeAll() }
    users[key] = user
    counts.add(user.node, own: Self.userRole, references: [], kept: [])
    return user
  }

  /// How the dates and places of a user move.
  func shift(ofUser name: String) -> UserShift { user(named: name).shift }

  // MARK: References

  private static let userRole = "user".hashValue
  private static let creatorRole = "creator".hashValue
  private static let parentRole = "parent".hashValue
  private static let shareRole = "share".hashValue

  /// Counts a record by its references and kept values.
  private func count(
    _ system: SystemFields, _ references: [(role: Int, recordID: RecordID)],
    _ kept: [(field: SingleOutCounts.KeptField, hash: Int)]
  ) {
    let type = system.recordType.hashValue
    var own = type
    var targets: [(id: Int, role: Int)] = []
    func add(_ role: Int, _ id: Int) {
      own &+= role
      targets.append((id, type &+ role))
    }
    if let parent = system.parent { add(Self.parentRole, parent.recordID.hashValue) }
    if let share = system.share { add(Self.shareRole, share.recordID.hashValue) }
    if let creator = system.created?.userRecordName {
      add(Self.creatorRole, user(named: creator).node)
    }
    for (role, recordID) in references { add(role, recordID.hashValue) }
    counts.add(system.recordID.hashValue, own: own, references: targets, kept: kept)
  }

  // MARK: Rules

  private func type(named name: String) -> TypeState {
    if let lastType, lastType.name.sameScalars(as: name) { return lastType }
    let type = types[ExactString(name)] ?? TypeState(name)
    types[ExactString(name)] = type
    lastType = type
    return type
  }

  /// Returns the rule for a value; nil if the policy has none, which is noted.
  private func rule(
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
      let rule = policy.rule(
        for: field, of: recordType, kind.type, isEncrypted: kind.isEncrypted)
    else { return nil }
    try policy.check(rule, for: field, of: recordType, kind.type, isEncrypted: kind.isEncrypted)
    return rule
  }

  /// Returns what replaces the value in a filter of a subscription; nil without a rule.
  func replace(
    _ value: RecordValue, of field: String, in recordType: String, seed: UInt64
  ) throws -> RecordValue? {
    guard let type = value.type else { return nil }
    let state = self.type(named: recordType).field(FieldName.interned(field))
    guard let rule = try rule(for: type, false, state) else { return nil }
    return replace(value, by: rule, state, seed: seed)
  }

  /// Returns what replaces a value that is in no record.
  func replace(
    _ value: RecordValue, by rule: AnonymisationRule, _ state: FieldState? = nil, seed: UInt64
  ) -> RecordValue? {
    guard let type = value.type else { return nil }
    let state = state ?? FieldState("", FieldName.unshared(""))
    var context = Context(self, owner: ZoneID.currentUserOwnerName, seed: seed)
    return replace(type, by: rule, state, &context) { value }
  }

  // MARK: What stays

  /// Counts a value that stays, and looks for personal data in it.
  private func note(
    _ value: RecordValue, _ state: FieldState,
    _ kept: inout [(field: SingleOutCounts.KeptField, hash: Int)]
  ) {
    let field = state.kept ?? counts.field(state.name.string, of: state.recordType)
    state.kept = field
    kept.append((field, value.hashValue))
    let type = value.type?.single
    var found: PersonalKinds = type == .location ? .place : []
    for element in value.elements ?? [value] {
      switch element {
      case .string(let text):
        found.formUnion(PersonalKinds(in: text))
        personal.keep(text, state.recordType, state.name.string)
      case .int64(let number): found.formUnion(PersonalKinds(in: number))
      case .double(let number): found.formUnion(PersonalKinds(in: number))
      case .bytes(let data): found.formUnion(PersonalKinds(in: data))
      default: break
      }
    }
    state.report.note(found, inNumber: type == .int64 || type == .double)
  }

  /// Looks at the canonical JSON of a replaced record or tombstone.
  func inspect(_ line: UnsafeRawBufferPointer) {
    if EmailAddress.isIn(line) { linesWithEmails += 1 }
  }
}
