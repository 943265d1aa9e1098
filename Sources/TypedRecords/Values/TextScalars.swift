import Foundation
import RecordModel

extension UUID: FieldScalar {
  static var fieldType: ValueType? { .string }

  static func read(_ value: RecordValue) throws(ValueFailure) -> UUID {
    guard case .string(let text) = value else { throw .wrongType("STRING for UUID") }
    guard let uuid = UUID(uuidString: text) else { throw .invalidValue("a UUID") }
    return uuid
  }

  func fieldValue() -> RecordValue { .string(uuidString) }
}

extension URL: FieldScalar {
  static var fieldType: ValueType? { .string }

  static func read(_ value: RecordValue) throws(ValueFailure) -> URL {
    guard case .string(let text) = value else { throw .wrongType("STRING for URL") }
    guard let url = URL(string: text) else { throw .invalidValue("a URL") }
    return url
  }

  func fieldValue() -> RecordValue { .string(absoluteString) }
}

/// A decimal number as text. It is no `FieldScalar`: an encoder must have been asked for it.
enum DecimalText {
  static func read(_ value: RecordValue) throws(ValueFailure) -> Decimal {
    guard case .string(let text) = value else { throw .wrongType("STRING for Decimal") }
    guard isNumber(text),
      let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      decimal.isFinite
    else { throw .invalidValue("a decimal number of at most 38 digits") }
    return decimal
  }

  static func value(of decimal: Decimal) throws(ValueFailure) -> RecordValue {
    guard decimal.isFinite else { throw .invalidValue("a finite number") }
    return .string(decimal.description)
  }

  /// `Decimal(string:)` reads as far as there are digits, and rounds what is too long.
  private static func isNumber(_ text: String) -> Bool {
    var parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)[...]
    if parts[0].hasPrefix("-") { parts[0].removeFirst() }
    let digits = parts.joined()
    let significant = digits.drop { $0 == "0" }
    return parts.allSatisfy { !$0.isEmpty } && digits.utf8.allSatisfy { 0x30...0x39 ~= $0 }
      && significant.count <= 38
  }
}
