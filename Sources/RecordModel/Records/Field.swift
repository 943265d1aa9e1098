/// A field of a record.
public struct Field: Sendable, Hashable {
  package let interned: FieldName
  /// The value.
  public let value: RecordValue
  /// Whether the value is one of the record's `encryptedValues`: end-to-end encrypted, not indexed,
  /// and never part of logs, messages or reports.
  public let isEncrypted: Bool
  /// The JSON members of the field that this model has no property for.
  public let otherMembers: OtherMembers

  /// Creates a field.
  public init(
    name: String, value: RecordValue, isEncrypted: Bool = false, otherMembers: OtherMembers = []
  ) {
    self.init(
      interned: FieldName.interned(name), value: value, isEncrypted: isEncrypted,
      otherMembers: otherMembers)
  }

  package init(
    interned: FieldName, value: RecordValue, isEncrypted: Bool, otherMembers: OtherMembers = []
  ) {
    self.interned = interned
    self.value = value
    self.isEncrypted = isEncrypted
    self.otherMembers = otherMembers
  }

  /// Returns the field with other assets; fields of other types as they are.
  package func replacingAssets(_ body: (Asset) throws -> Asset) rethrows -> Field {
    guard value.isOfAssets else { return self }
    return Field(
      interned: interned, value: try value.replacingAssets(body), isEncrypted: isEncrypted,
      otherMembers: otherMembers)
  }

  /// The name of the field: a letter, then letters, digits and underscores, 1 to 255 characters.
  public var name: String { interned.string }
}
