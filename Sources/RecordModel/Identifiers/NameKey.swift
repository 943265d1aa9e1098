/// A name as the key of a dictionary, the member of a set, or the side of a comparison: equal to
/// another only where both are the same Unicode scalars, and ordered by its UTF-8 bytes.
///
/// `String` takes canonically equivalent texts for equal ("é" in one scalar and in two). A database
/// does not, so names that may come from one must not be compared as strings.
package struct NameKey: Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }
}

extension NameKey: Hashable {
  package static func == (lhs: NameKey, rhs: NameKey) -> Bool {
    lhs.string.sameScalars(as: rhs.string)
  }

  package func hash(into hasher: inout Hasher) { string.hashScalars(into: &hasher) }
}

extension NameKey: Comparable {
  package static func < (lhs: NameKey, rhs: NameKey) -> Bool {
    compareUTF8(lhs.string, rhs.string) < 0
  }
}

extension NameKey: ExpressibleByStringLiteral, CustomStringConvertible {
  package init(stringLiteral value: String) { self.init(value) }

  package var description: String { string }
}

extension Set<String> {
  /// Whether a name is in the set, as the same sequence of Unicode scalars.
  package func containsName(_ name: String) -> Bool {
    // The set finds canonically equivalent names too.
    firstIndex(of: name).map { self[$0].sameScalars(as: name) } ?? false
  }
}
