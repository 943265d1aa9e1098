import RecordModel

import struct Foundation.Data
import struct Foundation.URL

/// The content of a draft's assets that is not stored yet, which travels with the draft:
/// `{"photo":[{"data":"…"}],"files":[null,{"fileURL":"file:///…"}]}`.
///
/// It stands apart from the fields: nothing but a draft is ever read with content, so that no
/// record of an untrusted file can name a local one.
struct AssetContents {
  /// The fields without the content of their assets.
  private(set) var strippedFields: [Field] = []
  /// The content of each asset of a field, for fields that have some.
  private var contents: [(name: String, list: [Asset.Content?])] = []

  /// Takes the content out of the assets.
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

  /// The contents by field; nil where there are none.
  var jsonValue: JSONValue? {
    guard !contents.isEmpty else { return nil }
    return .object(
      contents.map { name, list in
        JSONValue.Member(name, .array(list.map { $0?.jsonValue ?? .null }))
      })
  }

  /// The fields of a draft that have content, with it.
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
  /// The field with these contents in its assets.
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
  /// The assets in the value; empty for other types.
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
