import RecordModel

/// Builds an object member by member.
struct MemberWriter {
  private var members: [JSONValue.Member] = []

  /// The object with the members added so far.
  var value: JSONValue { .object(members) }

  mutating func add(_ name: String, _ value: JSONValue?) {
    if let value { members.append(JSONValue.Member(name, value)) }
  }

  mutating func add(_ name: String, _ text: String?) {
    if let text { add(name, .string(text)) }
  }

  /// Adds a list unless it is empty.
  mutating func add(_ name: String, nonEmpty texts: [String]) {
    if !texts.isEmpty { add(name, .array(texts.map(JSONValue.string))) }
  }

  /// Adds `true` if the flag is set.
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

  /// Adds the members that the model has no property for; call this last.
  mutating func add(_ others: OtherMembers) throws(RecordCodingError) {
    for member in others { add(member.name, try JSONValue(raw: member.value)) }
  }
}
