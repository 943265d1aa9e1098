import RecordModel
import RecordPlatform

extension Asset: JSONMapped {
  package static var noun: String { "an asset" }
  package static var empty: Asset { Asset() }

  package init(json: JSONValue, _ context: DecodingContext) throws {
    self = Self.empty
    var members = try JSONObjectReader(json, Self.noun, context)
    // Keys and URLs of an asset must not appear in reports.
    members.context.mayShowValues = false
    try map(&members)
    // Digests are written in lower case, but read in either case.
    sha256 = sha256?.lowercased()
    if var error = invalidMember {
      error.offset = json[error.path]?.offset
      throw error
    }
    otherMembers = members.others()
  }

  /// Returns the members of the asset.
  ///
  /// - Throws: ``RecordCodingError`` for content that is not yet saved, and for an invalid digest
  ///   or size.
  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    try checkIsSaved()
    var copy = self
    var members = JSONObjectWriter(others: otherMembers)
    try copy.map(&members)
    return try members.valueWithOthers()
  }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map("sha256", &sha256)
    try members.map("size", &size)
    try members.map("fileChecksum", &fileChecksum)
    try members.map("referenceChecksum", &referenceChecksum)
    try members.map("wrappingKey", &wrappingKey)
    try members.map("receipt", &receipt)
    try members.map("downloadURL", &downloadURL)
  }

  /// Checks that the asset can be written: its content is saved, and its properties are valid.
  ///
  /// JSON contains only the digest; content in the asset would be lost.
  func checkIsSaved() throws {
    guard content == nil else {
      throw RecordCodingError(
        found: "an asset that is not yet saved", expected: "a saved asset, or a draft")
    }
    if let error = invalidMember { throw error }
  }

  private var invalidMember: RecordCodingError? {
    if let sha256, SHA256Digest(hexadecimal: sha256) == nil {
      return RecordCodingError(
        path: "sha256", found: "an invalid SHA-256 digest",
        expected: "64 lowercase hexadecimal digits")
    }
    if let size, size < 0 {
      return RecordCodingError(path: "size", found: "a negative size", expected: "a size in bytes")
    }
    return nil
  }
}
