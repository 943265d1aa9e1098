import Foundation
import RecordCoding

/// A date that somebody typed.
package enum DateInput {
  /// Returns the date of a text in ISO 8601: a day, which means midnight UTC, or a time with its
  /// offset from UTC; nil for another text.
  package static func date(_ text: String) -> Date? {
    let form =
      /[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2}))?/
    return text.wholeMatch(of: form) == nil ? nil : ISODate.date(from: text)
  }
}
