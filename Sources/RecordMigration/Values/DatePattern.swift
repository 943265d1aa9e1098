import RecordCoding

/// A date pattern: fields of fixed width and literal text.
public struct DatePattern: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case literal([UInt8])
    case field(Character, width: Int)
  }

  /// The pattern as written.
  public let text: String
  private let parts: [Part]

  private static let widths: [Character: Int] = [
    "y": 4, "M": 2, "d": 2, "H": 2, "m": 2, "s": 2, "S": 3,
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
    guard parts.contains(.field("y", width: 4)) else {
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
        guard let width = widths[character], width == count, seen.insert(character).inserted else {
          throw ExpressionError(
            start + 1,
            "'\(String(repeating: character, count: min(count, 20)))' is not part of a date, or "
              + "is repeated; there are yyyy MM dd HH mm ss SSS, and letters in quotation "
              + "marks")
        }
        parts.append(.field(character, width: width))
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
      case .field(let letter, let width):
        let digits = Array(String(date[letter]).utf8)
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
      case .field(let letter, let width):
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
          return nil
        }
        date[letter] = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        rest = rest.dropFirst(width)
      }
    }
    return rest.isEmpty ? date : nil
  }
}

extension CivilDate {
  /// The component of a date that a pattern letter stands for.
  fileprivate subscript(letter: Character) -> Int {
    get {
      switch letter {
      case "y": year
      case "M": month
      case "d": day
      case "H": hour
      case "m": minute
      case "s": second
      default: millisecond
      }
    }
    set {
      switch letter {
      case "y": year = newValue
      case "M": month = newValue
      case "d": day = newValue
      case "H": hour = newValue
      case "m": minute = newValue
      case "s": second = newValue
      default: millisecond = newValue
      }
    }
  }
}
