import RecordModel

import struct Foundation.Date

/// Takes the known members of an object; the rest are those that the model has no property for.
///
/// A known member with the value `null` counts as absent.
struct MemberReader {
  private let source: JSONValue
  private let what: String
  private var rest: [JSONValue.Member]

  /// - Parameter what: the kind of object with its article, for errors.
  init(_ json: JSONValue, _ what: String) throws(RecordCodingError) {
    guard let members = json.members else {
      throw RecordCodingError(
        offset: json.offset, found: json.kind, expected: "an object: \(what)")
    }
    source = json
    self.what = what
    rest = members
  }

  /// Returns the members that were not taken.
  func others() -> OtherMembers {
    rest.map { OtherMember(name: $0.name, value: $0.value.raw) }.sorted {
      compareUTF8($0.name, $1.name) < 0
    }
  }

  /// Returns the members that were not taken from an object that is a line of a bundle.
  ///
  /// - Throws: ``RecordCodingError`` for a name that is reserved for lines.
  func lineOthers() throws(RecordCodingError) -> OtherMembers {
    try others(without: Self.lineNames, of: "a line of a bundle")
  }

  /// Returns the members that were not taken from a zone's identity; they become members of the
  /// zone.
  ///
  /// - Throws: ``RecordCodingError`` for a name that is reserved for zones or their lines.
  func zoneOthers() throws(RecordCodingError) -> OtherMembers {
    try others(without: Self.zoneNames, of: "the line of a zone in a bundle")
  }

  private static let lineNames: Set = ["kind", "database"]
  private static let zoneNames = lineNames.union([
    "zoneID", "capabilities", "share",
    // These would make another item of a zone in a response.
    "deleted", "records", "serverErrorCode",
  ])

  private func others(
    without names: Set<String>, of owner: String
  ) throws(RecordCodingError) -> OtherMembers {
    if let member = rest.first(where: { names.contains($0.name) }) {
      throw RecordCodingError(
        offset: member.value.offset, found: "\(what) with a member '\(member.name)'",
        expected: "another name: \(owner) has this one for itself")
    }
    return others()
  }

  /// Whether there is a member with this name that was not taken and is not null.
  func has(_ name: String) -> Bool {
    rest.contains { $0.name.sameScalars(as: name) && !$0.value.isNull }
  }

  /// Takes a member, and returns its value; nil if it is absent or null.
  mutating func take(_ name: String) -> JSONValue? {
    guard let index = rest.firstIndex(where: { $0.name.sameScalars(as: name) }) else { return nil }
    let value = rest.remove(at: index).value
    return value.isNull ? nil : value
  }

  /// Takes a member, and reads its value with `body`.
  mutating func read<T>(
    _ name: String, _ body: (JSONValue) throws(RecordCodingError) -> T
  ) throws(RecordCodingError) -> T? {
    guard let value = take(name) else { return nil }
    do throws(RecordCodingError) {
      return try body(value)
    } catch {
      throw error.inside(member: name)
    }
  }

  /// Takes a required member, and reads its value with `body`.
  mutating func require<T>(
    _ name: String, _ body: (JSONValue) throws(RecordCodingError) -> T
  ) throws(RecordCodingError) -> T {
    guard let value = try read(name, body) else { throw missing(name) }
    return value
  }

  func missing(_ name: String) -> RecordCodingError {
    RecordCodingError(
      offset: source.offset, found: "\(what) without '\(name)'", expected: "the member '\(name)'")
  }

  mutating func string(_ name: String) throws(RecordCodingError) -> String? {
    try read(name) { (json) throws(RecordCodingError) in try json.expectString() }
  }

  mutating func requiredString(_ name: String) throws(RecordCodingError) -> String {
    try require(name) { (json) throws(RecordCodingError) in try json.expectString() }
  }

  /// Takes a name that must be there: that of a record, type, zone, owner or subscription.
  mutating func requiredName(_ member: String) throws(RecordCodingError) -> String {
    guard let name = try name(member) else { throw missing(member) }
    return name
  }

  /// Takes a name, which CloudKit does not let be empty.
  mutating func name(_ member: String) throws(RecordCodingError) -> String? {
    try read(member) { (json) throws(RecordCodingError) in
      let name = try json.expectString()
      guard !name.isEmpty else {
        throw RecordCodingError(
          offset: json.offset, found: "an empty name", expected: "at least one character")
      }
      return name
    }
  }

  mutating func bool(_ name: String) throws(RecordCodingError) -> Bool? {
    try read(name) { (json) throws(RecordCodingError) in try json.expectBool() }
  }

  mutating func strings(_ name: String) throws(RecordCodingError) -> [String]? {
    try read(name) { (json) throws(RecordCodingError) in
      try json.expectElements { (json) throws(RecordCodingError) in try json.expectString() }
    }
  }

  mutating func object<T: JSONConvertible>(
    _ name: String, _ type: T.Type = T.self
  ) throws(RecordCodingError) -> T? {
    try read(name) { (json) throws(RecordCodingError) in try T(json: json) }
  }
}

extension JSONValue {
  func expectString() throws(RecordCodingError) -> String {
    guard let string else { throw mismatch("a string") }
    return string
  }

  func expectBool() throws(RecordCodingError) -> Bool {
    guard let bool else { throw mismatch("true or false") }
    return bool
  }

  /// Reads all elements of an array.
  func expectElements<T>(
    _ body: (JSONValue) throws(RecordCodingError) -> T
  ) throws(RecordCodingError) -> [T] {
    guard let elements else { throw mismatch("an array") }
    var result: [T] = []
    result.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do throws(RecordCodingError) {
        result.append(try body(element))
      } catch {
        throw error.inside(element: index)
      }
    }
    return result
  }

  private func mismatch(_ expected: String) -> RecordCodingError {
    RecordCodingError(offset: offset, found: kind, expected: expected)
  }
}
