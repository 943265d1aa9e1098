import Foundation
import RecordCoding
import RecordModel

/// Conversions of values to strings in a canonical form, and back.
enum TextForm {
  /// Returns a string, number or date (ISO 8601, UTC) as a string, or `nil` for other values.
  static func text(of value: RecordValue) -> String? {
    switch value {
    case .string(let text): text
    case .int64(let number): String(number)
    case .double(let number): CanonicalNumber.text(of: number)
    case .timestamp(let date): DateFormat.iso8601.text(of: date)
    default: nil
    }
  }

  /// Parses a number: an integer if possible, otherwise a double. Returns `nil` if the text is not
  /// a number.
  static func number(from text: String) -> RecordValue? {
    if let number = integer(from: text) { return .int64(number) }
    return CanonicalNumber.double(from: text).map(RecordValue.double)
  }

  /// Parses decimal digits with an optional sign, within 64 bits.
  static func integer(from text: String) -> Int64? {
    guard text.utf8.count <= 32 else { return nil }
    return Int64(text)
  }
}
