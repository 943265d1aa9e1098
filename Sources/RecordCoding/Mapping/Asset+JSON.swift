import RecordModel

extension Asset: JSONConvertible {
  package init(json: JSONValue) throws(RecordCodingError) {
    try self.init(json: json, MappingContext())
  }

  package init(json: JSONValue, _ context: MappingContext) throws(RecordCodingError) {
    var members = try MemberReader(json, "an asset")
    // Keys and links of an asset are not for reports.
    var hidden = context
    hidden.mayShow = false
    self.init(
      sha256: try members.string("sha256"),
      size: try members.read("size") { (json) throws(RecordCodingError) in
        try json.int64(hidden)
      },
      fileChecksum: try members.string("fileChecksum"),
      referenceChecksum: try members.string("referenceChecksum"),
      wrappingKey: try members.string("wrappingKey"), receipt: try members.string("receipt"),
      downloadURL: try members.string("downloadURL"))
    otherMembers = members.others()
  }

  /// The asset's members; content that is not yet stored is not among them.
  package func jsonValue() throws(RecordCodingError) -> JSONValue {
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
