import RecordCoding

/// The permission to make a content the value of a field.
struct AssetReceipt {
  /// The container and the environment.
  var place: [String]
  var sha256: String
  var size: Int64

  init(place: [String], sha256: String, size: Int64) {
    self.place = place
    self.sha256 = sha256
    self.size = size
  }

  /// Reads a receipt; nil for one that was not given out.
  init?(_ text: String, _ signer: TokenSigner) {
    guard let words = signer.words(.receipt, of: text), words.count == 4,
      let size = Int64(words[3])
    else { return nil }
    self.init(place: [words[0], words[1]], sha256: words[2], size: size)
  }

  /// The value of a field.
  func json(_ signer: TokenSigner) -> JSONValue {
    var members = JSONObjectWriter()
    members.add("fileChecksum", AssetChecksum.text(ofSHA256: sha256))
    members.add("size", .integer(size))
    members.add("referenceChecksum", AssetChecksum.text(ofSHA256: AssetChecksum.next(sha256)))
    members.add("wrappingKey", AssetChecksum.key(sha256))
    members.add("receipt", signer.token(.receipt, place + [sha256, String(size)]))
    return members.value
  }
}
