import Foundation
import RecordCoding
import RecordModel

/// Values as text, in the one form that reads back as the same value.
enum TextForm {
  /// The text of a number, a date (ISO 8601, UTC) or a text; nil for anything else.
  static func text(of value: RecordValue) -> String? {
    switch value {
    case .string(let text): text
    case .int64(let number): String(number)
    case .double(let number): CanonicalNumber.text(of: number)
    case .timestamp(let date): DateForm.iso8601.text(of: date)
    default: nil
    }
  }

  /// The number a text names: an integer where it is one, else a double; nil for no number.
  static func number(from text: String) -> RecordValue? {
    if let number = integer(from: text) { return .int64(number) }
    return CanonicalNumber.double(from: text).map(RecordValue.double)
  }

  /// Decimal digits with an optional sign, within 64 bits.
  static func integer(from text: String) -> Int64? {
    guard text.utf8.count <= 32 else { return nil }
    return Int64(text)
  }
}
