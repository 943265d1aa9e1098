import RecordText
import Testing

extension ResultRecord: CustomTestStringConvertible {
  /// The record on one line, as Swift Testing shows it: `Message 'm1' of 'Chats' [2k] text: "Hi"`.
  /// Values of encrypted fields are covered.
  public var testDescription: String {
    let words = FieldText(showEncrypted: false)
    let fields = fields.map { "\($0.name.visible): \(words.line($0))" }
    let tag = recordChangeTag.map { " [\($0.visible)]" } ?? ""
    return title + tag + (fields.isEmpty ? "" : " " + fields.joined(separator: ", "))
  }

  /// The type and identity in words.
  var title: String {
    let zone = recordID.zoneID.isDefault ? "" : " of '\(recordID.zoneID.description.visible)'"
    return "\(recordType.visible) '\(recordID.recordName.visible)'\(zone)"
  }
}
