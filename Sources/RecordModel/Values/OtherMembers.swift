/// JSON that the model has no property for; it is written back unchanged.
public struct RawJSON: Sendable, Hashable {
  /// The JSON text: valid, without white space between tokens.
  @ExactText public private(set) var text: String

  /// Wraps text that must be valid JSON without white space.
  package init(compact text: String) {
    self.text = text
  }

  /// `null`.
  public static let null = RawJSON(compact: "null")
}

/// A member of a JSON object that the model has no property for.
public struct OtherMember: Sendable, Hashable {
  /// The member's name.
  @ExactText public private(set) var name: String
  /// The value, unchanged.
  public let value: RawJSON

  package init(name: String, value: RawJSON) {
    self.name = name
    self.value = value
  }
}

/// The members of a JSON object that the model has no property for, sorted by the UTF-8 bytes of
/// their names.
public typealias OtherMembers = [OtherMember]

extension OtherMembers {
  /// The value of the member with this name.
  public subscript(name: String) -> RawJSON? {
    first { $0.name.sameScalars(as: name) }?.value
  }

  /// Adds or replaces a member, or removes it if `value` is nil; keeps the members sorted.
  package mutating func set(_ name: String, to value: RawJSON?) {
    removeAll { $0.name.sameScalars(as: name) }
    guard let value else { return }
    let index = firstIndex { compareUTF8(name, $0.name) < 0 } ?? endIndex
    insert(OtherMember(name: name, value: value), at: index)
  }
}
