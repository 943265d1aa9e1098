import RecordCoding
import RecordModel
import RecordPlatform

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
