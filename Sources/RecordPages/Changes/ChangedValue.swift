import RecordArchive
import RecordModel
import RecordText

/// The old and the new value of a field as the cells of a row, with the same values hidden as in a
/// difference as text.
struct ChangedValue {
  private let disclosure: RecordDisclosure
  private let words: FieldText
  private let exact: ExactDifference

  init(showEncrypted: Bool) {
    disclosure = RecordDisclosure(showEncrypted: showEncrypted)
    words = FieldText(showEncrypted: showEncrypted)
    exact = ExactDifference(showEncrypted: showEncrypted)
  }

  /// The characters of a part that are shown, and those of an unchanged one beside a change.
  private static let (maxPart, context) = (4000, 200)

  // MARK: Rows

  func row(_ change: RecordDifference.FieldChange) -> HTML {
    "<tr><th scope=\"row\">\(change.name)</th>\(cells(change))</tr>"
  }

  func row(_ change: RecordDifference.SystemChange) -> HTML {
    let texts = [change.before, change.after].map { text in
      text.map { disclosure.shown($0, named: change.field.name) }
    }
    let name: HTML = "<tr class=\"system\"><th scope=\"row\">\(change.field.name)</th>"
    let (old, new) = (texts[0], texts[1])
    return "\(name)\(cells(old, new) { ExactDifference.words(old ?? "", new ?? "") })</tr>"
  }

  private func cells(_ change: RecordDifference.FieldChange) -> HTML {
    guard let before = change.before, let after = change.after else {
      return "\(cell(change.before, "del"))\(cell(change.after, "ins"))"
    }
    let isHidden = [before, after].map { $0.isEncrypted && !words.showEncrypted }
    if isHidden == [true, true] {
      return Self.note(FieldText.masked, exact.words(before, after))
    }
    let isSameType =
      before.isEncrypted == after.isEncrypted
      && compareUTF8(before.value.typeName, after.value.typeName) == 0
    guard isSameType else {
      return "\(cell(before, "del", withType: true))\(cell(after, "ins", withType: true))"
    }
    if case .string(let old) = before.value, case .string(let new) = after.value {
      if old.looksLike(new) { return Self.note(old, exact.words(before, after)) }
      let difference = TextDifference(from: old, to: new)
      return """
        <td>\(Self.text(difference.before, "del"))</td>\
        <td>\(Self.text(difference.after, "ins"))</td>
        """
    }
    let (old, new) = (words.lines(before), words.lines(after))
    guard before.value.type?.isList == true, old != new else {
      let (old, new) = (old.joined(separator: "\n"), new.joined(separator: "\n"))
      return cells(old, new) { exact.words(before, after) }
    }
    let difference = TextDifference(old.map { $0[...] + "\n" }, new.map { $0[...] + "\n" })
    return """
      <td>\(Self.text(difference.before, "del"))</td>\
      <td>\(Self.text(difference.after, "ins"))</td>
      """
  }

  /// - Parameter exact: Says how two values differ that look the same.
  private func cells(_ before: String?, _ after: String?, _ exact: () -> String) -> HTML {
    if let before, let after, before.looksLike(after) { return Self.note(before, exact()) }
    return "\(Self.cell(before, "del"))\(Self.cell(after, "ins"))"
  }

  // MARK: Cells

  private func cell(_ field: Field?, _ mark: StaticString, withType: Bool = false) -> HTML {
    guard let field else { return "<td></td>" }
    let type: HTML? =
      withType
      ? " <span class=\"quiet\">\(field.isEncrypted ? "ENCRYPTED " : "")\(field.value.typeName)</span>"
      : nil
    if field.isEncrypted, !words.showEncrypted {
      return "<td><span class=\"covered\">\(FieldText.masked)</span>\(type)</td>"
    }
    let text = words.lines(field).joined(separator: "\n")
    return "<td>\(Self.text([.init(text: text, isCommon: false)], mark))\(type)</td>"
  }

  private static func cell(_ text: String?, _ mark: StaticString) -> HTML {
    guard let text else { return "<td></td>" }
    return "<td>\(Self.text([.init(text: text, isCommon: false)], mark))</td>"
  }

  /// One cell for both values, which look the same.
  private static func note(_ text: String, _ words: String) -> HTML {
    let shown = cut(text, to: context, fromStart: true)
    return """
      <td colspan="2"><span class="covered">\(HTML(text: shown, keepsLines: true))</span>\
      <span class="changed">, \(words)</span></td>
      """
  }

  /// A text with marks around what is not in the other one. Much that is in both is left out.
  static func text(_ parts: [TextDifference.Part], _ mark: StaticString) -> HTML {
    let parts = parts.filter { !$0.text.isEmpty }
    guard !parts.isEmpty else { return "<span class=\"quiet\">(empty)</span>" }
    var html = HTML.empty
    for (place, part) in parts.enumerated() {
      guard part.isCommon else {
        let text = HTML(text: cut(part.text, to: maxPart, fromStart: true), keepsLines: true)
        html += HTML(markup: "<\(mark)>\(text.text)</\(mark)>")
        continue
      }
      var text = part.text
      if place == 0, parts.count > 1 {
        text = cut(text, to: context, fromStart: false)
      } else if place == parts.count - 1 {
        text = cut(text, to: context, fromStart: true)
      } else if text.count > 3 * context {
        text =
          cut(text, to: context, fromStart: true) + " " + cut(text, to: context, fromStart: false)
      }
      html += HTML(text: text, keepsLines: true)
    }
    return html
  }

  /// The start or the end of a long text, with an ellipsis.
  private static func cut(_ text: String, to count: Int, fromStart: Bool) -> String {
    // A few more characters are as short as the ellipsis.
    guard text.count > count + 20 else { return text }
    return fromStart ? text.prefix(count) + "…" : "…" + text.suffix(count)
  }
}
