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
