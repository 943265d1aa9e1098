import Foundation

extension String {
  /// Returns the text with a part replaced, even before a combining mark, which
  /// `replacing(_:with:)` takes for a part of the last character.
  package func replacingLiterally(_ part: String, with other: String) -> String {
    replacingOccurrences(of: part, with: other, options: .literal)
  }
}
