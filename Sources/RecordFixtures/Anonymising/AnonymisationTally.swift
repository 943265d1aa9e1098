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
  private var types: [ExactString: TypeState] = [:]
  /// The type of the last field: the next one is often of the same.
  private var lastType: TypeState?
  private var users: [ExactString: AnonymisedUser] = [:]
  var personal = PersonalWords()

  /// The fields of a type.
  private final class TypeState {
    let name: String
    var fields: [ExactString: FieldState] = [:]

    init(_ name: String) { self.name = name }
  }

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
    let type = type(named: recordType)
    if let known = type.fields[ExactString(name)] { return known }
    let made = FieldState(recordType, name)
    type.fields[ExactString(name)] = made
    return made
  }

  private func type(named name: String) -> TypeState {
    if let lastType, lastType.name.sameScalars(as: name) { return lastType }
    let type = types[ExactString(name)] ?? TypeState(name)
    types[ExactString(name)] = type
    lastType = type
    return type
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
    for type in types.values {
      for state in type.fields.values {
        let key = AnonymisationReport.Key(recordType: state.recordType, field: state.name)
        report.fields[key, default: .init()].add(state.report)
      }
    }
  }

  /// The fields that no rule names.
  var unnamed: [AnonymisationError.UnnamedField] {
    types.values.flatMap(\.fields.values).compactMap { state in
      state.unnamed.map {
        .init(recordType: state.recordType, name: state.name, typeName: $0)
      }
    }
  }
}
