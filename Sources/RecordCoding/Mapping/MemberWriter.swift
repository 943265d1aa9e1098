import RecordModel

/// Puts an object together, member by member.
struct MemberWriter {
  private var members: [JSONValue.Member] = []

  /// The object so far.
  var value: JSONValue { .object(members) }

  mutating func add(_ name: String, _ value: JSONValue?) {
    if let value { members.append(JSONValue.Member(name, value)) }
  }

  mutating func add(_ name: String, _ text: String?) {
    if let text { add(name, .string(text)) }
  }

  /// Adds a list, unless it is empty.
  mutating func add(_ name: String, nonEmpty texts: [String]) {
    if !texts.isEmpty { add(name, .array(texts.map(JSONValue.string))) }
  }

  /// Adds `true`, or nothing.
  mutating func add(_ name: String, whenTrue flag: Bool) {
    if flag { add(name, .bool(true)) }
  }

  mutating func add(_ name: String, _ value: (any JSONConvertible)?) throws(RecordCodingError) {
    guard let value else { return }
    do throws(RecordCodingError) {
      add(name, try value.jsonValue())
    } catch {
      throw error.inside(member: name)
    }
  }

  /// Adds what the model did not know, after all that it knows.
  mutating func add(_ others: OtherMembers) throws(RecordCodingError) {
    for member in others { add(member.name, try JSONValue(raw: member.value)) }
  }
}
