/// A field of a record: its name, its value, and whether it is encrypted.
public struct Field: Sendable, Hashable {
  package let interned: FieldName
  /// The value.
  public let value: RecordValue
  /// Whether the value is one of the record's `encryptedValues`: end-to-end encrypted, not
  /// indexed, and kept out of every log, message and report.
  public let isEncrypted: Bool
  /// What a server sent in the field that this model does not know.
  public let otherMembers: OtherMembers

  /// Makes a field.
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

  /// The field's name: a letter, then letters, digits and underscores, up to 255 characters.
  public var name: String { interned.string }
}

extension Field: CustomStringConvertible {
  /// `name: value`, with the value of an encrypted field left out.
  public var description: String {
    "\(name): \(isEncrypted ? "<encrypted>" : String(describing: value))"
  }
}
