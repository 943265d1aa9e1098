import RecordModel

/// What encoding a property does to a field.
enum FieldChange {
  /// The field holds the value already.
  case none
  case set(RecordValue)
  case remove
  /// The elements are of different types.
  case mixed
}

extension EncodedValue {
  /// Returns what changes in a field with this value; nil for none.
  ///
  /// A field that holds the value stays as it is, also where the property's type would write it in
  /// another way: a 1.0 for the integer 1, other capitals of a UUID, other white space in JSON. A new
  /// value gets the field's type if that can hold it.
  func change(of stored: RecordValue?) -> FieldChange {
    switch self {
    case .none: return .remove
    case .scalar(let scalar):
      guard let stored else { return .set(scalar.value) }
      if scalar.isHeld(by: stored) { return .none }
      let fitted = scalar.value.fitted(to: stored.type)
      return fitted == stored ? .none : .set(fitted)
    case .json(let json):
      guard let stored else { return .set(NestedJSON.value(json.data, as: json.form)) }
      if json.isHeld(by: stored) { return .none }
      return .set(NestedJSON.value(json.data, as: stored.jsonForm ?? json.form))
    case .list(let elements, let kind):
      if elements.isEmpty { return kind.changeToEmpty(of: stored) }
      if let stored = stored?.elements, Self.isHeld(elements, kind, by: stored) { return .none }
      return Self.list(elements, for: stored)
    }
  }

  private static func isHeld(
    _ elements: [EncodedScalar], _ kind: ListKind, by stored: [RecordValue]
  ) -> Bool {
    guard kind.isSet else {
      return elements.count == stored.count
        && zip(elements, stored).allSatisfy { $0.isHeld(by: $1) }
    }
    guard let rewritten = elements.first?.rewritten else { return stored.isEmpty }
    let values = stored.map(rewritten)
    return Set(values) == Set(elements.map { $0.value })
  }

  private static func list(_ elements: [EncodedScalar], for stored: RecordValue?) -> FieldChange {
    let values = elements.map(\.value)
    if let type = stored?.type?.elementType,
      let list = RecordValue(list: values.map { $0.fitted(to: type) }, of: type)
    {
      return list == stored ? .none : .set(list)
    }
    guard let type = values.first?.type, let list = RecordValue(list: values, of: type) else {
      return .mixed
    }
    return .set(list)
  }
}

extension ListKind {
  fileprivate func changeToEmpty(of stored: RecordValue?) -> FieldChange {
    if let json, stored?.jsonText != nil { return EncodedValue.json(json).change(of: stored) }
    if stored?.elements?.isEmpty == true { return .none }
    let numbers: [ValueType?] = [.int64, .double]
    let present = stored?.type?.elementType
    let type =
      numbers.contains(elementType) && numbers.contains(present) ? present : elementType ?? present
    return .set(type.flatMap { RecordValue(list: [], of: $0) } ?? .emptyList)
  }
}
