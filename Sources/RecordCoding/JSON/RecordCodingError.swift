import protocol Foundation.LocalizedError
import RecordModel

/// What is wrong with a text that should be a record, a zone or the like: where it is, what was
/// found there, and what was expected.
///
/// The texts never hold the value of an encrypted field.
public struct RecordCodingError: Error, Sendable, Hashable {
  /// The number of bytes before the place; nil where there are no bytes, as in a `Codable` decoder.
  public var offset: Int?
  /// The way to the place, from the outermost value: `records[3].fields.title.value`; empty for
  /// the outermost value itself.
  public var path: String
  /// What was found, as a noun: `a string`.
  public var found: String
  /// What was expected, as a noun: `an integer`.
  public var expected: String

  /// Makes an error.
  public init(offset: Int? = nil, path: String = "", found: String, expected: String) {
    self.offset = offset
    self.path = path
    self.found = found
    self.expected = expected
  }
}

extension RecordCodingError: CustomStringConvertible, LocalizedError {
  /// `byte 153, at fields.title.value: found a string, expected an integer`.
  public var description: String {
    let place = [offset.map { "byte \($0)" }, path.isEmpty ? nil : "at \(path)"]
    let places = place.compactMap { $0 }.joined(separator: ", ")
    return "\(places.isEmpty ? "" : "\(places): ")found \(found), expected \(expected)"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension RecordCodingError {
  /// The error as seen from the object that holds the place as a member.
  package func inside(member name: String) -> RecordCodingError {
    inside(component: Self.pathComponent(name))
  }

  /// The error as seen from the array that holds the place as an element.
  package func inside(element index: Int) -> RecordCodingError {
    inside(component: "[\(index)]")
  }

  private func inside(component: String) -> RecordCodingError {
    var error = self
    let joint = path.isEmpty || path.hasPrefix("[") ? "" : "."
    error.path = component + joint + path
    return error
  }

  /// Plain names stand as they are; others are quoted, and what is overlong is cut: an error stays
  /// a sentence whatever a hostile file names its members.
  private static func pathComponent(_ name: String) -> String {
    let isPlain =
      !name.isEmpty && name.utf8.count <= longestName
      && name.utf8.allSatisfy { isPlainNameByte($0) }
    return isPlain ? name : "[\(quoted(name))]"
  }

  private static let longestName = 64

  private static func isPlainNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// A text in quotation marks for an error, cut after 64 characters.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    appendEscaped(
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestName))), to: &bytes)
    let isCut = text.unicodeScalars.dropFirst(longestName).first != nil
    return String(decoding: bytes, as: UTF8.self) + (isCut ? "…\"" : "\"")
  }
}
