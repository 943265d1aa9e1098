/// A name for dictionary keys, sets and comparisons: equal only if the Unicode scalars are equal,
/// ordered by its UTF-8 bytes.
///
/// `String` treats canonically equivalent texts as equal (precomposed and decomposed "é").
/// Databases do not, so names that may come from one must not be compared as strings.
package struct ExactString: Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }
}

extension ExactString: Hashable {
  package static func == (lhs: ExactString, rhs: ExactString) -> Bool {
    lhs.string.sameScalars(as: rhs.string)
  }

  package func hash(into hasher: inout Hasher) { string.hashScalars(into: &hasher) }
}

extension ExactString: Comparable {
  package static func < (lhs: ExactString, rhs: ExactString) -> Bool {
    compareUTF8(lhs.string, rhs.string) < 0
  }
}

extension ExactString: ExpressibleByStringLiteral, CustomStringConvertible {
  package init(stringLiteral value: String) { self.init(value) }

  package var description: String { string }
}

extension Set<String> {
  /// Whether the set contains a name with the same Unicode scalars.
  package func containsName(_ name: String) -> Bool {
    // `firstIndex(of:)` also finds canonically equivalent names.
    firstIndex(of: name).map { self[$0].sameScalars(as: name) } ?? false
  }
}
