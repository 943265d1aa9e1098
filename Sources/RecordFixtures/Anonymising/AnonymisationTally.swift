import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// Anonymises records on one thread, and counts what happens.
final class AnonymisationTally {
  let anonymiser: Anonymiser
  let zones: Anonymiser.ZoneNames
  /// Members that this version does not know, which are left out.
  var droppedMembers = 0
  private(set) var droppedFields = 0
  /// Lines of the result with an email address whose domain can exist.
  var linesWithEmails = 0
  var records = 0
  /// The new digests of the assets of the source, by their old ones.
  var assets: ReplacedAssets = [:]
  private var fields: [ExactString: [ExactString: FieldState]] = [:]
  private var lastType: (name: String, fields: [ExactString: FieldState])?
  private var users: [ExactString: AnonymisedUser] = [:]
  var personal = PersonalWords()

  /// A field of a type.
  final class FieldState {
    let recordType: String
    let name: String
    /// The rule for each type of value that was met.
    var rules: [Kind: AnonymisationRule] = [:]
    var unnamed: String?
    var report = AnonymisationReport.Field()

    struct Kind: Hashable {
      var type: ValueType
      var isEncrypted: Bool
    }

    init(_ recordType: String, _ name: String) {
      self.recordType = recordType
      self.name = name
    }
  }

  init(_ anonymiser: Anonymiser) {
    self.anonymiser = anonymiser
    zones = Anonymiser.ZoneNames(anonymiser)
  }

  // MARK: Records

  /// Returns what replaces a record.
  func anonymise(_ record: ResultRecord) throws -> ResultRecord {
    records += 1
    let system = record.systemFields
    let user = user(of: system)
    var fields: [Field] = []
    fields.reserveCapacity(record.fields.count)
    for field in record.fields {
      droppedMembers += field.otherMembers.count
      guard let value = try replace(field, of: record.recordType, user) else { continue }
      fields.append(Field(interned: field.interned, value: value, isEncrypted: field.isEncrypted))
    }
    return ResultRecord(
      storage: ValueStorage(systemFields: try systemFields(system, user), sorted: fields))
  }

  private func user(of record: SystemFields) -> AnonymisedUser {
    user(named: record.created?.userRecordName ?? record.recordID.zoneID.ownerName)
  }

  /// The user whose dates those of a record move with: its creator, or the owner of its zone.
  func user(named name: String) -> AnonymisedUser {
    let key = ExactString(name)
    if let known = users[key] { return known }
    let user = anonymiser.user(named: name)
    if users.count >= 4096 { users.removeAll() }
    users[key] = user
    return user
  }

  private func systemFields(_ system: SystemFields, _ user: AnonymisedUser) throws -> SystemFields {
    var members: OtherMembers = []
    if system.recordType == Share.recordType {
      members = try anonymiser.shareMembers(of: system)
      if let share = try ResultRecord(systemFields: system, fields: []).readShareInfo() {
        personal.learn(share)
        droppedMembers += Anonymiser.droppedMembers(of: share)
      }
    }
    // The members of a share are replaced, all others left out.
    droppedMembers += max(0, system.otherMembers.count - members.count)
    droppedMembers +=
      (system.parent?.otherMembers.count ?? 0) + (system.share?.otherMembers.count ?? 0)
    return SystemFields(
      recordID: anonymiser.recordID(system.recordID, in: zones), recordType: system.recordType,
      recordChangeTag: system.recordChangeTag, created: stamp(system.created, user),
      modified: stamp(system.modified, user),
      parent: system.parent.map { anonymiser.reference($0, in: zones) },
      share: system.share.map { anonymiser.reference($0, in: zones) }, otherMembers: members)
  }

  private func stamp(_ stamp: RecordStamp?, _ user: AnonymisedUser) -> RecordStamp? {
    guard let stamp else { return nil }
    droppedMembers += stamp.otherMembers.count
    return RecordStamp(
      date: stamp.date.map { anonymiser.policy.keepsDates ? $0 : user.shift($0) },
      userRecordName: stamp.userRecordName.map(anonymiser.name),
      deviceID: stamp.deviceID.map(anonymiser.name))
  }

  // MARK: Fields

  /// Returns what replaces the value of a field; nil if it is left out.
  func replace(
    _ field: Field, of recordType: String, _ user: AnonymisedUser
  ) throws -> RecordValue? {
    try replace(field, state(of: field.name, in: recordType), user)
  }

  /// Returns what replaces the value of a field; nil if it is left out.
  func replace(
    _ field: Field, _ state: FieldState, _ user: AnonymisedUser
  ) throws -> RecordValue? {
    guard let type = field.value.type else {
      droppedFields += 1
      return nil
    }
    // Without a rule, the run fails in the end; until then, nothing of the value is written.
    guard let rule = try rule(for: type, field.isEncrypted, state) else { return nil }
    var context = Anonymiser.Context(user: user, zones: zones, assets: assets)
    let value = anonymiser.replace(field.value, by: rule, &context)
    state.report.misfits += context.misfits
    droppedMembers += context.droppedMembers
    switch rule {
    case .keep:
      state.report.kept += 1
      inspect(field.value, state)
    case .name, .email, .phone:
      state.report.replaced += 1
      learn(field.value, rule)
    default: state.report.replaced += 1
    }
    return value
  }

  func state(of name: String, in recordType: String) -> FieldState {
    if lastType?.name.sameScalars(as: recordType) != true {
      lastType = (recordType, fields[ExactString(recordType)] ?? [:])
    }
    if let known = lastType?.fields[ExactString(name)] { return known }
    let made = FieldState(recordType, name)
    fields[ExactString(recordType), default: [:]][ExactString(name)] = made
    lastType = (recordType, fields[ExactString(recordType)] ?? [:])
    return made
  }

  /// Returns the rule for a value; nil if the policy has none, which is noted.
  func rule(
    for type: ValueType, _ isEncrypted: Bool, _ state: FieldState
  ) throws -> AnonymisationRule? {
    let kind = FieldState.Kind(type: type, isEncrypted: isEncrypted)
    if let known = state.rules[kind] { return known }
    let policy = anonymiser.policy
    // An empty list has no type, and no content; references always get pseudonyms.
    if type == .emptyList { return .keep }
    if type == .reference || type == .referenceList {
      state.rules[kind] = .identifier
      state.report.rules.insert(.identifier)
      return .identifier
    }
    guard
      let rule = policy.rule(
        for: state.name, of: state.recordType, type, isEncrypted: isEncrypted)
    else {
      state.unnamed = type.rawValue
      return nil
    }
    try policy.check(
      rule, for: state.name, of: state.recordType, type, isEncrypted: isEncrypted)
    state.rules[kind] = rule
    state.report.rules.insert(rule)
    return rule
  }

  // MARK: What looks personal

  private func learn(_ value: RecordValue, _ rule: AnonymisationRule) {
    switch value {
    case .string(let text): personal.learn(text, rule)
    case .stringList(let list): for text in list { personal.learn(text, rule) }
    default: break
    }
  }

  /// Looks for addresses, phone numbers and words in a text that stays.
  private func inspect(_ value: RecordValue, _ state: FieldState) {
    switch value {
    case .string(let text): inspect(text, state)
    case .stringList(let list): for text in list { inspect(text, state) }
    default: break
    }
  }

  private func inspect(_ text: String, _ state: FieldState) {
    if !EmailAddress.all(in: text).isEmpty { state.report.emails += 1 }
    if PhoneNumber.isIn(text) { state.report.phones += 1 }
    personal.keep(text, state.recordType, state.name)
  }

  /// Adds what was counted to a report.
  func add(to report: inout AnonymisationReport) {
    report.records += records
    report.droppedMembers += droppedMembers
    report.droppedFields += droppedFields
    report.linesWithEmails += linesWithEmails
    for fields in fields.values {
      for state in fields.values {
        let key = AnonymisationReport.Key(recordType: state.recordType, field: state.name)
        report.fields[key, default: .init()].add(state.report)
      }
    }
  }

  /// The fields that no rule names.
  var unnamed: [AnonymisationError.UnnamedField] {
    fields.values.flatMap(\.values).compactMap { state in
      state.unnamed.map {
        .init(recordType: state.recordType, name: state.name, typeName: $0)
      }
    }
  }
}

/// Replaces the parts of canonical records as bytes, with the same results as those of decoded
/// records.
final class TallyRewriting: RecordReplacement {
  private let tally: AnonymisationTally
  private let anonymiser: Anonymiser
  private let names = NameCache()
  private let uuids: UUIDCache
  @exclusivity(unchecked) private var user: AnonymisedUser
  /// The last users, by the hashes of their names.
  @exclusivity(unchecked) private var users: [KnownUser]
  @exclusivity(unchecked) private var plan = Plan(nil, "")
  /// Record types with the same fields share a shape.
  @exclusivity(unchecked) private var plans: [ObjectIdentifier: [Plan]] = [:]
  private var planCount = 0

  /// How the fields of records of a type and a shape are replaced.
  private final class Plan {
    /// Retained, so that no other shape can have the same identity.
    let shape: RecordShape?
    let recordType: String
    var states: [AnonymisationTally.FieldState] = []
    var rules: [AnonymisationRule?] = []
    var treatments: [FieldTreatment] = []
    /// How many values of each field stayed, or were replaced as bytes, since they were added up.
    @exclusivity(unchecked) var counts: [Int] = []

    init(_ shape: RecordShape?, _ recordType: String) {
      (self.shape, self.recordType) = (shape, recordType)
    }

    /// Adds what was counted to the states.
    func addUp() {
      for (index, count) in counts.enumerated() {
        if rules[index] == .keep {
          states[index].report.kept += count
        } else {
          states[index].report.replaced += count
        }
        counts[index] = 0
      }
    }
  }

  private struct KnownUser {
    var name: [UInt8] = []
    var user: AnonymisedUser
  }

  init(_ tally: AnonymisationTally) {
    self.tally = tally
    anonymiser = tally.anonymiser
    uuids = UUIDCache(anonymiser.identifiers)
    user = anonymiser.user(named: "")
    users = Array(repeating: KnownUser(user: user), count: 256)
  }

  /// Adds what was counted to the tally.
  func addUp() {
    for plan in plans.values.joined() { plan.addUp() }
  }

  // MARK: Names

  func begin(createdBy creator: UnsafeRawBufferPointer?, in zoneID: ZoneID) {
    guard let creator, creator.count > 0 else {
      user = tally.user(named: creator == nil ? zoneID.ownerName : "")
      return
    }
    let place = Int(XXH64.hash(creator) & 255)
    let isKnown = users[place].name.withUnsafeBytes {
      $0.count == creator.count && compareBytes($0, creator) == 0
    }
    if !isKnown {
      let name = String(decoding: creator, as: UTF8.self)
      users[place] = KnownUser(name: Array(creator), user: tally.user(named: name))
    }
    user = users[place].user
  }

  func zoneID(_ zoneID: ZoneID) -> ZoneID { tally.zones.pseudonym(of: zoneID) }

  func appendName(_ name: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Bool {
    if !anonymiser.identifiers.keepsNames, let packed = CompactName(uuid: name),
      let uuid = uuids.pseudonym(of: packed)
    {
      buffer.append(uuid)
      return true
    }
    names.append(name, to: buffer) { anonymiser.name($0) }
    return true
  }

  func appendText(_ text: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Bool {
    anonymiser.texts.appendText(text, to: buffer)
    return true
  }

  // MARK: Dates

  /// Those whose milliseconds a `Date` has exactly.
  private func isExact(_ milliseconds: Int64) -> Bool {
    (milliseconds - 978_307_200_000).magnitude < AnonymisedUser.exactMilliseconds
  }

  func stamp(_ milliseconds: Int64) -> Int64? {
    anonymiser.policy.keepsDates ? milliseconds : date(milliseconds)
  }

  func date(_ milliseconds: Int64) -> Int64? {
    isExact(milliseconds) ? milliseconds + user.milliseconds : nil
  }

  // MARK: Fields

  func treatments(of shape: RecordShape, in recordType: String) throws -> [FieldTreatment] {
    if let known = plans[ObjectIdentifier(shape)]?.first(where: {
      $0.recordType.sameScalars(as: recordType)
    }) {
      plan = known
      return known.treatments
    }
    let made = Plan(shape, recordType)
    for entry in shape.entries {
      let state = tally.state(of: entry.name.string, in: recordType)
      let rule = try entry.type.flatMap { try tally.rule(for: $0, entry.isEncrypted, state) }
      made.states.append(state)
      made.rules.append(rule)
      made.treatments.append(Self.treatment(rule, entry.type))
    }
    made.counts = made.rules.map { _ in 0 }
    if planCount >= 4096 {
      addUp()
      plans.removeAll()
      planCount = 0
    }
    planCount += 1
    plans[ObjectIdentifier(shape), default: []].append(made)
    plan = made
    return made.treatments
  }

  private static func treatment(_ rule: AnonymisationRule?, _ type: ValueType?) -> FieldTreatment {
    switch (rule, type) {
    // Texts that stay are searched for what looks personal.
    case (.keep, .string), (.keep, .stringList): .decode
    // Locations can have members that this version does not know.
    case (.keep, .location), (.keep, .locationList): .decode
    case (.keep, _): .copy
    case (.text, _): .text
    case (.identifier, _): .name
    case (.shift, _): .date
    default: .decode
    }
  }

  func note(_ index: Int) { plan.counts[index] += 1 }

  func replace(_ field: Field, at index: Int) throws -> RecordValue? {
    try tally.replace(field, plan.states[index], user)
  }
}
