import RecordCoding

extension HTML {
  /// JSON with a line for each member and element.
  ///
  /// - Parameter limit: The number of characters above which the text ends; nil for none.
  package init(json: JSONValue, limit: Int? = nil) {
    var text = ""
    Self.write(json, indent: 0, to: &text)
    guard let limit, text.utf8.count > limit else {
      self.init(text: text, keepsLines: true)
      return
    }
    self.init(text: String(text.prefix(limit)), keepsLines: true)
    self += "\n<span class=\"quiet\">… the rest is not shown</span>"
  }

  /// The depth below which a value is on one line.
  private static let maxIndent = 40

  private static func write(_ json: JSONValue, indent: Int, to text: inout String) {
    let items: [(label: String, value: JSONValue)]
    let (open, close): (String, String)
    if let members = json.members, !members.isEmpty {
      items = members.map { (JSONValue.string($0.name).compactText + ": ", $0.value) }
      (open, close) = ("{", "}")
    } else if let elements = json.elements, !elements.isEmpty {
      items = elements.map { ("", $0) }
      (open, close) = ("[", "]")
    } else {
      text += json.compactText
      return
    }
    guard indent < maxIndent else {
      text += json.compactText
      return
    }
    let margin = String(repeating: "  ", count: indent)
    text += open
    for (index, item) in items.enumerated() {
      text += (index == 0 ? "\n  " : ",\n  ") + margin + item.label
      write(item.value, indent: indent + 1, to: &text)
    }
    text += "\n" + margin + close
  }
}
