extension CloudSchema.FieldType {
  /// Returns whether a field of this type accepts values of another type: the same primitive and
  /// list-ness, or any number if the field is `NUMBER`. Ignores encryption.
  public func accepts(_ other: CloudSchema.FieldType) -> Bool {
    guard isList == other.isList else { return false }
    if primitive == other.primitive { return true }
    return primitive == .number && (other.primitive == .int64 || other.primitive == .double)
  }

  /// The type as in server messages, such as `ENCRYPTED_STRING` or `INT64_LIST` (`ENCRYPTED_…` is
  /// quoted in MistKit issue 392, `ASSETID` in Seam3 issue 18; `…_LIST` is how Web Services names
  /// lists).
  public var serverName: String {
    let name = primitive == .asset ? "ASSETID" : primitive.rawValue
    return (isEncrypted ? "ENCRYPTED_" : "") + name + (isList ? "_LIST" : "")
  }

  /// The reason a value does not fit a field.
  public enum Misfit: Sendable, Hashable {
    /// A different primitive, or a list where a single value is expected or vice versa.
    case type
    /// An encrypted value in a plain field.
    case encryptedIntoPlain
    /// A plain value in an encrypted field.
    case plainIntoEncrypted
  }

  /// Returns the reason a value does not fit a field of this type, or `nil` if it fits.
  ///
  /// An empty list has no primitive: pass any list type for it and set `isEmptyList`.
  public func misfit(ofValueTyped value: CloudSchema.FieldType, isEmptyList: Bool = false)
    -> Misfit?
  {
    let fitsShape = isEmptyList ? isList : shape.accepts(value.shape)
    if !fitsShape { return .type }
    if value.isEncrypted == isEncrypted { return nil }
    return value.isEncrypted ? .encryptedIntoPlain : .plainIntoEncrypted
  }
}
