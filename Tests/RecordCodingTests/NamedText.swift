import Testing

// Every file of these tests uses it.
@_exported import TestSupport

/// A text as a test's argument, which the log names and does not print: it may be of any length.
struct NamedText: Sendable, CustomTestStringConvertible, ExpressibleByStringLiteral {
  let name: String
  let text: String

  init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// A short text is its own name.
  init(stringLiteral text: String) { self.init(text, text) }

  var testDescription: String { name }
}
