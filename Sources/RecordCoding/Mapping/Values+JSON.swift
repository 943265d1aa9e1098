import RecordModel
import RecordPlatform

import struct Foundation.Data
import struct Foundation.URL

extension Location: JSONMapped {
  package static var noun: String { "a location" }
  package static var empty: Location { Location(latitude: 0, longitude: 0) }

  package mutating func map(_ members: inout some MemberMap) throws {
    try members.map(required: "latitude", &latitude)
    try members.map(required: "longitude", &longitude)
    try members.map("altitude", &altitude)
    try members.map("horizontalAccuracy", &horizontalAccuracy)
    try members.map("verticalAccuracy", &verticalAccuracy)
    try members.map("course", &course)
    try members.map("speed", &speed)
    try members.map("timestamp", &timestamp)
  }
}

extension Reference.Action: JSONEnum {}

extension Reference: JSONConvertible {
  /// Reads a reference; without a zone, it is to that of the context.
  package init(json: JSONValue, _ context: DecodingContext) throws {
    var members = try JSONObjectReader(json, "a reference", context)
    let name = try members.requiredName("recordName")
    var zoneID = context.zoneID
    if let zone = try members.read("zoneID", { try ZoneID.read($0, context) }) {
      zoneID = zone.zoneID == context.zoneID ? context.zoneID : zone.zoneID
      zoneID = context.zones?.addReference(to: zoneID, zone.others) ?? zoneID
    }
    self.init(
      recordID: RecordID(recordName: name, zoneID: zoneID),
      action: try members.value("action") ?? .none, otherMembers: members.others())
  }

  /// The error for a reference that no reader accepts.
  static let emptyName = RecordCodingError(
    found: "a reference to a record with an empty name", expected: "at least one character")

  package func jsonValue(in zoneID: ZoneID) throws -> JSONValue {
    guard !recordID.packedName.isEmpty else { throw Self.emptyName }
    var members = JSONObjectWriter()
    members.add("recordName", recordID.recordName)
    try members.add("zoneID", recordID.zoneID == zoneID ? nil : recordID.zoneID)
    members.add("action", action.rawValue)
    try members.add(otherMembers)
    return members.value
  }
}

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

/// The unsaved content of a draft's assets, encoded with the draft:
/// `{"photo":[{"data":"…"}],"files":[null,{"fileURL":"file:///…"}]}`.
///
/// It is separate from the fields: only drafts are decoded with content, so that a record in an
/// untrusted file cannot refer to a local file.
struct AssetContents {
  /// The fields, with the content of their assets removed.
  private(set) var strippedFields: [Field] = []
  /// The content of each asset, for fields that have any.
  private var contents: [(name: String, list: [Asset.Content?])] = []

  /// Removes the content from the assets of fields.
  init(of fields: [Field]) {
    for field in fields {
      let contents = field.value.assets.map(\.content)
      guard contents.contains(where: { $0 != nil }) else {
        strippedFields.append(field)
        continue
      }
      self.contents.append((field.name, contents))
      strippedFields.append(field.settingContents(contents.map { _ in nil }))
    }
  }

  init(json: JSONValue) throws {
    guard let members = json.members else {
      throw json.error(expected: "an object: the content of assets")
    }
    contents = try members.map { member in
      let list = try inside(member: member.name) {
        try member.value.expectElements(Asset.Content.read)
      }
      return (member.name, list)
    }
  }

  /// The content by field; nil if there is none.
  var jsonValue: JSONValue? {
    guard !contents.isEmpty else { return nil }
    return .object(
      contents.map { name, list in
        JSONValue.Member(name, .array(list.map { $0?.jsonValue ?? .null }))
      })
  }

  /// Returns the fields of a draft that have content, with their content.
  func fields(of draft: DraftRecord) throws -> [Field] {
    try contents.map { name, list in
      let field = draft.field(named: name)
      let count = field?.value.assets.count ?? 0
      guard let field, count == list.count else {
        throw RecordCodingError(
          found: "content for \(list.count) assets",
          expected: "content for the \(count) assets of the field"
        ).inside(member: name)
      }
      return field.settingContents(list)
    }
  }
}

extension Field {
  fileprivate func settingContents(_ contents: [Asset.Content?]) -> Field {
    let assets = zip(value.assets, contents).map { asset, content in
      var asset = asset
      asset.content = content
      return asset
    }
    if case .asset = value { return replacing(.asset(assets[0])) }
    return replacing(.assetList(assets))
  }
}

extension Asset.Content {
  fileprivate static func read(_ json: JSONValue) throws -> Asset.Content? {
    if json.isNull { return nil }
    var members = try JSONObjectReader(json, "the content of an asset")
    if let data = try members.value("data", Data.self) { return .data(data) }
    return .file(
      try members.require("fileURL") { json in
        guard let url = URL(string: try String(json: json)), url.isFileURL else {
          throw json.error(
            found: "a URL that is not a file URL", expected: "a URL that starts with file:///")
        }
        return url
      })
  }

  fileprivate var jsonValue: JSONValue {
    switch self {
    case .data(let data): .object([.init("data", data.jsonValue(in: .default))])
    case .file(let url): .object([.init("fileURL", .string(url.absoluteString))])
    }
  }
}
