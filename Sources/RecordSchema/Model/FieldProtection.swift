/// Whether the values of a field could be end-to-end encrypted under Advanced Data Protection.
///
/// Advanced Data Protection covers encrypted values and assets, in the private and the shared
/// database (Apple, *Encrypting User Data*), and no references. It does not cover records below a
/// share whose public permission is not none. It applies only if every participant has it turned
/// on, which no app can know (Tact, *Advanced Data Protection*, after Apple's overview of the
/// security of iCloud data).
package enum FieldProtection: String, Sendable, Hashable, CaseIterable {
  /// An encrypted value: could be end-to-end encrypted.
  case encryptedValue
  /// An asset: could be end-to-end encrypted.
  case asset
  /// A reference: never end-to-end encrypted.
  case reference
  /// A value that is not encrypted: never end-to-end encrypted.
  case plainValue

  /// Creates the protection of a field or value of a type.
  package init(_ type: CloudSchema.FieldType) {
    self =
      switch type.primitive {
      case .asset: .asset
      case .reference: .reference
      default: type.isEncrypted ? .encryptedValue : .plainValue
      }
  }

  /// Whether the values could be end-to-end encrypted, outside of the public database and of what is
  /// shared with everyone who has the link.
  package var isPossible: Bool { self == .encryptedValue || self == .asset }

  /// The reason, such as `an asset`.
  package var reason: String {
    switch self {
    case .encryptedValue: "an encrypted value"
    case .asset: "an asset"
    case .reference: "a reference"
    case .plainValue: "a plain value"
    }
  }

  /// The parts that are never end-to-end encrypted in any record.
  package static let neverProtected = [
    "the names of records and zones", "record types and the names of fields",
    "system fields: dates, users, change tags, parents and shares",
  ]
}
