import RecordModel

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
