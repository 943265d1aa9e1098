import RecordModel

import struct Foundation.Data
import struct Foundation.URL

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
      let assets = field.value.assets
      guard assets.contains(where: { $0.content != nil }) else {
        strippedFields.append(field)
        continue
      }
      contents.append((field.name, assets.map(\.content)))
      strippedFields.append(field.settingContents(assets.map { _ in nil }))
    }
  }

  init(json: JSONValue) throws(RecordCodingError) {
    guard let members = json.members else {
      throw RecordCodingError(
        offset: json.offset, found: json.kind, expected: "an object: the content of assets")
    }
    for member in members {
      do throws(RecordCodingError) {
        let list = try member.value.expectElements(Asset.Content.read)
        contents.append((member.name, list))
      } catch {
        throw error.inside(member: member.name)
      }
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
  func fields(of draft: DraftRecord) throws(RecordCodingError) -> [Field] {
    var fields: [Field] = []
    for (name, list) in contents {
      guard let field = draft.field(named: name), field.value.assets.count == list.count else {
        throw RecordCodingError(
          found: "the content of \(list.count) assets, which the field does not have",
          expected: "as many as there are in the field"
        ).inside(member: name)
      }
      fields.append(field.settingContents(list))
    }
    return fields
  }
}

extension Field {
  /// Returns the field with this content in its assets.
  fileprivate func settingContents(_ contents: [Asset.Content?]) -> Field {
    let assets = zip(value.assets, contents).map { asset, content in
      var asset = asset
      asset.content = content
      return asset
    }
    let value: RecordValue =
      if case .asset = self.value { .asset(assets[0]) } else { .assetList(assets) }
    return Field(
      interned: interned, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }
}

extension RecordValue {
  /// The assets in the value; empty for values of other types.
  fileprivate var assets: [Asset] {
    switch self {
    case .asset(let asset): [asset]
    case .assetList(let assets): assets
    default: []
    }
  }
}

extension Asset.Content {
  fileprivate static func read(_ json: JSONValue) throws(RecordCodingError) -> Asset.Content? {
    if json.isNull { return nil }
    var members = try MemberReader(json, "the content of an asset")
    if let data = try members.read(
      "data", { (json) throws(RecordCodingError) in try json.bytes(MappingContext()) })
    {
      return .data(data)
    }
    let text = try members.requiredString("fileURL")
    guard let url = URL(string: text), url.isFileURL else {
      throw RecordCodingError(
        offset: json.offset, found: "a URL that is no file's", expected: "one that begins file:///"
      ).inside(member: "fileURL")
    }
    return .file(url)
  }

  fileprivate var jsonValue: JSONValue {
    switch self {
    case .data(let data): .object([JSONValue.Member("data", .bytes(data))])
    case .file(let url): .object([JSONValue.Member("fileURL", .string(url.absoluteString))])
    }
  }
}
