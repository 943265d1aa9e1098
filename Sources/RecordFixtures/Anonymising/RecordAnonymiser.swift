import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// The input of a run, beside its source.
struct AnonymiserSettings: Sendable {
  var policy: AnonymisationPolicy
  var pseudonyms: Pseudonyms
  /// The record name of the signed-in user, whose zones have an owner without a name.
  var currentUser: String?
  /// The values that enough persons have, for the rule ``AnonymisationRule/keepIf``.
  var frequent = FrequentValues()
  /// The records that go with their types.
  var dropped = DroppedRecords()

  init(_ policy: AnonymisationPolicy, _ key: AnonymisationKey) {
    self.policy = policy
    pseudonyms = Pseudonyms(key, keeping: policy.keptNames.map { NamePattern($0) })
  }

  /// The name of a user, also of the signed-in one.
  func realName(_ name: String) -> String {
    name == ZoneID.currentUserOwnerName ? currentUser ?? name : name
  }
}

/// Anonymises records on one thread, and counts what happens.
///
/// A value whose rule does not depend on it is not even decoded.
final class RecordAnonymiser {
  let settings: AnonymiserSettings
  /// The new digests of the assets of the source, by their old ones.
  var assets: [String: String] = [:]
  var usedAssets: Set<String> = []
  var personal = PersonalWords()
  @exclusivity(unchecked) private(set) var records = 0
  @exclusivity(unchecked) private(set) var droppedFields = 0
  @exclusivity(unchecked) private(set) var droppedReferences = 0
  /// Whether values or names stay, in which names of the source can be.
  let keepsValues: Bool
  /// Lines of the result with an email address whose domain can exist.
  @exclusivity(unchecked) private(set) var linesWithEmails = 0
  @exclusivity(unchecked) private(set) var types: [ExactString: TypeState] = [:]
  /// The type of the last record: the next one is often of the same.
  @exclusivity(unchecked) private var lastType: TypeState?
  var zones: [ZoneID: Zone] = [:]
  @exclusivity(unchecked) var lastZone: Zone?
  var users: [ExactString: User] = [:]
  @exclusivity(unchecked) var lastUser: User?
  let traces: PersonTraces
  private let presence: Int
  private let dates: Int
  @exclusivity(unchecked) var lastTarget: (name: CompactName, place: Pseudonyms.Place)?
  @exclusivity(unchecked) var batch = PersonTraces.Batch()
  private let json = RecordJSONWriter()
  /// The fields of the current record that have a rule.
  @exclusivity(unchecked) private var current: [CurrentField] = []
  /// The replacements of their values.
  @exclusivity(unchecked) private var made: [RecordValue] = []
  /// The findings in texts outside records, by their places.
  var header: [AnonymisationPolicy.Place: AnonymisationReport.Field] = [:]

  /// The number of zones and users that are remembered: most records name the same.
  static let maxKnown = 4096

  /// A zone and what replaces it.
  struct Zone {
    let old: ZoneID
    let new: ZoneID
    /// The node of the zone in the graph, and its part in the nodes of its records.
    let node: UInt64
    /// The part of the zone in the seeds of its records.
    let seed: UInt64
  }

  /// A user who has made records.
  final class User {
    let name: String
    let pseudonym: String
    let shift: UserShift
    /// The node of the user in the graph.
    let node: UInt64

    init(_ name: String, _ pseudonym: String, _ shift: UserShift, node: UInt64) {
      (self.name, self.pseudonym, self.shift, self.node) = (name, pseudonym, shift, node)
    }
  }

  struct CurrentField {
    let index: Int
    let state: FieldState
    let rule: PolicyRule
    let type: ValueType
  }

  /// - Parameter traces: The traces of all threads.
  init(_ settings: AnonymiserSettings, _ traces: PersonTraces = PersonTraces()) {
    self.settings = settings
    self.traces = traces
    keepsValues = settings.policy.keepsValues
    presence = traces.trace(named: PersonVerdict.presence)
    dates = traces.trace(named: PersonVerdict.dates)
  }

  // MARK: Records

  /// Appends the canonical JSON of what replaces a record.
  ///
  /// - Returns: The identity of what replaces it; nil if the policy drops the type.
  func write(
    _ record: ResultRecord, in database: DatabaseScope, to buffer: ByteBuffer
  ) throws -> RecordID? {
    let storage = record.storage
    let (old, type) = (storage.recordID, type(named: storage.recordType))
    if settings.policy.drops(type.name) {
      type.isMet = true
      return nil
    }
    records += 1
    let place = place(old.packedName, .record)
    let zone = zone(old.zoneID)
    let new = RecordID(packedName: place.name, zoneID: zone.new)
    let (created, modified) = (storage.created, storage.modified)
    try readFields(of: storage, type, in: database)
    var mixed = SeededNumbers(seed: place.seed, stream: zone.seed)
    var context = Context(
      self, owner: created?.userRecordName ?? old.zoneID.ownerName, seed: mixed.next(),
      trace: RecordTrace(node: place.node ^ zone.node, type: type.role))
    let inOrder = current.filter { $0.rule.rule == .dateOrder }
    if !inOrder.isEmpty { context.orderDates(inOrder.map { storage.field(at: $0.index).value }) }
    let start = buffer.count
    buffer.append(UInt8(ascii: "{"))
    let writer = try json.begin(new, type.name, to: buffer)
    if let tag = storage.recordChangeTag {
      writer.write(changeTag: settings.pseudonyms.changeTag(tag, of: old, zone: zone.seed))
    }
    if let created { try writer.write(created: stamp(created, &context)) }
    if let modified {
      let isSame = modified.userRecordName == created?.userRecordName
      try writer.write(modified: stamp(modified, &context, isLater: true, isSameUser: isSame))
    }
    context.noteStamps(created, modified, storage.recordChangeTag)
    if !settings.policy.droppedParts.contains(.references) {
      if let parent = storage.parent, keeps(parent, in: database) {
        try writer.write(parent: reference(parent, Self.parentRole, &context))
      }
      if let share = storage.share, keeps(share, in: database, isShare: true) {
        try writer.write(share: reference(share, Self.shareRole, &context))
      }
    }
    try writeFields(of: storage, type, database, writer, buffer, &context)
    writer.write(try shareMembers(of: record, &context))
    buffer.append(UInt8(ascii: "}"))
    context.trace?.note(database)
    note(context.trace, storage, place, zone)
    inspect(UnsafeRawBufferPointer(rebasing: buffer.bytes[start...]))
    return new
  }

  /// Adds what remains of a record to the traces of its person.
  private func note(
    _ trace: RecordTrace?, _ storage: any RecordStorage, _ place: Pseudonyms.Place, _ zone: Zone
  ) {
    guard let trace else { return }
    let person: UInt64
    if let name = settings.policy.personInField(of: storage, currentUser: settings.currentUser) {
      person = Self.userNode(name)
      batch.link(trace.node, person, Self.personRole)
    } else {
      person = Self.userNode(
        settings.policy.person(of: storage, currentUser: settings.currentUser))
    }
    batch.person(person)
    let name = Self.look(of: storage.recordID.packedName, stays: place.stays)
    batch.look(of: trace.node, kind: trace.kind ^ name, all: trace.all ^ name)
    batch.link(trace.node, zone.node, Self.zoneRole)
    batch.hold(place.node, by: trace.node, Self.nameRole)
    batch.add(presence, of: person, trace.presence)
    if settings.policy.dates != .date { batch.add(dates, of: person, trace.dates) }
    for (part, hash) in trace.parts { batch.add(part, of: person, hash) }
    if batch.isFull { traces.add(&batch) }
  }

  /// Finds the rules of a record's fields.
  private func readFields(
    of storage: any RecordStorage, _ type: TypeState, in database: DatabaseScope
  ) throws {
    current.removeAll(keepingCapacity: true)
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
      guard rule.rule != .drop else {
        state.report.note(isKept: false)
        continue
      }
      if !settings.dropped.isEmpty, valueType.single == .reference {
        let references = storage.field(at: index).value.references
        guard references.filter({ keeps($0, in: database) }).count > 0 else { continue }
      }
      current.append(CurrentField(index: index, state: state, rule: rule, type: valueType))
    }
  }

  private func writeFields(
    of storage: any RecordStorage, _ type: TypeState, _ database: DatabaseScope,
    _ writer: ValueWriter, _ buffer: ByteBuffer, _ context: inout Context
  ) throws {
    made.removeAll(keepingCapacity: true)
    let dropped = settings.dropped
    for field in current {
      let (index, state) = (field.index, field.state)
      context.values = MadeUpValues(seed: context.seed, stream: state.stream)
      let old = { dropped.removed(from: storage.field(at: index).value, in: database) }
      let value = replace(field.type, by: field.rule, state, &context, old)
      context.trace?.note(storage.isEncrypted(at: index))
      note(value, by: field.rule, field.type, state, &context, old)
      if field.rule.rule.keepsValues, field.type != .emptyList { inspect(value, state) }
      made.append(value)
    }
    guard let orders = type.orders else {
      throw AnonymisationError.source("the orders of \(type.name) contradict each other")
    }
    for fields in orders { try putInOrder(fields, of: type) }
    buffer.append(",\"fields\":{")
    for (position, field) in current.enumerated() {
      if position > 0 { buffer.append(UInt8(ascii: ",")) }
      try writer.write(
        Field(
          interned: field.state.name, value: made[position],
          isEncrypted: storage.isEncrypted(at: field.index)))
    }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Exchanges the made-up values of some fields, so that they are in the order of the fields.
  private func putInOrder(_ fields: [String], of type: TypeState) throws {
    let places = fields.compactMap { field in
      current.firstIndex { $0.state.name.string.sameScalars(as: field) }
    }
    guard places.count > 1 else { return }
    let first = current[places[0]]
    for field in places.map({ current[$0] }) where field.type != first.type || field.type.isList {
      throw AnonymisationError.rule(
        recordType: type.name, field: field.state.name.string,
        reason: "fields in an order have one type, and are no lists; "
          + "\(first.state.name.string) is \(first.type.rawValue), this is \(field.type.rawValue)",
        settings.policy.location(of: field.state.name.string, in: type.name))
    }
    let values = places.map { made[$0] }.sorted { one, other in
      switch (one, other) {
      case (.timestamp(let a), .timestamp(let b)): a < b
      case (.int64(let a), .int64(let b)): a < b
      case (.double(let a), .double(let b)): a < b
      case (.string(let a), .string(let b)):
        (Double(a) ?? 0, a) < (Double(b) ?? 0, b)
      default: false
      }
    }
    for (place, value) in zip(places, values) { made[place] = value }
  }

  private func stamp(
    _ stamp: RecordStamp, _ context: inout Context, isLater: Bool = false, isSameUser: Bool = false
  ) throws -> RecordStamp {
    if settings.policy.dates == .keep, stamp.date != nil {
      header[.dates, default: .init()].note([.date])
    }
    return RecordStamp(
      date: stamp.date.map { context.systemDate($0, isLater: isLater) },
      userRecordName: stamp.userRecordName.map {
        let user = user(named: $0)
        if !isSameUser {
          refer(to: user.node, isLater ? Self.modifierRole : Self.creatorRole, context)
        }
        return user.pseudonym
      },
      deviceID: stamp.deviceID.map {
        refer(to: Self.node("device", $0), Self.modifierRole, context)
        return name($0, .other)
      })
  }

  /// Returns what replaces a deletion; nil if the policy drops it.
  func tombstone(_ tombstone: DeletedRecord, in database: DatabaseScope) throws -> DeletedRecord? {
    let policy = settings.policy
    if policy.droppedParts.contains(.deletions) { return nil }
    if let type = tombstone.recordType, policy.drops(type) { return nil }
    let old = tombstone.recordID
    let (place, zone) = (place(old.packedName, .record), zone(old.zoneID))
    let context = Context(self, owner: old.zoneID.ownerName, seed: place.seed)
    if policy.dates == .keep, tombstone.deletionDate != nil {
      header[.dates, default: .init()].note([.date])
    }
    let new = DeletedRecord(
      recordID: RecordID(packedName: place.name, zoneID: zone.new),
      recordType: tombstone.recordType,
      recordChangeTag: tombstone.recordChangeTag.map {
        settings.pseudonyms.changeTag($0, of: old, zone: zone.seed)
      },
      deletionDate: tombstone.deletionDate.map { context.systemDate($0) })
    let node = place.node ^ zone.node
    let date = policy.dates == .date ? nil : tombstone.deletionDate
    let json = try new.jsonValue()
    json.compactData.withUnsafeBytes(inspect)
    look(of: node, try tombstone.jsonValue(), json, and: [database.hashValue, date.hashValue])
    batch.hold(place.node, by: node, Self.nameRole)
    batch.link(node, zone.node, Self.zoneRole)
    if batch.isFull { traces.add(&batch) }
    return new
  }

  /// Whether the record stays that a reference of a record or zone is to; counts the reference if not.
  func keeps(_ reference: Reference, in database: DatabaseScope, isShare: Bool = false) -> Bool {
    let isDropped =
      isShare && settings.policy.drops(Share.recordType)
      || settings.dropped.contains(reference, in: database)
    if isDropped { droppedReferences += 1 }
    return !isDropped
  }

  // MARK: Types

  private func type(named name: String) -> TypeState {
    if let lastType, lastType.name.sameScalars(as: name) { return lastType }
    let type = types[ExactString(name)] ?? TypeState(name, settings.policy)
    types[ExactString(name)] = type
    lastType = type
    return type
  }

  // MARK: Values outside records

  /// Returns what replaces the value in a filter of a subscription; nil without a rule.
  func replace(
    _ value: RecordValue, of field: String, in recordType: String, _ context: inout Context
  ) throws -> RecordValue? {
    guard let type = value.type else { return nil }
    let state = self.type(named: recordType).field(FieldName.interned(field))
    guard let rule = try rule(for: type, false, state) else { return nil }
    if rule.rule.keepsValues { inspect(value, state) }
    guard rule.rule != .drop else {
      state.report.note(isKept: false)
      return nil
    }
    return replace(value, by: rule, state, &context)
  }

  /// Returns what replaces a value that is in no record.
  func replace(
    _ value: RecordValue, by rule: PolicyRule, _ state: FieldState? = nil, _ context: inout Context
  ) -> RecordValue? {
    guard let type = value.type else { return nil }
    let state = state ?? FieldState("", FieldName.unshared(""))
    let new = replace(type, by: rule, state, &context) { value }
    note(new, by: rule, type, state, &context) { value }
    return new
  }

  // MARK: Results

  /// Looks for email addresses in the canonical JSON of a replaced record or tombstone.
  func inspect(_ line: UnsafeRawBufferPointer) {
    if EmailAddress.isIn(line) { linesWithEmails += 1 }
  }
}
