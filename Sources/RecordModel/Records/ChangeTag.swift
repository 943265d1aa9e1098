/// The change tags of RecordPack: the numbers of changes in base 36.
package enum ChangeTag {
  /// Returns the number in a tag; nil if the tag is none in base 36. Signs, capitals and leading
  /// zeros, which `text(of:)` does not write, are read.
  package static func change(of tag: String) -> Int64? { Int64(tag, radix: 36) }

  /// Returns the tag of a change.
  package static func text(of change: Int64) -> String { String(change, radix: 36) }
}
