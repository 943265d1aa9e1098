import RecordCoding
import RecordModel
import RecordPlatform

/// Replaces the parts of canonical records as bytes, with the same results as those of decoded
/// records.
final class TallyRewriting: RecordReplacement {
  private unowned let tally: AnonymisationTally
  private let anonymiser: Anonymiser
  private lazy var rewriter = RecordRewriter(self)
  private let names = NameCache()
  private let uuids: UUIDCache
  private var assets: ReplacedAssets = [:]
  @exclusivity(unchecked) private var user: AnonymisedUser
  /// The last users, by the hashes of their names.
  @exclusivity(unchecked) private var users: [KnownUser]
  private var plan = Plan()
  private var plans: [ObjectIdentifier: Plan] = [:]

  /// How the fields of records of a type and a shape are replaced.
  private struct Plan {
    /// Retained, so that no other shape can have the same identity.
    var shape: RecordShape?
    var recordType = ""
    var states: [AnonymisationTally.FieldState] = []
    var rules: [AnonymisationRule?] = []
    var treatments: [FieldTreatment] = []
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

  func rewrite(
    _ line: UnsafeRawBufferPointer, _ reader: RecordJSONReader, _ assets: ReplacedAssets,
    to buffer: ByteBuffer
  ) throws -> RewrittenRecord? {
    self.assets = assets
    let record = try reader.rewrite(line, by: rewriter, to: buffer)
    if record != nil { tally.records += 1 }
    return record
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
    if !anonymiser.identifiers.keepsNames, let packed = PackedName(uuid: name),
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
    if let known = plans[ObjectIdentifier(shape)], known.recordType.sameScalars(as: recordType) {
      plan = known
      return known.treatments
    }
    var made = Plan(shape: shape, recordType: recordType)
    for entry in shape.entries {
      let state = tally.state(of: entry.name.string, in: recordType)
      let rule = try entry.type.flatMap { try tally.rule(for: $0, entry.isEncrypted, state) }
      made.states.append(state)
      made.rules.append(rule)
      made.treatments.append(Self.treatment(rule, entry.type))
    }
    if plans.count >= 4096 { plans.removeAll() }
    plans[ObjectIdentifier(shape)] = made
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

  func note(_ index: Int) {
    if plan.rules[index] == .keep {
      plan.states[index].report.kept += 1
    } else {
      plan.states[index].report.replaced += 1
    }
  }

  func replace(_ field: Field, at index: Int) throws -> RecordValue? {
    try tally.replace(field, plan.states[index], user, assets)
  }
}
