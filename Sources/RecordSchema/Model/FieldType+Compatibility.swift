extension Schema.FieldType {
  /// Whether a field of this type takes values of another type's shape: the same primitive and
  /// list-ness, or a number where the field is `NUMBER`. Encryption is not looked at.
  public func accepts(_ other: Schema.FieldType) -> Bool {
    guard isList == other.isList else { return false }
    if primitive == other.primitive { return true }
    return primitive == .number && (other.primitive == .int64 || other.primitive == .double)
  }

  /// The type as server messages name it, such as `ENCRYPTED_STRING` or `INT64_LIST`
  /// (`ENCRYPTED_…` is quoted in MistKit issue 392; `…_LIST` is how Web Services names lists).
  public var serverName: String {
    (isEncrypted ? "ENCRYPTED_" : "") + primitive.rawValue + (isList ? "_LIST" : "")
  }

  /// Why a value of one type does not fit a field of another.
  public enum Misfit: Sendable, Hashable {
    /// Another primitive, or a list against a single value.
    case type
    /// An encrypted value for a plain field.
    case encryptedIntoPlain
    /// A plain value for an encrypted field.
    case plainIntoEncrypted
  }

  /// Why a value does not fit a field of this type, or nil if it does.
  ///
  /// A list without elements has no primitive of its own: pass any list type for it and set
  /// `isEmptyList`.
  public func misfit(
    ofValueTyped value: Schema.FieldType, isEmptyList: Bool = false
  ) -> Misfit? {
    let fitsShape = isEmptyList ? isList : shape.accepts(value.shape)
    if !fitsShape { return .type }
    if value.isEncrypted == isEncrypted { return nil }
    return value.isEncrypted ? .encryptedIntoPlain : .plainIntoEncrypted
  }
}
