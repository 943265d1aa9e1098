import RecordModel

/// What happens to the values of a field.
///
/// References always refer to the pseudonyms of records, whatever the rule of their field.
public enum AnonymisationRule: String, Sendable, Hashable, CaseIterable {
  /// The value stays. Not for encrypted fields.
  case keep
  /// The value becomes a constant of the same type and length: letters become `x`, digits `0`,
  /// numbers 0, dates the first moment of 2001, bytes zero.
  case redact
  /// Text becomes text of the same length and script.
  case text
  /// Each word of a person's name becomes another word, always the same.
  case name
  /// An email address becomes another one, of a domain that ends with `.example`.
  case email
  /// A phone number becomes another one with the same country code and form.
  case phone
  /// A URL becomes another one, of a host that ends with `.example`.
  case url
  /// The name of a record, user or zone, or a UUID, becomes the pseudonym that it has everywhere.
  case identifier
  /// A number becomes one with as many digits.
  case number
  /// A date moves with all other dates of the user who created the record.
  case shift
  /// A location moves with all other locations of the user who created the record.
  case move
  /// Bytes and assets become others of the same kind and size.
  case content

  /// The rules for values of a type, the one that tells least first.
  public static func rules(for type: ValueType) -> [AnonymisationRule] {
    switch type.elementType ?? type {
    case .string: [.text, .redact, .name, .email, .phone, .url, .identifier, .keep]
    case .int64, .double: [.number, .redact, .keep]
    case .timestamp: [.shift, .redact, .keep]
    case .bytes: [.content, .redact, .keep]
    case .asset: [.content]
    case .location: [.move, .redact, .keep]
    case .reference: [.identifier]
    default: [.keep, .redact]
    }
  }

  /// The rule of a type whose fields no other rule names, where the policy's default is to redact.
  static func cover(_ type: ValueType) -> AnonymisationRule {
    switch type.elementType ?? type {
    case .asset: .content
    case .reference: .identifier
    default: .redact
    }
  }
}
