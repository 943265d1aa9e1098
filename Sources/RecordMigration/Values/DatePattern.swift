import RecordCoding

/// A date pattern: fields of fixed width and literal text.
public struct DatePattern: Sendable, Hashable {
  private typealias Component = WritableKeyPath<CivilDate, Int> & Sendable

  private enum Part: Sendable, Hashable {
    case literal([UInt8])
    case field(Component, width: Int)
  }

  /// The pattern as written.
  public let text: String
  private let parts: [Part]

  private static let letters: [Character: (component: Component, width: Int)] = [
    "y": (\.year, 4), "M": (\.month, 2), "d": (\.day, 2), "H": (\.hour, 2), "m": (\.minute, 2),
    "s": (\.second, 2), "S": (\.millisecond, 3),
  ]

  /// Parses a pattern.
  ///
  /// - Throws: ``ExpressionError`` with the column of the error.
  public init(_ text: String) throws {
    guard text.utf8.count <= 200 else {
      throw ExpressionError(1, "the date format is longer than 200 bytes")
    }
    parts = try Self.parts(of: Array(text))
    self.text = text
    guard parts.contains(.field(\.year, width: 4)) else {
      throw ExpressionError(
        1,
        "the date format has no year; a format is iso8601, seconds, milliseconds, "
          + "reference-seconds, or a pattern such as yyyy-MM-dd HH:mm:ss")
    }
  }

  /// Creates a pattern that is known to be valid.
  init(known text: String) {
    parts = (try? Self.parts(of: Array(text))) ?? []
    self.text = text
  }

  private static func parts(of characters: [Character]) throws -> [Part] {
    var parts: [Part] = []
    var seen: Set<Character> = []
    var position = 0
    func literal(_ text: String) {
      if case .literal(let bytes)? = parts.last {
        parts[parts.count - 1] = .literal(bytes + Array(text.utf8))
      } else {
        parts.append(.literal(Array(text.utf8)))
      }
    }
    while position < characters.count {
      let start = position
      let character = characters[position]
      if character == "'" {
        guard let end = characters[(position + 1)...].firstIndex(of: "'") else {
          throw ExpressionError(start + 1, "the quotation mark is not closed")
        }
        literal(end == position + 1 ? "'" : String(characters[(position + 1)..<end]))
        position = end + 1
      } else if character.isASCIILetter {
        while position < characters.count, characters[position] == character { position += 1 }
        let count = position - start
        guard let (component, width) = letters[character], width == count,
          seen.insert(character).inserted
        else {
          throw ExpressionError(
            start + 1,
            "'\(String(repeating: character, count: min(count, 20)))' is not part of a date, or "
              + "is repeated; use yyyy MM dd HH mm ss SSS, and letters in quotation marks")
        }
        parts.append(.field(component, width: width))
      } else {
        literal(String(character))
        position += 1
      }
    }
    return parts
  }

  func text(of date: CivilDate) -> String {
    var bytes: [UInt8] = []
    for part in parts {
      switch part {
      case .literal(let literal): bytes += literal
      case .field(let component, let width):
        let digits = Array(String(date[keyPath: component]).utf8)
        bytes += [UInt8](repeating: 0x30, count: max(0, width - digits.count)) + digits
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func date(from text: String) -> CivilDate? {
    var date = CivilDate()
    var rest = Array(text.utf8)[...]
    for part in parts {
      switch part {
      case .literal(let literal):
        guard rest.starts(with: literal) else { return nil }
        rest = rest.dropFirst(literal.count)
      case .field(let component, let width):
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
          return nil
        }
        date[keyPath: component] = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        rest = rest.dropFirst(width)
      }
    }
    return rest.isEmpty ? date : nil
  }
}
