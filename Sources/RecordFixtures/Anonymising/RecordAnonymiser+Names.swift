import Foundation
import RecordCoding
import RecordModel

/// The names of records, zones and users, and the references between them.
extension RecordAnonymiser {
  func name(_ name: String, _ kind: Pseudonyms.Kind) -> String {
    place(CompactName(name), kind).name.string
  }

  func place(_ name: CompactName, _ kind: Pseudonyms.Kind) -> Pseudonyms.Place {
    let place = settings.pseudonyms.place(name, kind)
    if place.isKept {
      inspect(.names, name.string)
    } else if keepsValues, !place.stays {
      personal.learn(name: name.string)
    }
    return place
  }

  /// The part of a name that can be seen in the result, as a hash.
  static func look(of name: CompactName, stays: Bool) -> UInt64 {
    if stays { return node("name", name.string) }
    if case .user = name { return 1 }
    return 0
  }

  /// The place of the record that a reference is to: the next one is often to the same.
  func place(ofTarget name: CompactName) -> Pseudonyms.Place {
    if let lastTarget, lastTarget.name == name { return lastTarget.place }
    let place = place(name, .record)
    lastTarget = (name, place)
    return place
  }

  /// Looks for personal data in a text of the container, outside records, that stays.
  func inspect(_ place: AnonymisationPolicy.Place, _ text: String) {
    header[place, default: .init()].note(PersonalKind.all(in: text))
    personal.keep(text, .init(recordType: "", field: place.rawValue))
  }

  func zoneID(_ zoneID: ZoneID) -> ZoneID { zone(zoneID).new }

  func zone(_ zoneID: ZoneID) -> Zone {
    if let lastZone, lastZone.old.isIdentical(to: zoneID) || lastZone.old == zoneID {
      return lastZone
    }
    let zone = zones[zoneID] ?? newZone(zoneID)
    lastZone = zone
    return zone
  }

  func newZone(_ zoneID: ZoneID) -> Zone {
    let (place, owner) = (
      place(CompactName(zoneID.zoneName), .zone), settings.realName(zoneID.ownerName)
    )
    let new = ZoneID(zoneName: place.name.string, ownerName: name(zoneID.ownerName, .owner))
    let zone = Zone(
      old: zoneID, new: new.shared(), node: Self.node(zoneID.zoneName, owner),
      seed: settings.pseudonyms.seed("zone", of: "\(zoneID.zoneName)\0\(owner)"))
    let look = Self.look(of: CompactName(zoneID.zoneName), stays: place.stays)
    batch.look(of: zone.node, kind: look, all: look)
    batch.link(zone.node, user(named: zoneID.ownerName).node, Self.ownerRole, isShared: true)
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
  func user(named name: String) -> User {
    if let lastUser, lastUser.name.sameScalars(as: name) { return lastUser }
    let user = users[ExactString(name)] ?? newUser(name)
    lastUser = user
    return user
  }

  func newUser(_ name: String) -> User {
    let real = settings.realName(name)
    let shift = UserShift(
      seed: settings.pseudonyms.seed("shift", of: real),
      placeSeed: settings.pseudonyms.seed("move", of: real))
    let place = place(CompactName(name), .user)
    let user = User(name, place.name.string, shift, node: Self.userNode(real))
    let named = settings.pseudonyms.place(CompactName(real), .record)
    batch.link(user.node, named.node, Self.nameRole, isShared: true)
    if users.count >= Self.maxKnown { users.removeAll() }
    users[ExactString(name)] = user
    let look = Self.look(of: CompactName(real), stays: place.stays) | 2
    batch.look(of: user.node, kind: look, all: look)
    return user
  }

  // MARK: References

  static let creatorRole = node("role", "creator")
  static let modifierRole = node("role", "modifier")
  static let personRole = node("role", "person")
  static let ownerRole = node("role", "owner")
  static let zoneRole = node("role", "zone")
  static let nameRole = node("role", "name")
  static let parentRole = node("role", "parent")
  static let shareRole = node("role", "share")
  static let participantRole = node("role", "participant")

  /// A node or role of the graph, by a hash of what it stands for.
  static func node(_ kind: String, _ name: some Hashable) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(kind)
    hasher.combine(name)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  /// A node by the Unicode scalars of texts: others that only look the same are other nodes.
  static func node(_ kind: String, _ name: some Hashable & ScalarEquatable) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(kind)
    name.hashScalars(into: &hasher)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  /// The node of a person.
  static func userNode(_ name: String) -> UInt64 { node("user", name) }

  /// Returns what replaces a reference of a record.
  ///
  /// - Parameter role: The place of the reference in the record.
  func reference(_ reference: Reference, _ role: UInt64, _ context: inout Context) -> Reference {
    let place = place(ofTarget: reference.recordID.packedName)
    let zone = zone(reference.recordID.zoneID)
    let action = UInt64(reference.action.hashValue.magnitude)
    refer(to: place.node ^ zone.node, role ^ PersonGraph.mix(action), context)
    return Reference(
      recordID: RecordID(packedName: place.name, zoneID: zone.new), action: reference.action)
  }

  /// Links the current record to another node.
  func refer(to node: UInt64, _ role: UInt64, _ context: Context, isShared: Bool = false) {
    guard let trace = context.trace else { return }
    batch.link(trace.node, node, role, isShared: isShared)
  }

  /// Notes what remains of something outside records: its members, and what is equal before and after.
  ///
  /// - Parameter more: another thing that remains.
  func look(
    of node: UInt64, _ before: JSONValue, _ after: JSONValue, and more: some Hashable = 0
  ) {
    let look = Self.node("line", [Self.look(before, after), more.hashValue])
    batch.look(of: node, kind: look, all: look)
  }

  /// The members of a JSON value, and the parts that are equal before and after, as a hash.
  static func look(_ before: JSONValue?, _ after: JSONValue) -> Int {
    switch after.content {
    case .object(let members):
      members.map { [ExactString($0.name).hashValue, look(before?[$0.name], $0.value)] }.hashValue
    case .array(let elements):
      elements.enumerated().map { index, element in
        let old = before?.elements
        return look(old?.count == elements.count ? old?[index] : nil, element)
      }.hashValue
    default:
      after.compactText.sameScalars(as: before?.compactText ?? "")
        ? ExactString(after.compactText).hashValue : 0
    }
  }

  /// Adds the traces of this thread that are still missing to those of all threads.
  func finishTraces() { traces.add(&batch) }
}
