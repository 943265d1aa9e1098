import RecordCoding
import RecordText

/// Markup for a page. An interpolated string is text, which cannot become markup.
///
/// ```swift
/// let cell: HTML = "<td title=\"\(hint)\">\(text)</td>"
/// ```
package struct HTML: Sendable, Hashable {
  /// The markup.
  package private(set) var text: String

  /// Nothing.
  package static let empty: HTML = ""

  /// Creates markup from text that is markup already, such as a file of this package.
  package init(markup: String) { text = markup }

  /// Creates the markup of a text.
  ///
  /// - Parameter keepsLines: whether line breaks are kept; other control characters never are.
  package init(text: String, keepsLines: Bool = false) {
    // A line feed after a carriage return is one character with it, and no line break for Swift.
    let visible =
      keepsLines ? text.replacing("\r\n", with: "\n").visibleLines : text.visible
    self.text = Self.escaped(visible.withoutNoncharacters)
  }

  /// Creates the markup of a text that a reader edits, as the value of an attribute: its characters
  /// are kept, except NUL, which a document cannot contain.
  package init(editable text: String) {
    self.text = Self.escaped(text.replacing("\0", with: "\u{FFFD}").withoutNoncharacters)
  }

  /// Whether a document can show a text as it is, without escaped characters.
  package static func isExact(_ text: String) -> Bool {
    HTML(text: text).text.utf8.elementsEqual(escaped(text).utf8)
  }

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { entity($0) != nil }) else { return text }
    var markup: [UInt8] = []
    markup.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      if let entity = entity(byte) {
        markup += entity.utf8
      } else {
        markup.append(byte)
      }
    }
    return String(decoding: markup, as: UTF8.self)
  }

  private static func entity(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }

  /// Whether there is nothing.
  package var isEmpty: Bool { text.isEmpty }

  /// Returns pieces of markup with a separator between them.
  package static func joined(_ pieces: some Sequence<HTML>, by separator: HTML = .empty) -> HTML {
    HTML(markup: pieces.lazy.map(\.text).joined(separator: separator.text))
  }

  /// The mark of an encrypted field.
  package static let encrypted: HTML = "<span class=\"badge\">encrypted</span>"

  /// Returns facts on one line.
  package static func line(_ facts: [HTML?]) -> HTML { joined(facts.compactMap(\.self), by: " · ") }

  /// The most important facts of a page, each with its words.
  package static func figures(_ facts: [(value: HTML, words: String)]) -> HTML {
    let items = facts.map { "<li><strong>\($0)</strong> <span>\($1)</span></li>" as HTML }
    return "<ul class=\"figures\">\n\(items)\n</ul>"
  }

  package static func + (a: HTML, b: HTML) -> HTML { HTML(markup: a.text + b.text) }
  package static func += (a: inout HTML, b: HTML) { a.text += b.text }
}

extension HTML: ExpressibleByStringInterpolation {
  package init(stringLiteral: String) { self.init(markup: stringLiteral) }
  package init(stringInterpolation: Interpolation) { self.init(markup: stringInterpolation.markup) }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { markup += literal }
    /// Appends text.
    package mutating func appendInterpolation(_ text: String) { markup += HTML(text: text).text }
    /// Appends a number without separators.
    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      markup += String(number)
    }
    /// Appends markup.
    package mutating func appendInterpolation(_ html: HTML) { markup += html.text }
    /// Appends markup, if there is any.
    package mutating func appendInterpolation(_ html: HTML?) { markup += html?.text ?? "" }
    /// Appends pieces of markup, each on a line of its own.
    package mutating func appendInterpolation(_ pieces: some Sequence<HTML>) {
      markup += pieces.lazy.map(\.text).joined(separator: "\n")
    }
    /// Appends markup on a condition.
    package mutating func appendInterpolation(when holds: Bool, _ html: @autoclosure () -> HTML) {
      if holds { markup += html().text }
    }
    /// Appends an attribute without a value, such as `checked`, if it holds.
    package mutating func appendInterpolation(_ name: StaticString, if holds: Bool) {
      if holds { markup += " \(name)" }
    }
  }
}

extension String {
  /// The text with code points escaped that are no characters, and not allowed in a document.
  fileprivate var withoutNoncharacters: String {
    // Their UTF-8 begins with 0xEF or more.
    guard utf8.contains(where: { $0 >= 0xEF }),
      unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint)
    else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.properties.isNoncharacterCodePoint {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

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
