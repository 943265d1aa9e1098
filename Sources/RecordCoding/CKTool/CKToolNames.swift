import RecordModel

/// The members that `cktool` has under other names than Web Services. All others have the same.
///
/// Source: the documentation of CKTool JS (`CKDBRecord`, `CKDBRecordReference`, `CKDBAsset`,
/// `CKDBChangeMetadata`, `CKDBErrorRecordResult`).
struct CKToolNames: Sendable {
  private let pairs: [(cktool: String, webServices: String)]

  static let record = Self(pairs: [("zone", "zoneID"), ("shortGuid", "shortGUID")])
  static let reference = Self(pairs: [("zone", "zoneID")])
  static let asset = Self(pairs: [("downloadUrl", "downloadURL")])
  static let stamp = Self(pairs: [("deviceId", "deviceID")])
  static let error = Self(pairs: [("errorCode", "serverErrorCode"), ("message", "reason")])

  /// Returns an object of cktool with the names of Web Services; other values unchanged.
  ///
  /// - Throws: ``RecordCodingError`` for an object that has a member under both names.
  func webServices(_ json: JSONValue) throws -> JSONValue {
    guard let members = json.members else { return json }
    let renamed = try members.map { member in
      guard let pair = pairs.first(where: { $0.cktool.sameScalars(as: member.name) }) else {
        return member
      }
      guard json[pair.webServices] == nil else {
        throw member.value.error(
          found: "'\(pair.cktool)' beside '\(pair.webServices)'", expected: "one of them"
        ).inside(member: pair.cktool)
      }
      return JSONValue.Member(pair.webServices, member.value)
    }
    return JSONValue(.object(renamed), offset: json.offset)
  }

  /// Returns the members of an object with the names of cktool.
  ///
  /// - Parameter losses: counts members that have such a name already, and are left out.
  func cktool(_ json: JSONValue, _ losses: inout ResponseLosses) -> [JSONValue.Member] {
    (json.members ?? []).compactMap { member in
      guard !pairs.contains(where: { $0.cktool.sameScalars(as: member.name) }) else {
        losses.add(.details)
        return nil
      }
      let pair = pairs.first { $0.webServices.sameScalars(as: member.name) }
      return JSONValue.Member(pair?.cktool ?? member.name, member.value)
    }
  }
}

/// The `type` of a field in cktool's dialect: `stringType`, `int64ListType`.
enum CKToolType {
  private static let ending = "Type"
  private static let encrypted = "encrypted"
  private static let emptyList = "emptyListType"

  /// Returns the name of Web Services for a tag, or the tag itself if it is not known.
  ///
  /// No source has the tags of encrypted fields; `encryptedStringType` is read as one, after the
  /// name of the class `CKDBRecordFieldEncryptedStringValue`.
  static func webServicesName(of tag: String) -> String {
    guard tag.hasSuffix(ending), tag.utf8.allSatisfy({ $0 < 0x80 }) else { return tag }
    var name = tag.dropLast(ending.count)
    let isEncrypted = name.hasPrefix(encrypted)
    if isEncrypted { name = name.dropFirst(encrypted.count) }
    var words = ""
    for character in name {
      if character.isUppercase, !words.isEmpty { words.append("_") }
      words += character.uppercased()
    }
    guard FieldType(spelling: words).type != nil else { return tag }
    return isEncrypted ? FieldType.encryptedPrefix + words : words
  }

  /// Returns the tag of a type; the name of an unknown one unchanged.
  static func tag(of type: FieldType) -> String {
    guard let known = type.type else { return type.name }
    guard known != .emptyList else { return emptyList }
    let words = known.rawValue.lowercased().split(separator: "_")
    return words[0] + words.dropFirst().map(\.capitalized).joined() + ending
  }
}

extension Substring {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
