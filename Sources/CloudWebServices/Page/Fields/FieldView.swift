import RecordModel
import RecordPages
import RecordText

/// The value of a field: references lead to their records, and images are seen.
struct FieldView {
  let context: ConsoleRequest
  let record: ResultRecord
  let database: DatabaseScope

  /// The number of references and assets of a list that are shown.
  private static let maxElements = 100
  /// The number of characters of a text that are shown, of a single one and in a list.
  static let maxText = 20_000
  private static let maxElementText = 2_000
  /// The number of references of a list that a cell shows, and of characters.
  private static let (maxLinks, maxCell) = (3, 200)

  /// Whether the value is encrypted, and the page covers it.
  func isCovered(_ field: Field) -> Bool { field.isEncrypted && !context.showsEncrypted }

  func html(_ field: Field) -> HTML {
    if isCovered(field) { return ConsoleRequest.covered }
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
    if text.isEmpty { return "<span class=\"quiet\">empty text</span>" }
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
    return """
      <ul>
      \(items.map { "<li>\($0)</li>" as HTML })
      \(when: rest > 0, "<li class=\"quiet\">\(Numbers.grouped(rest)) more</li>")</ul>
      """
  }

  private func reference(_ reference: Reference) -> HTML {
    let action: HTML? =
      reference.action == .none
      ? nil : " <span class=\"badge\">\(reference.action.rawValue)</span>"
    let zone: HTML? =
      reference.recordID.zoneID == record.recordID.zoneID
      ? nil : " in \(ConsoleRequest.words(reference.recordID.zoneID))"
    return """
      \(context.anchor(reference.recordID, in: database)) \(target(of: reference.recordID))\(zone)\(action)
      """
  }

  /// The title of the record that a reference leads to, or that there is none.
  private func target(of recordID: RecordID) -> HTML? {
    guard
      let found = try? context.store.snapshot({ try $0.readableRecord(recordID, in: database) }),
      case .success(let stored) = found
    else { return nil }
    if let title = stored.flatMap({ context.title(of: $0.record) }) {
      return "<span class=\"quiet\"><bdi>\(title)</bdi></span>"
    }
    // The server makes the records of users.
    let isUser = recordID.zoneID == .default && recordID.recordName.hasPrefix("_")
    return stored == nil && !isUser ? "<span class=\"removed\">not there</span>" : nil
  }

  private func asset(_ asset: Asset, of field: Field) -> HTML {
    let size = size(of: asset)
    guard let sha256 = asset.sha256 else {
      return "\(size) <span class=\"quiet\">(the content is not there)</span>"
    }
    let path = context.link(.asset, [("sha256", sha256)])
    return """
      \(size), <a href="\(path)" download="\(field.name)">download</a>\(picture(asset, of: field) ?? "<br>")
      <code>\(sha256)</code>
      """
  }

  private func size(of asset: Asset) -> HTML { "\(asset.size.map { Numbers.size($0) } ?? "asset")" }

  /// An asset that is an image; nil for another one.
  func picture(_ asset: Asset, of field: Field, cssClass: HTML? = nil) -> HTML? {
    guard let sha256 = asset.sha256, AssetFileView(context: context).imageType(sha256) != nil else {
      return nil
    }
    let path = context.link(.asset, [("sha256", sha256)])
    let size = asset.size.map { ", " + Numbers.size($0) } ?? ""
    let style: HTML? = cssClass.map { " class=\"\($0)\"" }
    return "<img\(style) src=\"\(path)\" alt=\"\(field.name + size)\" loading=\"lazy\">"
  }

  // MARK: Cells

  /// The value as a cell of a table.
  func cell(_ field: Field) -> HTML {
    if isCovered(field) { return "<td>\(ConsoleRequest.covered)</td>" }
    switch field.value {
    case .reference, .referenceList:
      let references = field.value.references
      let links = references.prefix(Self.maxLinks).map { context.anchor($0.recordID, in: database) }
      let rest = references.count - links.count
      return """
        <td>\(HTML.joined(links, by: ", "))\
        \(when: rest > 0, " <span class=\"quiet\">and \(rest) more</span>")</td>
        """
    case .timestamp(let date): return "<td>\(ConsoleRequest.words(date))</td>"
    case .asset(let asset):
      return "<td>\(picture(asset, of: field, cssClass: "thumbnail") ?? size(of: asset))</td>"
    case .bytes(let data): return "<td>\(Numbers.size(data.count))</td>"
    default:
      let text = (try? field.value.cellText(context.disclosure, inWords: true)) ?? ""
      if text.isEmpty { return "<td class=\"quiet\">empty</td>" }
      if field.value.isNumber { return "<td class=\"number\">\(text)</td>" }
      let shown = text.prefix(Self.maxCell) + (text.dropFirst(Self.maxCell).isEmpty ? "" : "…")
      return "<td title=\"\(String(shown))\"><bdi>\(String(shown))</bdi></td>"
    }
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
