import RecordModel

/// Takes the known members of an object; the rest are those that the model has no property for.
///
/// A known member with the value `null` counts as absent.
package struct JSONObjectReader: MemberMap {
  /// The context in which values are read.
  package var context: DecodingContext
  private let source: JSONValue
  private let noun: String
  private var rest: [JSONValue.Member]

  /// - Parameter noun: the kind of object with its article, for errors.
  package init(_ json: JSONValue, _ noun: String, _ context: DecodingContext = DecodingContext())
    throws
  {
    guard let members = json.members else { throw json.error(expected: "an object: \(noun)") }
    source = json
    self.noun = noun
    self.context = context
    rest = members
  }

  /// Returns the members that were not taken, unless the context drops them.
  package func others() -> OtherMembers {
    guard let unknown = context.unknownMembers else { return OtherMembers(rest) }
    unknown.add(rest)
    return []
  }

  /// Returns the members that were not taken from an object that is a line of a bundle.
  ///
  /// - Throws: ``RecordCodingError`` for a name that is reserved for lines.
  func lineOthers() throws -> OtherMembers {
    try others(without: Self.lineNames, of: "a line of a bundle")
  }

  /// Returns the members that were not taken from a record with other names than canonical JSON.
  ///
  /// - Throws: ``RecordCodingError`` for a name that a record has in canonical JSON.
  func recordOthers() throws -> OtherMembers {
    try others(without: Self.recordNames, of: "records in bundles")
  }

  /// Returns the members that were not taken from a zone's identity; they become members of the
  /// zone.
  ///
  /// - Throws: ``RecordCodingError`` for a name that is reserved for zones or their lines.
  func zoneOthers() throws -> OtherMembers {
    try others(without: Self.zoneNames, of: "zones in responses and bundles")
  }

  private static let lineNames: Set = ["kind", "database"]
  private static let recordNames = lineNames.union([
    "zoneID", "recordType", "recordName", "recordChangeTag", "created", "modified", "parent",
    "share", "deleted", "fields",
  ])
  private static let zoneNames = lineNames.union([
    "zoneID", "capabilities", "share",
    // These would make another item of a zone in a response.
    "deleted", "records", "serverErrorCode",
  ])

  private func others(without names: Set<String>, of owner: String) throws -> OtherMembers {
    if context.unknownMembers == nil, let member = rest.first(where: { names.contains($0.name) }) {
      throw member.value.error(
        found: "\(noun) with a member '\(member.name)'",
        expected: "another name: this one is reserved for \(owner)")
    }
    return others()
  }

  /// Takes a member, and returns its value; nil if it is absent or null.
  package mutating func take(_ name: String) -> JSONValue? {
    guard let index = rest.firstIndex(where: { $0.name.sameScalars(as: name) }) else { return nil }
    let value = rest.remove(at: index).value
    return value.isNull ? nil : value
  }

  /// Whether there is a member with the value `null`.
  package func hasNull(_ name: String) -> Bool {
    rest.contains { $0.name.sameScalars(as: name) && $0.value.isNull }
  }

  /// Takes a member, and reads its value with `body`.
  package mutating func read<T>(_ name: String, _ body: (JSONValue) throws -> T) throws -> T? {
    try take(name).map { value in try inside(member: name) { try body(value) } }
  }

  /// Takes a required member, and reads its value with `body`.
  package mutating func require<T>(_ name: String, _ body: (JSONValue) throws -> T) throws -> T {
    guard let value = try read(name, body) else { throw missing(name) }
    return value
  }

  /// Takes a member, and reads its value.
  package mutating func value<T: JSONConvertible>(_ name: String, _ type: T.Type = T.self) throws
    -> T?
  {
    let context = context
    return try read(name) { try T(json: $0, context) }
  }

  /// Takes a required member, and reads its value.
  package mutating func required<T: JSONConvertible>(_ name: String, _ type: T.Type = T.self) throws
    -> T
  {
    guard let value = try value(name, type) else { throw missing(name) }
    return value
  }

  package func missing(_ name: String) -> RecordCodingError {
    var error = source.error(
      found: "\(noun) without '\(name)'", expected: "the member '\(name)'")
    error.missingMember = name
    return error
  }

  /// Takes a name that must be there: that of a record, type, zone, owner or subscription.
  package mutating func requiredName(_ member: String) throws -> String {
    guard let name = try name(member) else { throw missing(member) }
    return name
  }

  /// Takes a name, which CloudKit does not let be empty.
  package mutating func name(_ member: String) throws -> String? {
    let context = context
    return try read(member) { json in
      let name = try String(json: json, context)
      guard !name.isEmpty else {
        throw json.error(found: "an empty name", expected: "at least one character")
      }
      return name
    }
  }

  // MARK: Mapping

  package mutating func map<T: JSONConvertible>(required name: String, _ value: inout T) throws {
    value = try required(name)
  }

  package mutating func map<T: JSONConvertible>(
    _ name: String, or alias: String?, _ value: inout T?
  ) throws {
    let aliased = try alias.flatMap { try self.value($0, T.self) }
    value = try self.value(name) ?? aliased
  }

  package mutating func map<T: RawRepresentable<String> & Equatable>(
    word name: String, _ value: inout T, unknown: T, _ read: (String) -> T?
  ) throws {
    let text = try self.value(name, String.self)
    let known = text.flatMap(read)
    value = known ?? unknown
    if let text, known == nil { rest.append(JSONValue.Member(name, .string(text))) }
  }
}

extension JSONValue {
  /// Reads all elements of an array.
  package func expectElements<T>(_ body: (JSONValue) throws -> T) throws -> [T] {
    guard let elements else { throw error(expected: "an array") }
    return try elements.enumerated().map { index, element in
      try inside(element: index) { try body(element) }
    }
  }
}

/// Builds an object member by member.
package struct JSONObjectWriter: MemberMap {
  private var members: [JSONValue.Member] = []
  private var others: OtherMembers
  /// The zone that references omit.
  private let zoneID: ZoneID

  /// - Parameters:
  ///   - zoneID: the zone that references omit.
  ///   - others: the members that the model has no property for.
  package init(zoneID: ZoneID = .default, others: OtherMembers = []) {
    self.zoneID = zoneID
    self.others = others
  }

  /// The object with the members added so far.
  package var value: JSONValue { .object(members) }

  /// Returns the object with the members added so far, followed by those that the model has no
  /// property for.
  func valueWithOthers() throws -> JSONValue { .object(members + (try others.jsonMembers())) }

  package mutating func add(_ name: String, _ value: JSONValue?) {
    if let value { members.append(JSONValue.Member(name, value)) }
  }

  package mutating func add(_ name: String, _ text: String?) {
    add(name, text.map(JSONValue.string))
  }

  package mutating func add(_ name: String, _ value: (some JSONConvertible)?) throws {
    add(name, try inside(member: name) { try value?.jsonValue(in: zoneID) })
  }

  /// Adds the members that the model has no property for.
  package mutating func add(_ others: OtherMembers) throws { members += try others.jsonMembers() }

  // MARK: Mapping

  package mutating func map<T: JSONConvertible>(required name: String, _ value: inout T) throws {
    try add(name, value as T?)
  }

  package mutating func map<T: JSONConvertible>(
    _ name: String, or alias: String?, _ value: inout T?
  ) throws {
    try add(name, value)
  }

  package mutating func map<T: RawRepresentable<String> & Equatable>(
    word name: String, _ value: inout T, unknown: T, _ read: (String) -> T?
  ) throws {
    let raw = value == unknown ? others[name] : nil
    add(name, try raw.map { try JSONValue(raw: $0) } ?? .string(value.rawValue))
    others.set(name, to: nil)
  }
}
