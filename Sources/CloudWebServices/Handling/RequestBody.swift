import RecordCoding
import RecordModel

/// An object of a request: its known members are taken, the rest is noted.
struct RequestBody {
  private var reader: JSONObjectReader
  private let place: String
  let notes: RequestNotes
  /// The unknown members of values in the object.
  private let unknownMembers = UnknownMembers()
  /// The zone of records and references that name none.
  var zoneID = ZoneID.default

  /// - Parameter place: where the object is in the body, for notes; empty for the body itself.
  init(_ json: JSONValue, at place: String = "", _ notes: RequestNotes) throws {
    reader = try JSONObjectReader(json, place.isEmpty ? "the body of a request" : "'\(place)'")
    self.place = place
    self.notes = notes
  }

  /// The context in which values are read: without members that are not known.
  var context: DecodingContext {
    DecodingContext(zoneID: zoneID, unknownMembers: unknownMembers)
  }

  /// Notes the members that were not taken.
  func finish() {
    for name in unknownMembers.names { note("unknown member of a value", about: name) }
    for member in reader.others() { note("unknown member", about: member.name) }
  }

  func note(_ text: String, about name: String) { notes.add("\(text) '\(path(name).prefix(200))'") }

  // MARK: Members

  mutating func take(_ name: String) -> JSONValue? { reader.take(name) }

  /// Takes members that a client sends back as it has read them. They count for nothing.
  mutating func ignore<T: JSONConvertible>(_ names: [String], _ type: T.Type) throws {
    for name in names { _ = try value(name, type) }
  }

  /// Whether there is a member with the value `null`.
  func hasNull(_ name: String) -> Bool { reader.hasNull(name) }

  mutating func value<T: JSONConvertible>(_ name: String, _ type: T.Type = T.self) throws -> T? {
    let context = context
    return try reader.read(name) { try T(json: $0, context) }
  }

  mutating func required<T: JSONConvertible>(_ name: String, _ type: T.Type = T.self) throws -> T {
    let context = context
    return try reader.require(name) { try T(json: $0, context) }
  }

  mutating func read<T>(_ name: String, _ body: (JSONValue) throws -> T) throws -> T? {
    try reader.read(name, body)
  }

  /// Takes an object.
  mutating func object<T>(
    _ name: String, _ body: (inout RequestBody) throws -> T
  ) throws -> T? {
    let (place, notes, zoneID) = (path(name), notes, zoneID)
    return try reader.read(name) { json in
      var inner = try RequestBody(json, at: place, notes)
      inner.zoneID = zoneID
      defer { inner.finish() }
      return try body(&inner)
    }
  }

  /// Takes a required array of objects.
  mutating func objects<T>(
    _ name: String, _ body: (inout RequestBody) throws -> T
  ) throws -> [T] {
    let (place, notes, zoneID) = (path(name), notes, zoneID)
    return try reader.require(name) { json in
      try json.expectElements { json in
        var inner = try RequestBody(json, at: place + "[]", notes)
        inner.zoneID = zoneID
        defer { inner.finish() }
        return try body(&inner)
      }
    }
  }

  /// Takes the maximum number of results of a page. A negative maximum fails the whole request,
  /// also where the handler processes the requests of several zones one by one.
  mutating func resultsLimit() throws -> Int? {
    try value("resultsLimit", Int64.self).map { limit in
      guard limit >= 0 else {
        throw WebError.invalid("a limit of \(limit) results is not possible")
      }
      return Int(clamping: limit)
    }
  }

  /// Takes a zone's identity. Members beside the names, such as `zoneType`, are ignored.
  mutating func zone(_ name: String = "zoneID") throws -> ZoneID? {
    try reader.read(name) { json in
      guard let members = json.members else {
        throw json.error(expected: "an object: a zone ID")
      }
      let known = members.filter { ["zoneName", "ownerRecordName", "ownerName"].contains($0.name) }
      return try ZoneID(json: JSONValue(.object(known), offset: json.offset))
    }
  }

  /// Takes the identity of a zone, which must be there.
  mutating func requiredZone() throws -> ZoneID {
    guard let zoneID = try zone() else { throw reader.missing("zoneID") }
    return zoneID
  }

  private func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }
}

extension JSONValue {
  /// Returns the value with each value in it replaced, inner ones first.
  func mapped(_ transform: (JSONValue) throws -> JSONValue) rethrows -> JSONValue {
    switch content {
    case .array(let elements):
      try transform(
        JSONValue(.array(try elements.map { try $0.mapped(transform) }), offset: offset))
    case .object:
      try transform(try mappingMembers { try $0.value.mapped(transform) })
    default: try transform(self)
    }
  }

  /// Returns a value in which zones of the user have the owner `__defaultOwner__`. Clients may name
  /// the owner of a zone by the record name, as the server does.
  func replacingOwner(_ userRecordName: String) -> JSONValue {
    mapped { value in
      guard value["zoneName"] != nil else { return value }
      return value.mappingMembers { member in
        let isOwner = member.name == "ownerRecordName" || member.name == "ownerName"
        guard isOwner, member.value.string?.sameScalars(as: userRecordName) == true else {
          return member.value
        }
        return JSONValue(.string(ZoneID.currentUserOwnerName), offset: member.value.offset)
      }
    }
  }
}
