import RecordModel
import RecordPages
import RecordSchema
import RecordText

/// The inputs of a field in the form of a record.
struct FieldInputView {
  let field: FieldInput
  /// The identifier of the first input, which its label names.
  let id: String

  private var prefix: String { FieldInput.prefix(field.name) }

  var html: HTML {
    let error: HTML? = field.error.map { "<p class=\"problem\" id=\"\(id)-error\">\($0)</p>" }
    let encrypted: HTML? = field.type.isEncrypted ? " <span class=\"badge\">encrypted</span>" : nil
    return """
      <fieldset class="field" data-field="\(prefix)"\("data-invalid", if: field.error != nil)>
      <legend><bdi>\(field.name)</bdi> <span class="quiet">\(field.type.description)</span>\
      \(encrypted)</legend>
      <div class="inputs">\(hidden)
      \(covered)
      \(lossy)
      \(inputs)
      \(blankChoice)
      \(error)
      </div></fieldset>
      """
  }

  private var hidden: HTML {
    let hasCount = field.type.isList && field.listText == nil
    return ConsoleRequest.plainInputs([
      (prefix + "type", field.type.formText), (prefix + "opened", field.opened),
      (prefix + "covered", field.hasCovered ? "1" : nil),
      (prefix + "count", hasCount ? String(field.items.count) : nil),
    ])
  }

  private var covered: HTML? {
    guard field.type.isEncrypted, field.hasCovered else { return nil }
    return """
      <p class="quiet">The record has a value, which is covered. Enter another one to replace it.</p>
      """
  }

  private var lossy: HTML? {
    guard field.items.contains(where: \.isLossy) else { return nil }
    return """
      <p class="quiet">The value has characters that a form cannot have. They stay unless you change \
      the field.</p>
      """
  }

  // MARK: Inputs

  private var inputs: HTML {
    if let text = field.listText {
      return """
        <label class="wide">JSON of the list, which has more than \(FieldInput.maxItems) elements
        <textarea id="\(id)" name="\(prefix)list" rows="6" spellcheck="false"\(described)>\
        \(Self.area(text))</textarea></label>
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
  private struct Inputs {
    let item: FieldItem
    let id: String
    /// The beginning of the names of the inputs.
    let name: String
    /// The attribute that leads to the error of the field.
    let described: HTML

    func callAsFunction(
      _ part: String, _ words: HTML,
      _ attributes: HTML = " autocomplete=\"off\" spellcheck=\"false\""
    ) -> HTML {
      let id = part == "text" || part == "latitude" ? id : "\(id)-\(part)"
      guard !item[part].utf8.contains(UInt8(ascii: "\n")) else {
        return """
          <label>\(words)<textarea id="\(id)" name="\(name)\(part)" rows="2" dir="auto" autocomplete="off"\
          \(described)>\(FieldInputView.area(item[part]))</textarea></label>
          """
      }
      return """
        <label>\(words)<input id="\(id)" name="\(name)\(part)" \
        value="\(HTML(editable: item[part]))"\(attributes)\(described)></label>
        """
    }
  }

  private func item(_ item: FieldItem, _ place: String, _ id: String, _ label: String) -> HTML {
    let inputs = Inputs(
      item: item, id: id, name: "\(prefix)\(place)/", described: described)
    switch field.type.primitive {
    case .string:
      let rows =
        item["text"].utf8.contains(UInt8(ascii: "\n")) || item["text"].utf8.count > 80 ? 5 : 1
      return """
        <textarea id="\(id)" name="\(inputs.name)text" rows="\(rows)" dir="auto" aria-label="\(label)" \
        autocomplete="off"\(described)>\(Self.area(item["text"]))</textarea>
        """
    case .bytes:
      return """
        <label class="wide">Base64<textarea id="\(id)" name="\(inputs.name)text" rows="2" \
        spellcheck="false" autocomplete="off"\(described)>\(Self.area(item["text"]))</textarea></label>
        """
    case .int64:
      return inputs("text", Self.hidden("Integer"), " inputmode=\"numeric\" autocomplete=\"off\"")
    case .double, .number:
      return inputs("text", Self.hidden("Number"), " inputmode=\"decimal\" autocomplete=\"off\"")
    case .timestamp:
      let zone = item["timezone"].isEmpty ? "UTC" : item["timezone"]
      return """
        \(inputs("text", "Date and time", " type=\"datetime-local\" step=\"0.001\""))
        <label>Time zone<input name="\(inputs.name)timezone" value="\(HTML(editable: zone))" \
        list="time-zones" autocomplete="off" spellcheck="false"></label>
        """
    case .location: return location(inputs)
    case .reference: return reference(inputs)
    case .asset: return asset(inputs)
    }
  }

  private func location(_ inputs: Inputs) -> HTML {
    let names = FieldItem.names(of: .location).dropFirst(2)
    let more = names.map { part in inputs(part, "\(Self.words[part] ?? part)") }
    let isOpen = names.contains { !inputs.item[$0].isEmpty }
    return """
      \(inputs("latitude", "Latitude", " inputmode=\"decimal\" autocomplete=\"off\""))
      \(inputs("longitude", "Longitude", " inputmode=\"decimal\" autocomplete=\"off\""))
      <details\("open", if: isOpen)><summary>More of the location</summary>\
      <div class="inputs">\(more)</div></details>
      """
  }

  private func reference(_ inputs: Inputs) -> HTML {
    let action = inputs.item["action"]
    let actions = ["NONE", "DELETE_SELF"] + (action == "VALIDATE" ? [action] : [])
    return """
      \(inputs("text", "Record name", " data-find=\"1\" autocomplete=\"off\" spellcheck=\"false\""))
      \(inputs("zone", "Zone, if another"))
      \(inputs("owner", "Owner of the zone"))
      \(ConsoleRequest.select("\(inputs.name)action", "Action", words: actions, selected: action))
      """
  }

  private func asset(_ inputs: Inputs) -> HTML {
    let stored: HTML? = inputs.item.storedAsset.map { place, size in
      let text = size.map { "\(place)/\($0)" } ?? "\(place)"
      return """
        <span>Stored file\(size.map { ", \(Numbers.size($0))" } ?? "")</span>\
        \(ConsoleRequest.plainInput("\(inputs.name)stored", text))
        """
    }
    if field.type.isList { return stored ?? .empty }
    return """
      \(stored)<label>\(stored == nil ? "File" : "Another file")\
      <input type="file" id="\(inputs.id)" name="\(inputs.name)file"\(described)></label>
      """
  }

  private static let words = [
    "altitude": "Altitude, in metres", "horizontalAccuracy": "Horizontal accuracy, in metres",
    "verticalAccuracy": "Vertical accuracy, in metres", "course": "Course, in degrees",
    "speed": "Speed, in metres per second", "timestamp": "Time, in UTC",
  ]

  /// The label of an input that the title of the field explains.
  private static func hidden(_ words: HTML) -> HTML { "<span class=\"hidden\">\(words)</span>" }

  private var described: HTML {
    field.error == nil ? .empty : " aria-invalid=\"true\" aria-describedby=\"\(id)-error\""
  }

  /// The content of a text area, which loses a line break at its beginning.
  private static func area(_ text: String) -> HTML { "\n\(HTML(editable: text))" }

  // MARK: Empty inputs

  private var blankChoice: HTML? {
    var choices = [(FieldInput.Blank.none.rawValue, "no value")]
    if field.canBeEmpty {
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

extension ConsoleRequest {
  /// Hidden inputs, except those without a value.
  static func plainInputs(_ inputs: [(String, String?)]) -> HTML {
    .joined(inputs.compactMap { name, value in value.map { plainInput(name, $0) } })
  }

  /// A hidden input whose value no form changes: without control characters.
  static func plainInput(_ name: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(HTML(editable: value))\">"
  }
}
