import RecordText

/// Markup for a page. What is interpolated as a string is text, which cannot become markup.
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
    let visible = keepsLines ? text.visibleLines : text.visible
    guard visible.utf8.contains(where: { Self.entity($0) != nil }) else {
      self.text = visible
      return
    }
    var markup: [UInt8] = []
    markup.reserveCapacity(visible.utf8.count + 16)
    for byte in visible.utf8 {
      if let entity = Self.entity(byte) {
        markup += entity.utf8
      } else {
        markup.append(byte)
      }
    }
    self.text = String(decoding: markup, as: UTF8.self)
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
    /// Appends an attribute without a value, such as `checked`, if it holds.
    package mutating func appendInterpolation(_ name: StaticString, if holds: Bool) {
      if holds { markup += " \(name)" }
    }
  }
}
