import RecordPages
import RecordText

/// The inputs of a field in the form of a record.
struct FieldInputView {
  let field: FieldInput
  /// The identifier of the first input, which its label names.
  let id: String

  private var prefix: String { FieldInput.prefix(field.name) }

  var html: HTML {
    let error: HTML? = field.error.map { "<p class=\"problem\" id=\"\(id)-error\">\($0)</p>" }
    return """
      <fieldset class="field" data-field="\(prefix)"\("data-invalid", if: field.error != nil)>
      <legend><bdi>\(field.name)</bdi> <span class="quiet">\(field.type.description)</span>\
      \(when: field.type.isEncrypted, " \(HTML.encrypted)")</legend>
      <div class="inputs">\(hidden)
      \(notes)\(inputs)
      \(blankChoice)
      \(error)
      </div></fieldset>
      """
  }

  private var hidden: HTML {
    let hasCount = field.type.isList && field.listText == nil
    return ConsoleRequest.hidden([
      (prefix + "type", field.type.serverName), (prefix + "opened", field.opened),
      (prefix + "covered", field.hasCovered ? "1" : nil),
      (prefix + "count", hasCount ? String(field.items.count) : nil),
    ])
  }

  private var notes: [HTML] {
    let isCovered = field.type.isEncrypted && field.hasCovered
    let notes: [String?] = [
      isCovered
        ? "The record has a value, which is covered. Enter another one to replace it." : nil,
      field.items.contains(where: \.isLossy)
        ? "The value has characters that a form cannot have. They stay unless you change the field."
        : nil,
    ]
    return notes.compactMap(\.self).map { "<p class=\"quiet\">\($0)</p>\n" }
  }

  // MARK: Inputs

  private var inputs: HTML {
    if let text = field.listText {
      return """
        <label class="wide">JSON of the list, which has more than \(FieldInput.maxItems) elements
        <textarea id="\(id)" name="\(prefix)list" rows="6" spellcheck="false"\(described)>\
        \(Self.content(text))</textarea></label>
        """
    }
    guard field.type.isList else {
      return item(field.items.first ?? FieldItem(), "0", id, field.name)
    }
    let items = field.items.enumerated().map { index, item -> HTML in
      let label = "\(field.name), element \(index + 1)"
      return """
        <li class="item">\(self.item(item, "\(index)", "\(id)-\(index)", label))\
        <label class="check"><input type="checkbox" name="\(prefix)\(index)/remove" value="1"\
        \("checked", if: item.isRemoved)>Remove</label></li>
        """
    }
    if field.type.primitive == .asset {
      return """
        <ul class="items">\(items)</ul>
        <label>Add files<input type="file" id="\(id)" name="\(prefix)files" multiple></label>
        """
    }
    return """
      <ul class="items">
      \(items)
      <li class="item new">\(item(FieldItem(), "new", id, "\(field.name), another element"))</li>
      </ul>
      <button class="plain" name="step" value="add \(prefix)" formnovalidate>Add an element</button>
      """
  }

  /// The inputs of one element.
  ///
  /// - Parameter id: the identifier of the first input.
  private func item(_ item: FieldItem, _ place: String, _ id: String, _ label: String) -> HTML {
    let prefix = "\(prefix)\(place)/"
    func area(_ id: String, _ part: String, rows: Int, _ attributes: HTML) -> HTML {
      """
      <textarea id="\(id)" name="\(prefix)\(part)" rows="\(rows)"\(attributes) autocomplete="off"\
      \(described)>\(Self.content(item[part]))</textarea>
      """
    }
    func input(_ input: ValueInput) -> HTML {
      let part = input.name
      let id = part == "text" || part == "latitude" ? id : "\(id)-\(part)"
      let text = item[part].isEmpty && part == "timezone" ? "UTC" : item[part]
      if text.hasLines {
        return "<label>\(input.words)\(area(id, part, rows: 2, " dir=\"auto\""))</label>"
      }
      return """
        <label>\(input.words)<input id="\(id)" name="\(prefix)\(part)" \
        value="\(HTML(editable: text))"\(input.attributes)\(described)></label>
        """
    }
    let parts = ValueInput.all(of: field.type.primitive)
    let text = item["text"]
    switch field.type.primitive {
    case .string:
      let rows = text.hasLines || text.utf8.count > 80 ? 5 : 1
      return area(id, "text", rows: rows, " dir=\"auto\" aria-label=\"\(label)\"")
    case .bytes:
      let area = area(id, "text", rows: 2, " spellcheck=\"false\"")
      return "<label class=\"wide\">\(parts[0].words)\(area)</label>"
    case .location:
      let more = parts.dropFirst(2)
      let isOpen = more.contains { !item[$0.name].isEmpty }
      return """
        \(parts.prefix(2).map(input))
        <details\("open", if: isOpen)><summary>More of the location</summary>\
        <div class="inputs">\(more.map(input))</div></details>
        """
    case .reference:
      let action = item["action"]
      let actions = ["NONE", "DELETE_SELF"] + (action == "VALIDATE" ? [action] : [])
      return """
        \(parts.map(input))
        \(ConsoleRequest.select("\(prefix)action", "Action", actions.map { ($0, $0) }, selected: action))
        """
    case .asset: return asset(item, prefix, id)
    case .int64, .double, .number, .timestamp: return "\(parts.map(input))"
    }
  }

  private func asset(_ item: FieldItem, _ prefix: String, _ id: String) -> HTML {
    let stored: HTML? = item.storedAsset.map { place, size in
      let text = size.map { "\(place)/\($0)" } ?? "\(place)"
      return """
        <span>Stored file\(size.map { ", \(Numbers.size($0))" } ?? "")</span>\
        \(ConsoleRequest.hidden([("\(prefix)stored", text)]))
        """
    }
    if field.type.isList { return stored ?? .empty }
    return """
      \(stored)<label>\(stored == nil ? "File" : "Another file")\
      <input type="file" id="\(id)" name="\(prefix)file"\(described)></label>
      """
  }

  private var described: HTML {
    field.error == nil ? .empty : " aria-invalid=\"true\" aria-describedby=\"\(id)-error\""
  }

  /// The content of a text area, which loses a line break at its beginning.
  private static func content(_ text: String) -> HTML { "\n\(HTML(editable: text))" }

  // MARK: Empty inputs

  private var blankChoice: HTML? {
    var choices = [(FieldInput.Blank.none.rawValue, "no value")]
    if field.emptyValue != nil {
      let empty = field.type.isList ? "an empty list" : "an empty value"
      choices.append((FieldInput.Blank.empty.rawValue, empty))
    }
    if field.hasCovered, !(field.type.isList && field.type.primitive == .asset) {
      choices.append((FieldInput.Blank.keep.rawValue, "the value that it has"))
    }
    guard choices.count > 1, field.listText == nil else { return nil }
    return ConsoleRequest.select(
      prefix + "blank",
      field.type.primitive == .asset ? "Without another file" : "If nothing is entered", choices,
      selected: field.blank.rawValue)
  }
}

extension String {
  fileprivate var hasLines: Bool { utf8.contains(UInt8(ascii: "\n")) }
}
