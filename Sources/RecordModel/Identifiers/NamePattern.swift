/// A pattern for names, as for files in a shell: `*` stands for any characters, `?` for one,
/// `[a-z]` for one of a set, `[!a-z]` for one outside it; `\` takes the next character literally.
///
/// Characters are Unicode scalars. A `[` without `]` is literal.
package struct NamePattern: Sendable {
  private enum Part: Sendable {
    case scalar(Unicode.Scalar)
    case one
    case any
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)

    func matches(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .scalar(let own): own == scalar
      case .one, .any: true
      case .set(let ranges, let isNegated):
        ranges.contains { $0.contains(scalar) } != isNegated
      }
    }

    var isAny: Bool { if case .any = self { true } else { false } }
    var isLiteral: Bool { if case .scalar = self { true } else { false } }
  }

  private let text: String
  private let parts: [Part]

  package init(_ text: String) {
    self.text = text
    parts = Self.parts(Array(text.unicodeScalars))
  }

  /// Creates a pattern in which only `*` is a sign.
  package init(stars text: String) {
    self.text = text
    parts = text.unicodeScalars.map { $0 == "*" ? .any : .scalar($0) }
  }

  /// Whether the text has a sign of a pattern. Without one, it matches only itself.
  package var isPattern: Bool {
    text.unicodeScalars.contains("\\") || !parts.allSatisfy(\.isLiteral)
  }

  /// Whether a name matches. Takes time proportional to the product of the lengths.
  package func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    var (place, part) = (0, 0)
    // Where to go on after a mismatch: the last `*` takes one more character.
    var retry: (place: Int, part: Int)?
    while place < name.count {
      if part < parts.count, parts[part].isAny {
        part += 1
        retry = (place, part)
      } else if part < parts.count, parts[part].matches(name[place]) {
        place += 1
        part += 1
      } else if let last = retry {
        place = last.place + 1
        part = last.part
        retry = (place, part)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy(\.isAny)
  }

  private static func parts(_ scalars: [Unicode.Scalar]) -> [Part] {
    var parts: [Part] = []
    var place = 0
    while place < scalars.count {
      let scalar = scalars[place]
      place += 1
      switch scalar {
      case "*": parts.append(.any)
      case "?": parts.append(.one)
      case "[":
        if let (set, end) = set(scalars, from: place) {
          parts.append(set)
          place = end
        } else {
          parts.append(.scalar(scalar))
        }
      case "\\" where place < scalars.count:
        parts.append(.scalar(scalars[place]))
        place += 1
      default: parts.append(.scalar(scalar))
      }
    }
    return parts
  }

  /// Reads a set after its `[`; nil if it has no end. A `]` at its beginning belongs to it.
  private static func set(_ scalars: [Unicode.Scalar], from start: Int) -> (Part, end: Int)? {
    var place = start
    let isNegated = place < scalars.count && (scalars[place] == "!" || scalars[place] == "^")
    if isNegated { place += 1 }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    func member() -> Unicode.Scalar? {
      if place < scalars.count, scalars[place] == "\\" { place += 1 }
      guard place < scalars.count else { return nil }
      place += 1
      return scalars[place - 1]
    }
    let first = place
    while place < scalars.count {
      if scalars[place] == "]", place > first {
        return (.set(ranges, isNegated: isNegated), place + 1)
      }
      guard let low = member() else { return nil }
      guard place + 1 < scalars.count, scalars[place] == "-", scalars[place + 1] != "]" else {
        ranges.append(low...low)
        continue
      }
      place += 1
      guard let high = member() else { return nil }
      // A range in the wrong order is empty, as in a shell.
      if low <= high { ranges.append(low...high) }
    }
    return nil
  }
}
