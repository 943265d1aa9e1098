/// A type that lists its encrypted fields.
///
/// ```swift
/// struct Contact: Codable, EncryptedFields {
///   static let encryptedKeys: Set = ["phone", "address"]
///   var name: String
///   var phone: String?
///   var address: String?
/// }
/// ```
///
/// The list applies to the type that is decoded or encoded. A value of such a type cannot be nested
/// JSON in a field that is not encrypted. See also ``Encrypted``, for single properties.
public protocol EncryptedFields {
  /// The names of the encrypted fields, as they are in the record.
  static var encryptedKeys: Set<String> { get }
}
