import RecordText
import Testing

extension ResultRecord: CustomTestStringConvertible {
  /// The record on one line, as Swift Testing shows it: `Message 'm1' of 'Chats' [2k] text: "Hi"`.
  /// Values of encrypted fields are covered.
  public var testDescription: String { systemFields.title + fields.testText }
}

extension DraftRecord: CustomTestStringConvertible {
  /// The record on one line, with the names of its changed fields. Values of encrypted fields are
  /// covered.
  public var testDescription: String {
    let keys = changedKeys().map(\.visible).joined(separator: ", ")
    return "\(systemFields.title)\(fields.testText)\(keys.isEmpty ? "" : ", changing \(keys)")"
  }
}

extension SystemFields {
  /// The type, identity and change tag in words.
  fileprivate var title: String {
    recordID.title(ofType: recordType) + (recordChangeTag.map { " [\($0.visible)]" } ?? "")
  }
}

extension RecordID {
  /// The type and identity in words.
  func title(ofType recordType: String) -> String {
    let zone = zoneID == .default ? "" : " of '\(zoneID.zoneName.visible)'"
    let owner =
      zoneID.ownerName == ZoneID.currentUserOwnerName
      ? "" : " owned by '\(zoneID.ownerName.visible)'"
    return "\(recordType.visible) '\(recordName.visible)'\(zone)\(owner)"
  }
}

extension Sequence<Field> {
  /// The fields on one line, as many as a person reads.
  fileprivate var testText: String {
    let words = FieldText(showEncrypted: false)
    var texts: [String] = []
    for field in self {
      guard texts.count < 40 else { return " " + texts.joined(separator: ", ") + ", …" }
      texts.append("\(field.name.visible): \(words.line(field))")
    }
    return texts.isEmpty ? "" : " " + texts.joined(separator: ", ")
  }
}
