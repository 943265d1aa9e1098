import Foundation
import RecordModel
import RecordPages
import RecordText

/// The value of a field: references lead to their records, and images are seen.
struct FieldView {
  let context: PageContext
  let record: ResultRecord
  let database: DatabaseScope

  /// The number of references and assets of a list that are shown.
  private static let maxElements = 100
  /// The number of characters of a text that are shown, of a single one and in a list.
  static let maxText = 20_000
  private static let maxElementText = 2_000

  func html(_ field: Field) -> HTML {
    if field.isEncrypted, !context.showsEncrypted { return PageContext.covered }
    switch field.value {
    case .reference(let reference): return self.reference(reference)
    case .referenceList(let references):
      return list(references.prefix(Self.maxElements).map(reference), of: references.count)
    case .asset(let asset): return self.asset(asset, of: field)
    case .assetList(let assets):
      return list(
        assets.prefix(Self.maxElements).map { self.asset($0, of: field) }, of: assets.count)
    case .string(let text): return self.text(text, Self.maxText)
    case .stringList(let texts):
      return list(
        texts.prefix(Self.maxElements).map { text($0, Self.maxElementText) }, of: texts.count)
    default:
      let lines = context.fieldText.lines(field)
      return lines.count == 1
        ? text(lines[0], Self.maxText)
        : list(lines.map { "<bdi>\($0)</bdi>" }, of: lines.count)
    }
  }

  /// A text with its line breaks; of a long one, its beginning, unless the address asks for all.
  private func text(_ text: String, _ limit: Int) -> HTML {
    let limit = context.showsAll ? .max : limit
    guard text.utf8.count > limit, text.count > limit else { return "<bdi>\(lines: text)</bdi>" }
    let rest = Numbers.count(text.count - limit, "more character")
    return """
      <bdi>\(lines: String(text.prefix(limit)))</bdi> \
      <span class="quiet">… \(rest)</span> \(context.allLink)
      """
  }

  private func list(_ items: [HTML], of count: Int) -> HTML {
    guard !items.isEmpty else { return "<span class=\"quiet\">empty list</span>" }
    let rest = count - items.count
    let more: HTML? = rest > 0 ? "<li class=\"quiet\">\(Numbers.grouped(rest)) more</li>" : nil
    return "<ul>\n\(items.map { "<li>\($0)</li>" as HTML })\n\(more)</ul>"
  }

  private func reference(_ reference: Reference) -> HTML {
    let action: HTML? =
      reference.action == .none
      ? nil : " <span class=\"badge\">\(reference.action.rawValue)</span>"
    let zone: HTML? =
      reference.recordID.zoneID == record.recordID.zoneID
      ? nil : " in \(PageContext.words(reference.recordID.zoneID))"
    return "\(context.anchor(reference.recordID, in: database))\(zone)\(action)"
  }

  private func asset(_ asset: Asset, of field: Field) -> HTML {
    let size: HTML = "\(asset.size.map { Numbers.size($0) } ?? "asset")"
    guard let sha256 = asset.sha256 else {
      return "\(size) <span class=\"quiet\">(the content is not there)</span>"
    }
    let path = context.link(.asset, [("sha256", sha256)])
    let image: HTML? =
      AssetFileView(context: context).imageType(sha256) == nil
      ? nil : "<img src=\"\(path)\" alt=\"\(field.name)\" loading=\"lazy\">"
    return """
      \(size), <a href="\(path)" download="\(field.name)">download</a>\(image ?? "<br>")
      <code>\(sha256)</code>
      """
  }
}

extension HTML.Interpolation {
  /// Appends text with its line breaks.
  fileprivate mutating func appendInterpolation(lines text: String) {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      if index > 0 { appendLiteral("<br>") }
      appendInterpolation(String(line))
    }
  }
}
