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
  var usedAssets: Set<String> = []
  var personal = PersonalWords()
  @exclusivity(unchecked) private(set) var records = 0
  @exclusivity(unchecked) private(set) var droppedFields = 0
  /// Lines of the result with an email address whose domain can exist.
  @exclusivity(unchecked) private(set) var linesWithEmails = 0
  @exclusivity(unchecked) private(set) var types: [ExactString: TypeState] = [:]
  /// The type of the last record: the next one is often of the same.
  @exclusivity(unchecked) private var lastType: TypeState?
  private var zones: [ZoneID: Zone] = [:]
  @exclusivity(unchecked) private var lastZone: Zone?
  private var users: [ExactString: User] = [:]
  @exclusivity(unchecked) private var lastUser: User?
  private let counts: SingleOutCounts
  @exclusivity(unchecked) private var lastTarget: (name: CompactName, place: Pseudonyms.Place)?
  @exclusivity(unchecked) private var batch = SingleOutCounts.Batch()
  private let json = RecordJSONWriter()
  /// The fields of the current record that have a rule.
  @exclusivity(unchecked) private var current: [CurrentField] = []
  /// The findings in texts outside records, by their places.
  private(set) var header: [String: AnonymisationReport.Field] = [:]

  /// The number of zones and users that are remembered: most records name the same.
  private static let maxKnown = 4096

  /// A zone and what replaces it.
  private struct Zone {
    let old: ZoneID
    let new: ZoneID
    /// The part that the zone has in the numbers of its records among the shapes of references.
    let node: UInt64
  }

  /// A user who has made records.
  private final class User {
    let name: String
    let pseudonym: String
    let shift: UserShift
    /// The number of the user among the shapes of references.
    let node: UInt64

    init(_ name: String, _ pseudonym: String, _ shift: UserShift, node: UInt64) {
      (self.name, self.pseudonym, self.shift, self.node) = (name, pseudonym, shift, node)
    }
  }

  private struct CurrentField {
    let index: Int
    let state: FieldState
    let rule: AnonymisationRule
    let type: ValueType
  }

  /// - Parameter counts: Counts of all threads.
  init(_ settings: AnonymiserSettings, _ counts: SingleOutCounts = SingleOutCounts()) {
    self.settings = settings
    self.counts = counts
  }

  // MARK: Records

  /// Appends the canonical JSON of what replaces a record.
  ///
  /// - Returns: The identity of what replaces it.
  func write(_ record: ResultRecord, to buffer: ByteBuffer) throws -> RecordID {
    records += 1
    let storage = record.storage
    let (old, type) = (storage.recordID, type(named: storage.recordType))
    let place = place(old.packedName, .record)
    let zone = zone(old.zoneID)
    let new = RecordID(packedName: place.name, zoneID: zone.new)
    let (created, modified) = (storage.created, storage.modified)
    try readFields(of: storage, type)
    var context = Context(
      self, owner: created?.userRecordName ?? old.zoneID.ownerName, seed: place.seed,
      type: type.role)
    let inOrder = current.filter { $0.rule == .dateOrder }
    if !inOrder.isEmpty { context.orderDates(inOrder.map { storage.field(at: $0.index).value }) }
    let start = buffer.count
    buffer.append(UInt8(ascii: "{"))
    let writer = try json.begin(new, type.name, to: buffer)
    if let tag = storage.recordChangeTag {
      writer.write(changeTag: settings.pseudonyms.changeTag(tag, of: old))
    }
    if let created { try writer.write(created: stamp(created, &context)) }
    if let modified { try writer.write(modified: stamp(modified, &context, isLater: true)) }
    if let parent = storage.parent {
      try writer.write(parent: reference(parent, Self.parentRole, &context))
    }
    if let share = storage.share {
      try writer.write(share: reference(share, Self.shareRole, &context))
    }
    try writeFields(of: storage, writer, buffer, &context)
    writer.write(try shareMembers(of: record, seed: place.seed))
    buffer.append(UInt8(ascii: "}"))
    batch.add(place.node ^ zone.node, own: context.own)
    if batch.isFull { counts.add(&batch) }
    inspect(UnsafeRawBufferPointer(rebasing: buffer.bytes[start...]))
    return new
  }

  /// Finds the rules of a record's fields.
  private func readFields(of storage: any RecordStorage, _ type: TypeState) throws {
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
      current.append(CurrentField(index: index, state: state, rule: rule, type: valueType))
    }
  }

  private func writeFields(
    of storage: any RecordStorage, _ writer: ValueWriter, _ buffer: ByteBuffer,
    _ context: inout Context
  ) throws {
    var kept: [(field: SingleOutCounts.KeptField, hash: Int)] = []
    buffer.append(",\"fields\":{")
    for (position, field) in current.enumerated() {
      let (index, state) = (field.index, field.state)
      context.values = MadeUpValues(seed: context.seed, stream: state.stream)
      let value = replace(field.type, by: field.rule, state, &context) {
        storage.field(at: index).value
      }
      if field.rule == .keep, field.type != .emptyList {
        kept.append((state.keptField(in: counts), value.hashValue))
        inspect(value, state)
      }
      if position > 0 { buffer.append(UInt8(ascii: ",")) }
      try writer.write(
        Field(interned: state.name, value: value, isEncrypted: storage.isEncrypted(at: index)))
    }
    buffer.append(UInt8(ascii: "}"))
    batch.add(kept)
  }

  private func stamp(
    _ stamp: RecordStamp, _ context: inout Context, isLater: Bool = false
  ) -> RecordStamp {
    RecordStamp(
      date: stamp.date.map { context.systemDate($0, isLater: isLater) },
      userRecordName: stamp.userRecordName.map {
        let user = user(named: $0)
        if !isLater { refer(to: user.node, Self.creatorRole, &context) }
        return user.pseudonym
      },
      deviceID: stamp.deviceID.map { name($0, .other) })
  }

  /// Returns what replaces a deletion.
  func anonymise(_ tombstone: DeletedRecord) -> DeletedRecord {
    let old = tombstone.recordID
    let place = place(old.packedName, .record)
    let context = Context(self, owner: old.zoneID.ownerName, seed: place.seed)
    return DeletedRecord(
      recordID: RecordID(packedName: place.name, zoneID: zoneID(old.zoneID)),
      recordType: tombstone.recordType,
      recordChangeTag: tombstone.recordChangeTag.map { settings.pseudonyms.changeTag($0, of: old) },
      deletionDate: tombstone.deletionDate.map { context.systemDate($0) })
  }

  // MARK: Names

  func name(_ name: String, _ kind: Pseudonyms.Kind) -> String {
    place(CompactName(name), kind).name.string
  }

  private func place(_ name: CompactName, _ kind: Pseudonyms.Kind) -> Pseudonyms.Place {
    let place = settings.pseudonyms.place(name, kind)
    if place.isKept { inspect("kept names", name.string) }
    return place
  }

  /// The place of the record that a reference is to: the next one is often to the same.
  private func place(ofTarget name: CompactName) -> Pseudonyms.Place {
    if let lastTarget, lastTarget.name == name { return lastTarget.place }
    let place = place(name, .record)
    lastTarget = (name, place)
    return place
  }

  /// Looks for personal data in a text of the container, outside records, that stays.
  func inspect(_ place: String, _ text: String) {
    header[place, default: .init()].note(PersonalKinds(in: text))
    personal.keep(text, "", place)
  }

  func zoneID(_ zoneID: ZoneID) -> ZoneID { zone(zoneID).new }

  private func zone(_ zoneID: ZoneID) -> Zone {
    if let lastZone, lastZone.old.isIdentical(to: zoneID) || lastZone.old == zoneID {
      return lastZone
    }
    let zone = zones[zoneID] ?? newZone(zoneID)
    lastZone = zone
    return zone
  }

  private func newZone(_ zoneID: ZoneID) -> Zone {
    let new = ZoneID(
      zoneName: name(zoneID.zoneName, .zone), ownerName: name(zoneID.ownerName, .owner))
    let zone = Zone(
      old: zoneID, new: new.shared(), node: UInt64(truncatingIfNeeded: zoneID.hashValue))
    if zones.count >= Self.maxKnown { zones.removeAll() }
    zones[zoneID] = zone
    return zone
  }

  /// Returns a reference that is in no record.
  func reference(_ reference: Reference) -> Reference {
    Reference(
      recordID: RecordID(
        packedName: place(reference.recordID.packedName, .record).name,
        zoneID: zoneID(reference.recordID.zoneID)), action: reference.action)
  }

  /// The pseudonym of a user, how the dates and places of the user move, and the node among references.
  private func user(named name: String) -> User {
    if let lastUser, lastUser.name.sameScalars(as: name) { return lastUser }
    let user = users[ExactString(name)] ?? newUser(name)
    lastUser = user
    return user
  }

  private func newUser(_ name: String) -> User {
    let real = name == ZoneID.currentUserOwnerName ? settings.currentUser ?? name : name
    let shift = UserShift(
      seed: settings.pseudonyms.seed("shift", of: real),
      placeSeed: settings.pseudonyms.seed("move", of: real))
    let user = User(
      name, self.name(name, .user), shift,
      node: UInt64(truncatingIfNeeded: ["user", real].hashValue))
    if users.count >= Self.maxKnown { users.removeAll() }
    users[ExactString(name)] = user
    batch.add(user.node, own: Self.userRole)
    return user
  }

  /// How the dates and places of a user move.
  func shift(ofUser name: String) -> UserShift { user(named: name).shift }

  // MARK: References

  private static let userRole = "user".hashValue
  private static let creatorRole = "creator".hashValue
  private static let parentRole = "parent".hashValue
  private static let shareRole = "share".hashValue

  /// Returns what replaces a reference of a record.
  ///
  /// - Parameter role: The place of the reference in the record, as a hash.
  func reference(_ reference: Reference, _ role: Int, _ context: inout Context) -> Reference {
    let place = place(ofTarget: reference.recordID.packedName)
    let zone = zone(reference.recordID.zoneID)
    refer(to: place.node ^ zone.node, role, &context)
    return Reference(
      recordID: RecordID(packedName: place.name, zoneID: zone.new), action: reference.action)
  }

  /// Counts a reference of the current record.
  private func refer(to node: UInt64, _ role: Int, _ context: inout Context) {
    guard let type = context.type else { return }
    context.own &+= role
    batch.add(node, role: type &+ role)
  }

  /// Adds the counts of this thread that are still missing to the counts of all threads.
  func finishCounts() { counts.add(&batch) }

  // MARK: Types

  private func type(named name: String) -> TypeState {
    if let lastType, lastType.name.sameScalars(as: name) { return lastType }
    let type = types[ExactString(name)] ?? TypeState(name)
    types[ExactString(name)] = type
    lastType = type
    return type
  }

  // MARK: Values outside records

  /// Returns what replaces the value in a filter of a subscription; nil without a rule.
  func replace(
    _ value: RecordValue, of field: String, in recordType: String, seed: UInt64
  ) throws -> RecordValue? {
    guard let type = value.type else { return nil }
    let state = self.type(named: recordType).field(FieldName.interned(field))
    guard let rule = try rule(for: type, false, state) else { return nil }
    if rule == .keep { inspect(value, state) }
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

  // MARK: Results

  /// Looks for email addresses in the canonical JSON of a replaced record or tombstone.
  func inspect(_ line: UnsafeRawBufferPointer) {
    if EmailAddress.isIn(line) { linesWithEmails += 1 }
  }
}
