import RecordModel

/// A value that can be converted to and from JSON.
package protocol JSONConvertible {
  /// Reads the canonical form, and tolerates any order of members, `null` for an absent member, and
  /// known alternative spellings.
  ///
  /// - Parameter context: contains the zone of records and references that do not name one.
  init(json: JSONValue, _ context: DecodingContext) throws

  /// Returns the canonical form.
  ///
  /// - Parameter zoneID: the zone that references omit.
  /// - Throws: ``RecordCodingError`` for what JSON cannot represent: numbers that are not finite,
  ///   and assets that are not yet saved.
  func jsonValue(in zoneID: ZoneID) throws -> JSONValue
}

extension JSONConvertible {
  /// Reads a value; without a zone, references are to the default zone.
  package init(json: JSONValue) throws { try self.init(json: json, DecodingContext()) }

  /// Returns the canonical form; references omit the default zone.
  package func jsonValue() throws -> JSONValue { try jsonValue(in: .default) }
}

/// A type whose JSON members are listed once, for reading and for writing.
package protocol JSONMapped: JSONConvertible {
  /// The kind of object with its article, for errors.
  static var noun: String { get }
  /// Whether errors must not contain values: personal data, keys and addresses.
  static var isPrivate: Bool { get }
  /// The value that members are read into.
  static var empty: Self { get }
  /// The JSON members that the model has no property for.
  var otherMembers: OtherMembers { get set }
  /// Maps the properties to members, in the order in which they are written.
  mutating func map(_ members: inout some MemberMap) throws
}

extension JSONMapped {
  package static var isPrivate: Bool { false }

  package init(json: JSONValue, _ context: DecodingContext) throws {
    self = Self.empty
    var members = try JSONObjectReader(json, Self.noun, context)
    if Self.isPrivate { members.context.mayShowValues = false }
    try map(&members)
    otherMembers = members.others()
  }

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    var copy = self
    var members = JSONObjectWriter(zoneID: zoneID, others: otherMembers)
    try copy.map(&members)
    return try members.valueWithOthers()
  }
}

/// Reads the members of an object into properties, or writes them.
package protocol MemberMap {
  /// Maps a property to a required member.
  mutating func map<T: JSONConvertible>(required name: String, _ value: inout T) throws
  /// Maps a property to a member, which is absent for nil.
  ///
  /// - Parameter alias: another name that is read.
  mutating func map<T: JSONConvertible>(
    _ name: String, or alias: String?, _ value: inout T?) throws
  /// Maps a property to a member with a word of an enumeration. A word that `read` does not know
  /// becomes `unknown`, and stays in the other members.
  mutating func map<T: RawRepresentable<String> & Equatable>(
    word name: String, _ value: inout T, unknown: T, _ read: (String) -> T?) throws
}

extension MemberMap {
  mutating func map<T: JSONConvertible>(_ name: String, _ value: inout T?) throws {
    try map(name, or: nil, &value)
  }

  /// Maps a property to a member, which is absent for this default.
  mutating func map<T: JSONConvertible & Equatable>(
    _ name: String, or alias: String? = nil, _ value: inout T, default absent: T
  ) throws {
    var optional = value == absent ? nil : value
    try map(name, or: alias, &optional)
    value = optional ?? absent
  }
}

/// The context in which a value is read.
package struct DecodingContext {
  /// The zone of references that do not name one.
  package var zoneID: ZoneID
  /// The collector of the zones that are read; nil for none.
  package var zones: ZoneCollector?
  /// Whether errors may contain values; false for encrypted fields.
  package var mayShowValues = true
  /// Whether texts are read as the numbers that they spell, where the type of a field says INT64 or
  /// DOUBLE: in the output of cktool, and in responses of Web Services (`numbersAsStrings` in
  /// Apple's *CloudKit Web Services Reference*).
  package var readsNumberTexts = false
  /// Takes the names of members that the model has no property for, which are then dropped; nil to
  /// keep the members.
  package var unknownMembers: UnknownMembers?

  package init(
    zoneID: ZoneID = .default, zones: ZoneCollector? = nil, unknownMembers: UnknownMembers? = nil
  ) {
    self.zoneID = zoneID
    self.zones = zones
    self.unknownMembers = unknownMembers
  }

  func mismatch(_ json: JSONValue, expected: String) -> RecordCodingError {
    json.error(found: mayShowValues ? json.shown : json.kind, expected: expected)
  }
}

/// The names of members that were read and dropped.
package final class UnknownMembers {
  package private(set) var names: [String] = []

  package init() {}

  func add(_ members: [JSONValue.Member]) { names += members.map(\.name) }
}

/// Collects the zones of records and references; equal ones share an object.
package final class ZoneCollector {
  /// The zones of records, with the members of their `zoneID` that the model has no property for
  /// (such as `zoneType`).
  package private(set) var recordZones: [ZoneID: OtherMembers] = [:]
  /// The zones of references, with such members.
  package private(set) var referencedZones: [ZoneID: OtherMembers] = [:]
  private var known: Set<ZoneID> = []

  package init() {}

  /// Adds the zone of a record.
  ///
  /// - Returns: the object that equal zones share.
  func addRecord(in zoneID: ZoneID, _ others: OtherMembers = []) -> ZoneID {
    add(zoneID, others, to: &recordZones)
  }

  /// Adds the zone of a reference.
  ///
  /// - Returns: the object that equal zones share.
  func addReference(to zoneID: ZoneID, _ others: OtherMembers) -> ZoneID {
    add(zoneID, others, to: &referencedZones)
  }

  private func add(
    _ zoneID: ZoneID, _ others: OtherMembers, to zones: inout [ZoneID: OtherMembers]
  ) -> ZoneID {
    if zones[zoneID] == nil { zones[zoneID] = [] }
    for member in others { zones[zoneID]?.set(member.name, to: member.value) }
    return known.insert(zoneID).memberAfterInsert
  }
}

extension OtherMembers {
  /// Creates members, sorted by name.
  init(_ members: [JSONValue.Member]) {
    self = members.map { OtherMember(name: $0.name, value: $0.value.raw) }
      .sorted { compareUTF8($0.name, $1.name) < 0 }
  }

  /// Creates the members of an object, sorted by name.
  package init(json: JSONValue) throws {
    guard let members = json.members else { throw json.error(expected: "an object") }
    self.init(members)
  }

  package func jsonMembers() throws -> [JSONValue.Member] {
    try map { JSONValue.Member($0.name, try JSONValue(raw: $0.value)) }
  }

  package func jsonText() throws -> String { JSONValue.object(try jsonMembers()).compactText }
}

extension JSONValue {
  /// Returns the members of an object except those with these names, sorted by name.
  package func others(besides known: Set<String>) -> OtherMembers {
    OtherMembers((members ?? []).filter { !known.contains($0.name) })
  }
}
