import RecordCoding
import RecordModel
import RecordText

extension JSONValue {
  /// The value with the members of objects sorted by name: other programs reorder them.
  var sorted: JSONValue {
    if let elements { return .array(elements.map(\.sorted)) }
    guard let members else { return self }
    return .object(
      members.map { .init($0.name, $0.value.sorted) }.sorted {
        ExactString($0.name) < ExactString($1.name)
      }
    )
  }

  private var withoutSecrets: JSONValue { RecordDisclosure(showEncrypted: false).shown(self) }

  /// Returns a value from the output of `show`, which may be changed, with what `show` hides of the
  /// stored one.
  ///
  /// What is as `show` writes it becomes the stored value. An object that has all members that
  /// `show` writes keeps the hidden one; an asset only if nothing of it is changed, because the key
  /// belongs to its content. An element of a list is that at the same index, or else the first
  /// equal one; each is used once.
  ///
  /// - Parameter isContent: Whether this is the value of a field.
  func restoringSecrets(of stored: JSONValue, isContent: Bool = false) -> JSONValue {
    let shown = stored.withoutSecrets
    if shown == stored { return self }
    let own = sorted
    if own == shown.sorted || own == stored.sorted { return stored }
    if let elements, let others = stored.elements {
      return .array(Self.restoring(elements, of: others, isContent: isContent))
    }
    guard let members, let others = stored.members else { return self }
    var restored = members.map { member in
      let value = stored[member.name].map { old in
        member.value.restoringSecrets(of: old, isContent: isContent || member.name == "value")
      }
      return Member(member.name, value ?? member.value)
    }
    let isCopy = shown.members?.allSatisfy { self[$0.name] != nil } == true
    if !isContent, isCopy, self[RecordDisclosure.wrappingKey] == nil {
      restored += others.filter { $0.name == RecordDisclosure.wrappingKey }
    }
    return .object(restored)
  }

  private static func restoring(
    _ elements: [JSONValue], of stored: [JSONValue], isContent: Bool
  ) -> [JSONValue] {
    var result = [JSONValue?](repeating: nil, count: elements.count)
    var isUsed = [Bool](repeating: false, count: stored.count)
    let own = elements.map(\.sorted)
    // Elements that have their secret come first: it is no other's.
    for forms in [stored.map(\.sorted), stored.map(\.withoutSecrets.sorted)] {
      for index in own.indices where index < stored.count && result[index] == nil {
        guard !isUsed[index], own[index] == forms[index] else { continue }
        result[index] = stored[index]
        isUsed[index] = true
      }
      var unused: [JSONValue: [Int]] = [:]
      for index in forms.indices.reversed() where !isUsed[index] {
        unused[forms[index], default: []].append(index)
      }
      for index in own.indices where result[index] == nil {
        guard let found = unused[own[index]]?.popLast() else { continue }
        result[index] = stored[found]
        isUsed[found] = true
      }
    }
    return elements.indices.map { index in
      if let known = result[index] { return known }
      guard index < stored.count, !isUsed[index] else { return elements[index] }
      return elements[index].restoringSecrets(of: stored[index], isContent: isContent)
    }
  }
}
