import RecordModel
import RecordPlatform

extension Asset: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    try self.init(json: json, MappingContext())
  }

  package init(json: JSONValue, _ context: MappingContext) throws(RecordCodingError) {
    var members = try MemberReader(json, "an asset")
    // Keys and URLs of an asset must not appear in reports.
    var hidden = context
    hidden.mayShow = false
    self.init(
      sha256: try members.read("sha256") { (json) throws(RecordCodingError) in
        try Self.digest(json)
      },
      size: try members.read("size") { (json) throws(RecordCodingError) in
        let size = try json.int64(hidden)
        guard size >= 0 else {
          throw RecordCodingError(
            offset: json.offset, found: "a size below 0", expected: "a number of bytes")
        }
        return size
      },
      fileChecksum: try members.string("fileChecksum"),
      referenceChecksum: try members.string("referenceChecksum"),
      wrappingKey: try members.string("wrappingKey"), receipt: try members.string("receipt"),
      downloadURL: try members.string("downloadURL"))
    otherMembers = members.others()
  }

  /// Digests are written in lower case, but read in either case.
  private static func digest(_ json: JSONValue) throws(RecordCodingError) -> String {
    let text = try json.expectString()
    guard let digest = SHA256Digest(hexadecimal: text.lowercased()) else {
      throw RecordCodingError(
        offset: json.offset, found: "a text that is no SHA-256",
        expected: "64 hexadecimal digits")
    }
    return digest.description
  }

  /// Checks that the asset can be written: its content is saved, and its properties are valid.
  ///
  /// JSON contains only the digest; content in the asset would be lost.
  func checkIsStored() throws(RecordCodingError) {
    guard content == nil else {
      throw RecordCodingError(
        found: "an asset whose content is not stored yet",
        expected: "one that a container has stored, or a draft, which carries content")
    }
    if let sha256, SHA256Digest(hexadecimal: sha256) == nil {
      throw RecordCodingError(
        found: "a `sha256` that is no SHA-256", expected: "64 lower-case hexadecimal digits"
      ).inside(member: "sha256")
    }
    if let size, size < 0 {
      throw RecordCodingError(found: "a size below 0", expected: "a number of bytes")
        .inside(member: "size")
    }
  }

  /// Returns the members of the asset.
  ///
  /// - Throws: ``RecordCodingError`` for content that is not yet saved, and for an invalid digest
  ///   or size.
  package func jsonValue() throws(RecordCodingError) -> JSONValue {
    try checkIsStored()
    var members = MemberWriter()
    members.add("sha256", sha256)
    members.add("size", size.map { .integer($0) })
    members.add("fileChecksum", fileChecksum)
    members.add("referenceChecksum", referenceChecksum)
    members.add("wrappingKey", wrappingKey)
    members.add("receipt", receipt)
    members.add("downloadURL", downloadURL)
    try members.add(otherMembers)
    return members.value
  }
}
