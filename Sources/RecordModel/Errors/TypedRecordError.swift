import protocol Foundation.LocalizedError

/// An error of reading a Swift type from a record, or of writing one to a draft.
///
/// The error says which property of which record does not fit, what was found and what was expected.
/// It never contains the value of an encrypted field.
public struct TypedRecordError: Error, Sendable, Hashable {
  /// The kinds of errors.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The record has no such field, and the property is not optional.
    case missingField
    /// The field is of a type that the property cannot hold.
    case wrongType
    /// The number does not fit the property's type, or the field.
    case outOfRange
    /// The value is of the right type, but not valid: a text that is no URL, an enum without such a
    /// case, a number that is not finite, or what the type's own initializer rejects.
    case invalidValue
    /// The field is encrypted and the property is not marked as such, or the other way round.
    case encryption
    /// The property is of a type with properties of its own, which no field can hold.
    case nestedValue
    /// The identity in the value is not that of the draft.
    case identity
    /// The Swift type cannot be a record or a field.
    case unsupportedType
  }

  /// The kind of error.
  public let code: Code
  /// The name of the Swift type that was read or written.
  package let typeName: String
  /// The record's type; nil if it is not known yet.
  public package(set) var recordType: String?
  /// The record's identity; nil if it is not known yet.
  public package(set) var recordID: RecordID?
  /// The name of the field; nil for errors of the whole record.
  public let key: String?
  /// The thing that was found, in words.
  package let found: String
  /// The thing that was expected, in words.
  package let expected: String

  package init(
    _ code: Code, typeName: String, recordType: String? = nil, recordID: RecordID? = nil,
    key: String? = nil, found: String, expected: String
  ) {
    self.code = code
    self.typeName = typeName
    self.recordType = recordType
    self.recordID = recordID
    self.key = key
    self.found = found
    self.expected = expected
  }
}

extension TypedRecordError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// Swift type, record, field, and what was found and expected.
  public var description: String {
    let record = [recordType, recordID.map { "\($0)" }].compactMap { $0 }.joined(separator: " ")
    let place = [record.isEmpty ? nil : "record \(record)", key.map { "field '\($0)'" }]
    let subject = ([typeName] + place.compactMap { $0 }).joined(separator: ", ")
    return "\(subject): found \(found), expected \(expected)"
  }
}
